/** Errors of mirrors: why a directory does not have the published files. What it had before is still there. */
import type { ErrorSpec } from './error-spec.ts';

export const MIRROR_ERRORS = {
  MIRROR_PLACE: {
    exit: 1,
    http: 500,
    text: '{path} cannot hold published files: {reason}',
    meaning:
      'The path that was given for the mirror of a file set is taken by something else. Nothing was changed.',
    hint: 'remove what is there, or give another path with --states-cache or --settings-cache',
  },
  MIRROR_PATH: {
    exit: 1,
    http: 422,
    text: 'the published file {path} cannot be mirrored: {reason}',
    meaning:
      'A manifest lists a file that cannot be put into a directory of this machine. Nothing of that revision is taken.',
    hint: 'rename the file in the source tree and publish again',
  },
  MIRROR_TORN: {
    exit: 1,
    http: 503,
    text: 'the published {set} are incomplete: {problem}',
    meaning:
      'Files, manifest and revision in the bucket do not belong together: a publish is under way or was interrupted, or somebody else wrote. The files from before stay in use.',
    hint: 'it heals with the next publish; if it stays, run `zester files publish --force`',
  },
  MIRROR_IN_USE: {
    exit: 1,
    http: 409,
    text: '{path} is in use by a run and can only be replaced where it is, so the new files wait until it ends',
    meaning:
      'The directory is a mount point or cannot be moved. A run reads from it, and one run uses one revision from start to end.',
    hint: 'wait for the run, or give the mirror a path that is no mount point',
  },
  MIRROR_NONE: {
    exit: 1,
    http: 404,
    text: 'this peel mirrors no published {set}',
    meaning:
      'A peel was asked what it has of the published files, and it has no mirrors: a call without masters, or a program that embeds a peel.',
    hint: 'ask a peel that runs as a service',
  },
  DIRECTORY_CHANGED: {
    exit: 1,
    http: 409,
    text: '{path} was changed by somebody else while its directory was brought up to date; it was left as it is',
    meaning:
      'A directory of source files was to get the newest published files, and a file in it is not what it was. No change of yours is ever overwritten.',
    hint: 'look at the file; `zester files status` says how the directory stands',
  },
} as const satisfies Record<string, ErrorSpec>;
