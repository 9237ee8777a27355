/** Errors of the machine: files, programs and accounts that the operating system refuses. */
import type { ErrorSpec } from './error-spec.ts';

export const SYSTEM_ERRORS = {
  FILE_READ_FAILED: {
    exit: 1,
    http: 500,
    text: 'cannot {operation} {path}: {reason} ({errno})',
    meaning:
      'The operating system refused to read a file, directory or link. It is not known whether it exists: Zester never takes a failed read for an absent file.',
    hint: 'read the reason: EACCES wants another user or mode, ENOTDIR or ELOOP another path, EIO a look at dmesg',
  },
  FILE_WRITE_FAILED: {
    exit: 1,
    http: 500,
    text: 'cannot {operation} {path}: {reason} ({errno})',
    meaning:
      'The operating system refused to change a file, directory or link. A file that was to be written keeps its old content.',
    hint: 'read the reason: EACCES or EPERM wants another user, ENOSPC space (df -h, df -i), EROFS a writable mount, EBUSY a path that is no mount point',
  },
  FILE_TOO_LARGE: {
    exit: 1,
    http: 413,
    text: '{path} is larger than {max} bytes',
    meaning: 'A file was to be read as a whole and is over the limit of the reader.',
    hint: 'check that the path is right; content of this size belongs in a package or an archive',
  },
  FILE_TREE_TOO_LARGE: {
    exit: 1,
    http: 413,
    text: '{path} holds more than {max} {what}',
    meaning:
      'A directory or tree was to be listed, walked or removed and is over the limit. Nothing was removed.',
    hint: 'check that the path is right; name a smaller directory, or remove a tree of this size by hand',
  },
  FILE_PLAN_TOO_LARGE: {
    exit: 1,
    http: 413,
    text: 'with {path} the files of this dry run are larger than {max} bytes',
    meaning:
      'A dry run keeps in memory what the files would hold. Nothing was written; an apply has no such limit.',
    hint: 'dry-run fewer states at a time, or bring files of this size by a package or an archive',
  },
  FILE_IS_LINK: {
    exit: 1,
    http: 422,
    text: '{path} is a symbolic link; refusing to {operation} through it',
    meaning:
      'A change was asked for a path whose last part is a symbolic link. Following it could change a file somebody else chose.',
    hint: 'name the file the link points to (readlink -f {path}), or remove the link first',
  },
  FILE_PATH_INVALID: {
    exit: 1,
    http: 400,
    text: '{path} is not a usable path: {reason}',
    meaning: 'A path is relative, holds a NUL character or names what must not be touched.',
    hint: 'write an absolute path such as /etc/motd',
  },
  FILE_LOCK_CROWDED: {
    exit: 1,
    http: 503,
    text: 'more than {max} changes wait for {path}',
    meaning: 'Changes of one file run one after another; so many waited that one more was refused.',
    hint: 'a change that never ends holds the file: look for a hanging state or command',
  },
  PROCESS_START_FAILED: {
    exit: 1,
    http: 500,
    text: 'cannot start {program}: {reason} ({errno})',
    meaning: 'A program could not be started. It did not run and had no effect.',
    hint: 'check that the program is installed, on the PATH given to it and executable for the user, and that the working directory exists',
  },
  USER_UNKNOWN: {
    exit: 1,
    http: 422,
    text: 'no user {user} in /etc/passwd',
    meaning: 'A program was to run as a user that this machine does not have. It did not run.',
    hint: 'create the user first, or correct the name; users known only to LDAP or SSSD are not looked up',
  },
  USER_SWITCH_DENIED: {
    exit: 1,
    http: 403,
    text: 'cannot run a program as {user}: {reason}',
    meaning: 'A program was to run as another user and that is not possible here. It did not run.',
    hint: 'run the peel as root, and install util-linux for users with supplementary groups',
  },
} as const satisfies Record<string, ErrorSpec>;
