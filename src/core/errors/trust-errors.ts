/** Errors of keys, credentials, JWTs and certificates, and of rotating the fleet key. */
import type { ErrorSpec } from './error-spec.ts';

export const TRUST_ERRORS = {
  TRUST_KEY_INVALID: {
    exit: 1,
    http: 400,
    text: 'not a valid {what}: {reason}',
    meaning: 'A NATS key text (nkey) is damaged, cut off, or of another kind than is needed here.',
    hint: 'copy the whole text again; keys are upper case and end with a checksum',
  },
  TRUST_JWT_INVALID: {
    exit: 1,
    http: 400,
    text: 'not a valid {type} JWT: {reason}',
    meaning:
      'A NATS JWT is damaged, is of another kind than is needed here, or was not signed by its issuer.',
    hint: 'use the file as it was written; if it was changed by hand, make it again',
  },
  TRUST_CREDS_INVALID: {
    exit: 1,
    http: 500,
    text: 'the credentials in {source} cannot be used: {reason}',
    meaning: 'A .creds file is damaged or its two halves do not belong together.',
    hint: 'copy the file again from where it was made, or have new credentials issued',
  },
  TRUST_OPERATOR_KEY_INVALID: {
    exit: 1,
    http: 500,
    text: 'the operator key in {source} cannot be used: {reason}',
    meaning:
      'The file with the key that signs cancels and direct calls is damaged, or its halves do not belong together.',
    hint: 'copy the file again from where `zester auth init` wrote it',
  },
  TRUST_OPERATOR_NAME: {
    exit: 1,
    http: 400,
    text: 'an operator needs a name of 1 to {max} bytes without control characters',
    meaning:
      'The name stands in the operator certificate and shows up in logs as the author of what was signed.',
    hint: 'give a plain name, such as your login name',
  },
  TRUST_PEEL_ID_INVALID: {
    exit: 1,
    http: 400,
    text: 'a peel cannot be called {peel}',
    meaning:
      'A peel id becomes part of subjects and grants, so only one safe token is signed: wildcards or dots would give it the subjects of other peels.',
    hint: 'use up to 128 letters, digits, - and _, starting with a letter or digit; write a dot as _',
  },
  TRUST_FILE_EXISTS: {
    exit: 1,
    http: 409,
    text: '{file} exists already; nothing was written',
    meaning:
      'Keys are never overwritten by accident: everything that was signed with the old ones would stop working.',
    hint: 'choose another directory or name, or give --force to replace it; what was signed with a replaced key stops working',
  },
  TRUST_FILE_MISSING: {
    exit: 1,
    http: 500,
    text: '{file} does not exist',
    meaning: 'A file with keys or certificates that is needed here is not there.',
    hint: 'check the directory; `zester auth init` and `zester ca init` make these files',
  },
  TRUST_FILE_UNREADABLE: {
    exit: 1,
    http: 500,
    text: 'cannot read {file}',
    meaning: 'A file with keys or certificates is there but could not be read.',
    hint: 'check who owns the file and who runs this program',
  },
  TRUST_FILE_UNWRITABLE: {
    exit: 1,
    http: 500,
    text: 'cannot write {file}',
    meaning:
      'A file with keys or certificates could not be written. Files that were there before are as they were.',
    hint: 'check the permissions of the directory and the room on the disk',
  },
  TRUST_FILE_INVALID: {
    exit: 1,
    http: 500,
    text: 'the content of {file} cannot be used',
    meaning: 'A file with a key or a JWT is damaged or holds something else.',
    hint: 'copy the file again from where it was made',
  },
  TRUST_FILE_EXPOSED: {
    exit: 1,
    http: 500,
    text: '{file} can be read or changed by others (mode {mode})',
    meaning:
      'A file with a secret must be accessible to its owner only; a secret that others could read is refused.',
    hint: 'run chmod 600 {file}; if others may have read it, make new keys',
  },
  TRUST_DIRECTORY_EXPOSED: {
    exit: 1,
    http: 500,
    text: '{directory} can be changed by others (mode {mode})',
    meaning:
      'Whoever may write to a directory can exchange the keys in it, whatever the permissions of the files.',
    hint: 'run chmod 700 {directory}',
  },
  TRUST_FILES_DISAGREE: {
    exit: 1,
    http: 500,
    text: '{file} does not fit {other} in {directory}',
    meaning:
      'The files of one deployment are signed by one another, and these two are not: one was copied from elsewhere, or a forced `zester auth init` was interrupted.',
    hint: 'copy all files from one place, or run `zester auth init --force` again',
  },
  TRUST_CERTIFICATE_INVALID: {
    exit: 1,
    http: 500,
    text: '{source} cannot be used: {reason}',
    meaning: 'A certificate or its key is damaged, or is not what the CA needs in this place.',
    hint: 'copy the CA files again from where `zester ca init` wrote them',
  },
  TRUST_CERTIFICATE_NAME: {
    exit: 1,
    http: 400,
    text: '{name} is neither a DNS name nor an IP address',
    meaning: 'A certificate is issued for names that clients connect to; this text can be none.',
    hint: 'give host names such as nats-1.example.com or addresses such as 10.0.0.5 and ::1, without a port',
  },
  TRUST_CERTIFICATE_NAMES: {
    exit: 1,
    http: 400,
    text: 'a certificate needs 1 to {max} names, not {count}',
    meaning: 'Clients compare the name they connect to with the names in the certificate.',
    hint: 'list the names and addresses under which the server is reached',
  },
  TRUST_CA_EXPIRED: {
    exit: 1,
    http: 500,
    text: 'the intermediate CA expired at {ended}',
    meaning: 'Certificates cannot outlive the CA that signs them, so no new one can be issued.',
    hint: 'make a new CA with `zester ca init --force` and hand out its root',
  },
  TRUST_CONFIG_TEXT: {
    exit: 1,
    http: 400,
    text: 'the setting {setting} cannot be written into a nats-server configuration',
    meaning: 'The value has control characters, which no file name or host name of a server needs.',
    hint: 'use another path or name',
  },
  AUTH_REFUSED: {
    exit: 1,
    http: 409,
    text: 'the master refused it: {reason}',
    meaning: 'A master heard the question about a key and said no; nothing was changed.',
    hint: '`zester auth status` shows how the keys stand',
  },
  AUTH_ROTATION_RUNNING: {
    exit: 1,
    http: 409,
    text: 'a rotation of {key} is under way: generation {generation}, begun by {by}',
    meaning:
      'One rotation of a key at a time: while the overlap lasts two generations are good, and a third would shut out whoever has not got the second.',
    hint: '`zester auth status` shows whom it waits for; it ends by itself',
  },
  AUTH_ROTATION_MASTERS: {
    exit: 1,
    http: 409,
    text: 'not every master can rotate {key}: {masters}',
    meaning:
      'Masters say in their heartbeats which generation they have. One of an older program says nothing and would go on with the old key, which is then refused.',
    hint: 'upgrade or stop these masters, then try again',
  },
  AUTH_ROTATION_PEELS: {
    exit: 1,
    http: 409,
    text: 'peels that have not joined would be shut out: {peels}',
    meaning:
      'A peel gets credentials by the new agents key from a master, which gives them to machines with an enrollment. These peels have none: their credentials were made by hand or by an older Zester.',
    hint: 'let them join (`zester-peel join`), or rotate with --now, which cuts them off',
  },
  AUTH_ROTATION_SERVERS: {
    exit: 1,
    http: 409,
    text: 'the account documents are not on every NATS server: {problem}',
    meaning:
      'The agents key is changed in a document that every NATS server must take. While masters cannot hand it to them, credentials by the new key would be refused.',
    hint: 'run `zester doctor`, then try again',
  },
  AUTH_NO_OPERATOR_IDENTITY: {
    exit: 1,
    http: 500,
    text: '{file} is not there, and without it the operator key cannot be rotated',
    meaning:
      'The operator JWT, which names the operator key, is signed by the identity key of the operator. `zester auth init` writes its seed, for a safe. Versions before that threw it away: nobody can sign another operator JWT for such a deployment.',
    hint: 'put the file there from your safe; a deployment that never had it is replaced by a new one: see the guide `rotation`',
  },
  AUTH_AGENTS_KEY_LOST: {
    exit: 1,
    http: 503,
    text: 'the NATS servers accept generation {generation} of the agents key, which no master has',
    meaning:
      'The seeds of later generations of the agents key lie in the store, in bucket fleet-keys. The store has gone back to before the rotation, or was made anew. No credentials of peels can be signed; those that were are still good.',
    hint: 'bring bucket fleet-keys back from a backup, or run `zester auth rotate agents-key --now`, after which every peel joins again by itself',
  },
  AUTH_ROTATION_TOO_MANY: {
    exit: 1,
    http: 409,
    text: '{key} has been rotated too often: {max} generations are kept',
    meaning:
      'Masters keep every generation, of the fleet key to open values that were sealed into settings files long ago.',
    hint: 'begin a new deployment with `zester auth init`',
  },
  AUTH_CERTIFICATE_RETIRED: {
    exit: 1,
    http: 403,
    text: 'the operator certificate in use is of generation {generation} of the fleet key, and peels accept {good} only',
    meaning:
      'The fleet key was rotated. Certificates are renewed while the overlap lasts; afterwards only somebody who has the auth directory of a master can make one, so that a stolen one ends with the old key.',
    hint: 'run `zester auth operator renew` where the auth directory of a master is, or have somebody there make you a new key with `zester auth operator issue`',
  },
  AUTH_CERTIFICATE_REFUSED: {
    exit: 1,
    http: 403,
    text: 'the operator certificate cannot be renewed: {reason}',
    meaning: 'A master renews a certificate only for whoever shows a good one and proves to have its key.',
    hint: 'have a new one made with `zester auth operator issue` where the auth directory of a master is',
  },
  AUTH_CLOCK: {
    exit: 1,
    http: 403,
    text: 'the clocks of this machine and of the master differ by {seconds} s',
    meaning:
      'What an operator signs counts for a short time only. With clocks that differ it looks as if it came too late, or from the future.',
    hint: 'set the clocks of both machines by a time server (`timedatectl`), then try again',
  },
} as const satisfies Record<string, ErrorSpec>;
