/** Errors of a peel: how it was started, and what it cannot take on. */
import type { ErrorSpec } from './error-spec.ts';

export const PEEL_ERRORS = {
  PEEL_USAGE: {
    exit: 1,
    http: 400,
    text: 'wrong command line: {problem}',
    meaning:
      'zester-peel was called with options that it does not know or that lack something; it did not start.',
    hint: 'run `zester-peel --help` for an example and the options',
  },
  PEEL_DIR_IN_USE: {
    exit: 1,
    http: 409,
    text: 'the data directory {dir} is in use by process {pid} (since {since})',
    meaning:
      'Another peel or `zester-peel call` works in this directory. Two of them would each run every job, so this one did nothing.',
    hint: 'wait for process {pid} or stop it, or give another directory with --data-dir',
  },
  PEEL_ID: {
    exit: 1,
    http: 500,
    text: 'the credentials {creds} are those of {name}, not of {id}',
    meaning: 'The name in the credentials is not the id the peel was started with, or is no id of a peel.',
    hint: 'give the credentials that were made for this peel, or leave --id out',
  },
  UNDO_UNREADABLE: {
    exit: 1,
    http: 500,
    text: 'the undo journal cannot be read at {path}: {reason}',
    meaning:
      'A file of the undo journal does not open with the key of this peel. Nothing was reverted: what a state did last may stand in it. States can still be applied.',
    hint: 'if the disk is damaged or undo.key beside the journal was lost, move {path} away; what stands in it can then no longer be reverted',
  },
  UNDO_FORGOTTEN: {
    exit: 1,
    http: 404,
    text: 'the undo journal has no record of job {jid}, and has forgotten runs until {until} for want of room',
    meaning:
      'The journal keeps the newest runs up to its bounds. This job is not newer than what was forgotten, so nobody can say whether it changed something here. Nothing was reverted.',
    hint: '`state.runs` lists the runs that can still be undone',
  },
  PEEL_RECORD_DAMAGED: {
    exit: 1,
    http: 500,
    text: 'the record of accepted jobs {path} is damaged ({problem})',
    meaning:
      'The file that keeps a peel from running a job twice cannot be read. The peel does not start, because it cannot know what it ran.',
    hint: 'check the disk; when no job of the last hours can come again, move {path} away and start the peel',
  },
} as const satisfies Record<string, ErrorSpec>;
