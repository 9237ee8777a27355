import type { ErrorSpec } from './error-spec.ts';

export const PEEL_ERRORS = {
  PEEL_USAGE: {
    exit: 1,
    text: 'wrong command line: {problem}',
    meaning:
      'zester-peel was called with options that it does not know or that lack something; it did not start.',
    hint: 'run `zester-peel --help` for an example and the options',
  },
  PEEL_ID: {
    exit: 1,
    text: 'the credentials {creds} are those of {name}, not of {id}',
    meaning: 'The name in the credentials is not the id the peel was started with, or is no id of a peel.',
    hint: 'give the credentials that were made for this peel, or leave --id out',
  },
  PEEL_RECORD_DAMAGED: {
    exit: 1,
    text: 'the record of accepted jobs {path} is damaged',
    meaning:
      'The file that keeps a peel from running a job twice cannot be read. The peel does not start, because it cannot know what it ran.',
    hint: 'check the disk; when no job of the last hours can come again, move {path} away and start the peel',
  },
} as const satisfies Record<string, ErrorSpec>;
