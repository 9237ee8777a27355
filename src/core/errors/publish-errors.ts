/** Errors of source directories: why a master does not publish what is in one. What is published stays as it is. */
import type { ErrorSpec } from './error-spec.ts';

export const PUBLISH_ERRORS = {
  FILES_LINK: {
    exit: 1,
    http: 422,
    text: '{path} of {set} is a link that leads {where}',
    meaning:
      'A source tree may have links to its own files and directories. One that leads elsewhere would publish what nobody put there, so nothing of the tree is published; the last one stays.',
    hint: 'replace the link by what it should lead to, or take it out of the tree',
  },
  FILES_NOT_TEXT: {
    exit: 1,
    http: 422,
    text: '{path} of {set} is no text in UTF-8',
    meaning: 'A settings file is a text. This one could not be read as one, and was left as it is.',
    hint: 'save it as UTF-8, or use another file',
  },
  FILES_NOTE_TOO_LARGE: {
    exit: 1,
    http: 413,
    text: 'what a master has to remember of {set} does not fit into {path}: {files} files are too many',
    meaning:
      'A master writes down which files its directory last had in common with what is published. With more than about 40,000 files that is too large, and without it a directory that is behind cannot be told from one that was edited. Nothing was published.',
    hint: 'take out what is not needed',
  },
  MASTER_DIR_IN_USE: {
    exit: 1,
    http: 409,
    text: 'another zester-master uses {dir} (pid {pid}, since {since})',
    meaning:
      'Each master remembers in its data directory what its source directories last had in common with what is published. Two on one data directory would take the notes of the other for their own.',
    hint: 'give each master a --data-dir of its own, or stop the other one',
  },
  MASTER_SOURCE_MISSING: {
    exit: 1,
    http: 400,
    text: 'option --{set}: {path} is not a directory',
    meaning:
      'A source directory was named on the command line and is not there. It is made by nobody: an empty directory in place of one that is not mounted yet would look like a tree that was emptied.',
    hint: 'make the directory, mount it, or leave the option out',
  },
} as const satisfies Record<string, ErrorSpec>;
