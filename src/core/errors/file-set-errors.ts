/** Errors of published files: a source tree that does not fit a file set, nobody who publishes, a peel that does not say. */
import type { ErrorSpec } from './error-spec.ts';

export const FILE_SET_ERRORS = {
  FILES_TOO_MANY: {
    exit: 1,
    http: 413,
    text: '{set} has {files} files, and at most {max} can be published',
    meaning:
      'The source tree of a file set has too many files. Nothing of it was published; the last tree stays.',
    hint: 'take out what is not needed: hidden files and __pycache__ do not count',
  },
  FILES_SET_TOO_LARGE: {
    exit: 1,
    http: 413,
    text: 'the files of {set} have {bytes} bytes together, and at most {max} can be published',
    meaning: 'The source tree of a file set is too large. Nothing of it was published; the last tree stays.',
    hint: 'serve large files some other way (a package repository, HTTP) and name them in states by URL or package',
  },
  FILES_FILE_TOO_LARGE: {
    exit: 1,
    http: 413,
    text: '{path} of {set} has {bytes} bytes, and at most {max} can be published',
    meaning:
      'A file of a source tree is too large: states take 16 MiB, settings and reactor rules 512 KiB. Nothing of the tree was published; the last one stays.',
    hint: 'take {path} out of the tree, and serve it some other way',
  },
  FILES_NAME: {
    exit: 1,
    http: 422,
    text: '{path} of {set} cannot be published under this name: {reason}',
    meaning:
      'The path of a file in a source tree has no key in the bucket. Nothing of the tree was published.',
    hint: 'give the file, or the directories above it, a shorter name',
  },
  FILES_LIST_TOO_LARGE: {
    exit: 1,
    http: 413,
    text: 'the list of the {files} files of {set} has {bytes} bytes, and NATS takes messages of {max}',
    meaning:
      'The manifest of a file set is one message, of about 100 bytes for each file. Nothing of the tree was published; the last one stays.',
    hint: 'raise max_payload on every server, to at most 8 MB, or publish fewer files',
  },
  FILES_SOURCE_CHANGED: {
    exit: 1,
    http: 503,
    text: '{path} of {set} changed while it was being published',
    meaning:
      'A file was edited after its hash was taken and before it was read. The revision was not raised; peels keep what they have.',
    hint: 'nothing to do: the next check publishes it as it is then',
  },
  FILES_NO_PUBLISHER: {
    exit: 1,
    http: 503,
    text: 'no master publishes files: {why}',
    meaning:
      'One master at a time holds the lease `publisher` and publishes states, settings and reactor rules. None answered as that one. What was published before stays, and peels go on with it.',
    hint: 'run `zester master list`: LEASES says who publishes. Where a master died just now, another takes its place within 15 s; where none is alive, start one',
  },
  FILES_REFUSED: {
    exit: 1,
    http: 502,
    text: 'the publisher refused: {reason}',
    meaning: 'The master that publishes could not do what it was asked, and says why.',
    hint: 'read the reason; `zester files status` tells how each set stands',
  },
  FILES_SET_UNKNOWN: {
    exit: 1,
    http: 404,
    text: 'there is no file set {set}{suggestion}',
    meaning: 'The word names none of the sets that masters publish.',
    hint: 'the sets are: {sets}',
  },
  FILES_PEEL_SILENT: {
    exit: 3,
    http: 504,
    text: '{peel} did not say what it has: {reason}',
    meaning: 'The peel is not connected, or did not answer in time.',
    hint: '`zester files status` tells what its last heartbeat said',
  },
  FILES_PEEL_FAILED: {
    exit: 2,
    http: 502,
    text: '{peel} cannot say what it has: {reason}',
    meaning: 'The peel answered with an error, or with something that is no answer to the question.',
    hint: 'read the reason; a peel of an older version does not know the question',
  },
} as const satisfies Record<string, ErrorSpec>;
