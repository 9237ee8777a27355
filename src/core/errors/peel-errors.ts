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
  PEEL_NOT_JOINED: {
    exit: 1,
    http: 404,
    text: 'there are no credentials in {dir}: this machine has not joined a fleet',
    meaning:
      'zester-peel was started without --creds, and its auth directory holds neither credentials nor an enrollment that was begun.',
    hint: 'run `zester-peel join https://master:8443 --pin sha256:…` first, or give --nats-url, --creds and --ca',
  },
  JOIN_USAGE: {
    exit: 1,
    http: 400,
    text: 'wrong command line: {problem}',
    meaning:
      '`zester-peel join` was called with words that it does not know or that lack something; nothing was sent.',
    hint: 'run `zester-peel join --help` for an example and the options',
  },
  JOIN_IN_PROGRESS: {
    exit: 1,
    http: 409,
    text: 'process {pid} is joining with the directory {dir} (since {since})',
    meaning: 'Two joins at once in one directory would mix their keys, so this one did nothing.',
    hint: 'wait for process {pid}, or stop it and run the command again: it goes on where that one was',
  },
  JOIN_NO_NAME: {
    exit: 1,
    http: 400,
    text: 'this machine needs a name of its own to join: {problem}',
    meaning: 'Without --id a peel is called after its host, and this host name cannot be the id of a peel.',
    hint: 'set a host name, or give the name with --id, such as --id web-01',
  },
  JOIN_ID_PINNED: {
    exit: 1,
    http: 409,
    text: 'this machine is pinned to the name {pinned} in {file}, not {id}',
    meaning: 'A machine keeps the id it joined with, whatever its host name becomes.',
    hint: 'leave --id out; to give the machine another name, revoke {pinned} (or reject it while it waits), move {file} away and join again',
  },
  JOIN_FILE_DAMAGED: {
    exit: 1,
    http: 500,
    text: 'the file {file} cannot be used: {problem}',
    meaning: 'A file that `zester-peel join` wrote was changed or cut off.',
    hint: 'move {file} away and run `zester-peel join` again: with the same key an approval is not needed twice',
  },
  JOIN_CA_FILE: {
    exit: 1,
    http: 400,
    text: 'the CA file {file} cannot be used: {problem}',
    meaning: 'The file that says which CA a master must have holds no certificate of a CA. Nothing was sent.',
    hint: 'on a master, `zester ca print` prints the certificate that belongs into {file}',
  },
  JOIN_PIN_MISMATCH: {
    exit: 1,
    http: 502,
    text: 'the CA that {url} shows has the fingerprint {seen}, not {pin}',
    meaning:
      'The master at this address belongs to another fleet, or somebody stands in between. Nothing was sent to it and nothing of it was written.',
    hint: 'compare with `zester ca fingerprint` on a master; do not take the new fingerprint over unless somebody who knows says so',
  },
  JOIN_UNTRUSTED: {
    exit: 1,
    http: 502,
    text: 'the certificate of {url} is not good by the {rung}: {reason}',
    meaning:
      'The master could not be told from a stranger. Nothing was sent to it and nothing of it was written; a lower rung of trust is not tried.',
    hint: 'give the fingerprint of the CA with --pin (`zester ca fingerprint` on a master prints it); a name that the certificate lacks is added with `zester-master --enroll-name`',
  },
  JOIN_CLOCK: {
    exit: 1,
    http: 502,
    text: 'the clock of this machine says {now} and that of {url} {server}: one of them is wrong, and by ours its certificate is {verdict}',
    meaning:
      'A certificate is good for a time, and by the clock of this machine it is not that time. The two clocks disagree, so most likely it is the clock.',
    hint: 'set the clock (`timedatectl set-ntp true`, or `date -s` by hand) and run the command again',
  },
  JOIN_CERTIFICATE_TIME: {
    exit: 1,
    http: 502,
    text: 'the certificate of {url} is {verdict}; the clock of this machine says {now}, the server says {server}',
    meaning:
      'A certificate is good for a time, and by both clocks it is not that time, or the server did not tell its clock.',
    hint: 'check the clock of this machine (`timedatectl`); if it is right, the certificate of the master must be renewed',
  },
  JOIN_UNREACHABLE: {
    exit: 3,
    http: 503,
    text: 'no master could be reached at {urls} within {waited}',
    meaning:
      'Nobody listens there, the name is unknown, a firewall is in between, or the masters are in trouble.',
    hint: 'check the address and that `zester-master` runs there with its enrollment door (--enroll-addr); then run the command again',
  },
  JOIN_PENDING: {
    exit: 3,
    http: 503,
    text: 'the enrollment {id} of {peel} still waits for approval after {waited}',
    meaning: 'Nobody has decided about it within --timeout. It stays and can still be approved.',
    hint: 'approve it with `zester enroll approve {id}`; then run the command again or start zester-peel, which goes on with it',
  },
  JOIN_UNCONFIRMED: {
    exit: 3,
    http: 503,
    text: 'this machine has credentials as {peel} ({id}), by their date good until {until}; whether they still count is not known: {why}',
    meaning:
      'The credentials are here and have not expired, but whoever revoked them would not have told this machine: a master must be asked, and none could be.',
    hint: 'the peel uses them as they are; run the command again when a master can be reached',
  },
  JOIN_REFUSED: {
    exit: 1,
    http: 403,
    text: 'the master at {url} refused {what}: {reason}',
    meaning: 'The request was understood and would be refused again as it is.',
    hint: 'the reason says what is wrong: a name that another machine has needs another --id, or a `zester enroll reject` or `revoke` of the other one; instead of a token that does not count give one from `zester enroll token create`, or none, and an operator decides',
  },
  JOIN_TOKEN_UNPINNED: {
    exit: 1,
    http: 400,
    text: 'a join token is not sent to {url}: nothing says which CA the fleet has',
    meaning:
      'A token lets in whoever holds it. Where neither a pin, a CA file, an earlier join nor the system says which CA to trust, whoever stands in between would get it.',
    hint: 'give the fingerprint of the CA with --pin (`zester ca fingerprint` on a master prints it), or --ca; without a token the machine waits for an operator',
  },
  JOIN_REJECTED: {
    exit: 1,
    http: 403,
    text: 'the enrollment {id} of {peel} was {state}: {reason}',
    meaning: 'An operator said no, or took a yes back.',
    hint: 'ask your operator; then run `zester-peel join` with --again, which makes a new request',
  },
  JOIN_BAD_ANSWER: {
    exit: 1,
    http: 502,
    text: 'the answer of {url} to {what} cannot be used: {problem}',
    meaning:
      'Whatever listens there is no enrollment door of a master, or is broken. Nothing of the answer was written.',
    hint: 'check the address: it is that of `zester-master --enroll-addr`, port 8443 unless told otherwise',
  },
  JOIN_WRONG_CREDENTIALS: {
    exit: 1,
    http: 502,
    text: 'the credentials that {source} gave are not good for this machine: {problem}',
    meaning:
      'A master answered with credentials of another key, another name or another kind. They were not written.',
    hint: 'update the masters; if it comes again, report it with the versions of both programs',
  },
  JOIN_RELEASE_KEY: {
    exit: 1,
    http: 409,
    text: 'this machine is pinned to the release key {pinned} in {file}, not {key}',
    meaning:
      'The key that releases must be signed with is decided once on a machine; a join does not change it.',
    hint: 'leave --release-key out, or move {file} away if the key was really changed',
  },
} as const satisfies Record<string, ErrorSpec>;
