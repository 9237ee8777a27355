/** Errors of the nats-server that Zester starts itself: finding a binary, starting it, keeping it running. */
import type { ErrorSpec } from './error-spec.ts';

export const SERVER_ERRORS = {
  SERVER_NOT_FOUND: {
    exit: 1,
    http: 500,
    text: 'no nats-server {floor} or newer (tried: {tried})',
    meaning:
      'None of the places where Zester looks for a nats-server has a usable one, and Debian’s package could not be downloaded.',
    hint: 'set ZESTER_NATS_SERVER to the path of a nats-server {floor} or newer, or install such a package (Debian 13 has it), or let this machine reach its Debian mirror, then try again',
  },
  SERVER_SETTING_UNUSABLE: {
    exit: 1,
    http: 500,
    text: 'ZESTER_NATS_SERVER={path} cannot be used: {reason}',
    meaning:
      'The variable names a nats-server that does not run or is too old. Zester does not look further, so that a typing error cannot pick another server unseen.',
    hint: 'correct the path, or unset ZESTER_NATS_SERVER to let Zester look by itself',
  },
  SERVER_CACHE_UNUSABLE: {
    exit: 1,
    http: 500,
    text: 'no directory to keep a downloaded nats-server in (tried: {tried})',
    meaning:
      'Neither the configured cache directory nor the default ones can be written, or they belong to someone else.',
    hint: 'set ZESTER_CACHE_DIR to a directory that you own',
  },
  SERVER_TOO_OLD: {
    exit: 1,
    http: 500,
    text: 'nats-server {version} is older than {floor}',
    meaning: 'Older servers silently ignore settings that Zester relies on, so it refuses to run on them.',
    hint: 'upgrade nats-server to {floor} or newer',
  },
  SERVER_DIR_UNUSABLE: {
    exit: 1,
    http: 500,
    text: '{dir} cannot hold the store of nats-server: {reason}',
    meaning: 'The directory of the embedded nats-server cannot be made or written.',
    hint: 'give a directory that you may write, on a disk with free space',
  },
  SERVER_DIR_IN_USE: {
    exit: 1,
    http: 409,
    text: '{dir} is in use by process {pid} (since {since})',
    meaning:
      'Another `zester up` runs the fleet of this directory. Two servers on one store would destroy it, so nothing was done.',
    hint: '`zester down --dir {dir}` stops the fleet of that directory; or give another one with --dir',
  },
  LOCK_UNUSABLE: {
    exit: 1,
    http: 500,
    text: 'the lock {path} cannot be used: {reason}',
    meaning:
      'A directory belongs to one process at a time, by a lock on the file `lock` in it. The file cannot be opened or locked, often because it belongs to another user.',
    hint: 'give a directory that is yours, on a local disk',
  },
  LOCK_NO_FLOCK: {
    exit: 1,
    http: 500,
    text: 'there is no program flock to lock {dir} with',
    meaning:
      'The lock of a directory is taken with flock(1), which every Debian has in the package util-linux.',
    hint: 'install util-linux, or set PATH so that flock is found',
  },
  SERVER_START_FAILED: {
    exit: 1,
    http: 500,
    text: 'nats-server did not start ({reason}); its log {log} ends with:\n{lines}',
    meaning: 'The nats-server process ended, or was not ready in time, before it served a client.',
    hint: 'read the lines above; they are nats-server’s own',
  },
  SERVER_GAVE_UP: {
    exit: 1,
    http: 500,
    text: 'nats-server failed {times} times in a row ({reason}); its log {log} ends with:\n{lines}',
    meaning: 'The nats-server kept ending soon after each start, so it is not restarted any more.',
    hint: 'read the lines above, repair the cause (disk full, broken store, port in use), then start again',
  },
  SERVER_PORT_HELD: {
    exit: 1,
    http: 500,
    text: 'a nats-server that we cannot see into answers on port {port}, which belongs to {dir}',
    meaning:
      'It may be one that another user started on this very directory; a second server on one store would destroy it, so none is started.',
    hint: 'stop that server, or delete {dir}/port if it has nothing to do with this directory',
  },
  SERVER_ORPHAN_STUCK: {
    exit: 1,
    http: 500,
    text: 'nats-server process {pid} still uses {dir} and does not stop',
    meaning:
      'A nats-server left by an earlier run holds the store and could not be stopped, so no second one is started.',
    hint: 'stop process {pid} by hand, then try again',
  },
} as const satisfies Record<string, ErrorSpec>;
