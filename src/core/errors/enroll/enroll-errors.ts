/** Errors of enrollment: what a machine that wants to join, an operator who decides, or a master that serves the door may meet. */
import type { ErrorSpec } from '../error-spec.ts';

export const ENROLL_ERRORS = {
  ENROLL_REQUEST_INVALID: {
    exit: 1,
    http: 400,
    text: 'this request to join cannot be used: {problem}',
    meaning: 'The request is not in the form that the wire reference gives; nothing was stored.',
    hint: 'join with `zester-peel join`, in the version of the masters',
  },
  ENROLL_CHALLENGE: {
    exit: 1,
    http: 401,
    text: 'challenge verification failed',
    meaning:
      'The challenge that the request answers is unknown, was answered before, has expired, or was made for another peel id or key. Which of these is not told.',
    hint: 'ask for a new challenge and sign that; `zester-peel join` does so by itself',
  },
  ENROLL_SIGNATURE: {
    exit: 1,
    http: 401,
    text: 'signature verification failed: {what}',
    meaning: 'Whoever asks has not proven to hold the key that it names.',
    hint: 'start `zester-peel join` again; if that does not help, remove the seed of this peel from its auth directory, and a new key is made',
  },
  ENROLL_TRUST_REQUIRED: {
    exit: 1,
    http: 401,
    text: 'trust binding required: the machine does not say which CA it goes by',
    meaning:
      'A join token approves only machines that have signed the pin of the CA which they see, because nobody else looks whether somebody stands in between.',
    hint: 'join with `zester-peel join --pin …`; `zester ca fingerprint` prints the pin',
  },
  ENROLL_TRUST_MISMATCH: {
    exit: 1,
    http: 403,
    text: '{peel} goes by another CA ({seen}) than this fleet has ({own})',
    meaning:
      'The machine signed the pin of the CA that it sees, and it is not ours: somebody may stand between it and the masters. Nothing was approved.',
    hint: 'find out why: an old CA file on the machine, or another master at that address; then join again with `--pin {own}`; an operator who knows better approves with --force',
  },
  ENROLL_OTHER_MACHINE: {
    exit: 1,
    http: 409,
    text: 'another machine goes by the id {peel}: {why}',
    meaning:
      'A peel that never enrolled, made by an older version, uses this id. Approved, two machines would have one id.',
    hint: 'join under another id; or shut the old one out with `zester enroll revoke --peel {peel}` while it is connected; if it is gone for good, approve with --force',
  },
  ENROLL_PEEL_UNKNOWN: {
    exit: 1,
    http: 404,
    text: 'nobody knows a peel {peel}: no enrollment of it was approved, it has no facts, and it is not connected',
    meaning: 'There is nothing that could be revoked; nothing was done.',
    hint: 'run `zester peel list` and `zester enroll list --state all` to see which there are',
  },
  ENROLL_ID_TAKEN: {
    exit: 1,
    http: 409,
    text: 'peel id {peel} belongs to another key ({state})',
    meaning:
      'An enrollment of this id waits for its decision or is in use, and its key is another one. An id has one machine at a time.',
    hint: 'join under another id with --id; if the machine was made anew, let an operator run `zester enroll reject --peel {peel}` or `zester enroll revoke --peel {peel}` first',
  },
  ENROLL_BUSY: {
    exit: 1,
    http: 503,
    text: 'the enrollment of {peel} cannot be written just now: {reason}',
    meaning: 'Another master is at the same enrollment, or died at it. Nothing was decided.',
    hint: 'send the same request again in some seconds',
  },
  ENROLL_PENDING_FULL: {
    exit: 1,
    http: 503,
    text: '{count} requests to join wait for a decision{where}, which is the limit',
    meaning: 'A bound of the masters is reached; requests that wait already and peels are not touched.',
    hint: 'decide: `zester enroll list`, then `zester enroll approve` or `zester enroll reject --all-pending`',
  },
  ENROLL_UNKNOWN: {
    exit: 1,
    http: 404,
    text: 'there is no enrollment {id}',
    meaning: 'No record has this id: it was mistyped, or its record was removed long after its end.',
    hint: 'see `zester enroll list` for those there are',
  },
  ENROLL_RECORD_UNREADABLE: {
    exit: 1,
    http: 500,
    text: 'the record {key} in bucket enrollments cannot be read: {problem}',
    meaning: 'Something is stored where an enrollment should be. It is never taken for a free id.',
    hint: 'look at it with `nats kv get enrollments {key}`; a newer master may have written it, then upgrade this one',
  },
  ENROLL_NOT_APPROVED: {
    exit: 1,
    http: 403,
    text: 'enrollment {id} is {state}',
    meaning: 'Credentials are given to an enrollment that is approved, and to no other.',
    hint: 'wait for the decision: an operator runs `zester enroll approve {id}`; after a rejection or revocation join again',
  },
  ENROLL_ALREADY_ISSUED: {
    exit: 1,
    http: 409,
    text: 'the credentials of enrollment {id} were fetched already',
    meaning: 'Credentials are handed out once. Who fetched them held the key of the enrollment.',
    hint: 'run `zester-peel join` again: with the same key it gets new ones, and nobody has to approve it again',
  },
  ENROLL_SUPERSEDED: {
    exit: 1,
    http: 409,
    text: 'enrollment {id} is no longer that of {peel}, which is {current}',
    meaning: 'The machine has enrolled again since; the older record is history.',
    hint: 'decide about {current}',
  },
  ENROLL_STATE: {
    exit: 1,
    http: 409,
    text: 'enrollment {id} of {peel} is {state} and cannot become {wanted}',
    meaning:
      'The decision does not fit where the enrollment stands; somebody else may have decided meanwhile.',
    hint: 'see `zester enroll show {id}`: one that waits is approved or rejected, one that was approved is revoked',
  },
  ENROLL_NOT_BANNED: {
    exit: 1,
    http: 404,
    text: 'peel {peel} is not kept out by the flood guard',
    meaning: 'No ban of this peel is in force: there never was one, it is over, or somebody lifted it.',
    hint: '`zester doctor` names the peels that are kept out; one that was revoked has to join again',
  },
  ENROLL_NOT_ENROLLED: {
    exit: 1,
    http: 404,
    text: 'peel {peel} has no enrollment that counts',
    meaning:
      'No machine has enrolled under this id, or its enrollment was rejected or revoked. A peel made by an older version works on without, but cannot renew its credentials or be tagged.',
    hint: 'let it join on its machine with `zester-peel join`: it keeps its key',
  },
  ENROLL_OTHER_KEY: {
    exit: 1,
    http: 403,
    text: 'the credentials of {peel} are not renewed: {problem}',
    meaning: 'A peel gets new credentials for the key of its enrollment, as long as that was not taken back.',
    hint: 'join again with `zester-peel join`',
  },
  ENROLL_TOKEN_UNKNOWN: {
    exit: 1,
    http: 403,
    text: 'this join token is not known',
    meaning: 'There is no such token, or its secret half is wrong; the two are not told apart.',
    hint: 'make one with `zester enroll token create`, and pass it on whole',
  },
  ENROLL_TOKEN_REFUSED: {
    exit: 1,
    http: 403,
    text: 'this join token does not let {peel} in: {problem}',
    meaning:
      'The token is right and does not cover this machine, or not any more. Nothing waits for a decision because of it.',
    hint: 'see `zester enroll token list`, make another with `zester enroll token create`, or join without a token and wait for an operator',
  },
  ENROLL_TOKEN_INVALID: {
    exit: 1,
    http: 400,
    text: 'this join token cannot be made: {problem}',
    meaning: 'What was asked for is not what a token may say; nothing was stored.',
    hint: 'see `zester enroll token create --help`',
  },
  ENROLL_TOKEN_EXISTS: {
    exit: 1,
    http: 409,
    text: 'there is another join token {id}',
    meaning:
      'The id of a token is made by whoever asks for it, and this one is taken by one that says something else.',
    hint: 'make another; ids are random',
  },
  ENROLL_TOKEN_GONE: {
    exit: 1,
    http: 404,
    text: 'there is no join token {id}',
    meaning: 'No token has this id.',
    hint: 'see `zester enroll token list`',
  },
  ENROLL_TAGS: {
    exit: 1,
    http: 400,
    text: 'these tags or facts cannot be set: {problem}',
    meaning: 'A tag has a name and a value that cannot be stored as they are; nothing was changed.',
    hint: 'names are letters, digits, `_`, `.` and `-`, values one line of at most 256 characters',
  },
  ENROLL_RATE: {
    exit: 1,
    http: 429,
    text: 'too many requests from {network}; again in {seconds} s',
    meaning:
      'The door takes so many requests from one address; the rest is refused before it costs anything.',
    hint: 'wait; if a whole site joins through one address, raise `--enroll-rate` of the masters',
  },
  ENROLL_STREAMS_BUSY: {
    exit: 1,
    http: 503,
    text: '{count} machines wait at this door already{where}, which is the limit',
    meaning: 'Waiting for a decision over a stream is bounded; asking now and then is not.',
    hint: 'ask for the status every few seconds; `zester-peel join` does so by itself',
  },
  ENROLL_NOT_READY: {
    exit: 1,
    http: 503,
    text: 'this master is not ready yet',
    meaning: 'It has not connected to NATS or not read what is there, so it cannot answer about enrollments.',
    hint: 'ask again in some seconds, or another master',
  },
  ENROLL_NO_SUCH_PATH: {
    exit: 1,
    http: 404,
    text: 'there is nothing at this path',
    meaning: 'The door of a master serves enrollment below /api/v1/enroll and nothing else.',
    hint: 'see the wire reference for the paths',
  },
  ENROLL_METHOD: {
    exit: 1,
    http: 405,
    text: 'this path takes {methods}',
    meaning: 'The path is right and the method is not.',
    hint: 'see the wire reference for the paths',
  },
  ENROLL_BODY_TOO_LARGE: {
    exit: 1,
    http: 413,
    text: 'the body is larger than {max} bytes',
    meaning: 'A request to join is small; more is not read.',
    hint: 'send less metadata',
  },
  ENROLL_BODY_TYPE: {
    exit: 1,
    http: 415,
    text: 'the body is not application/json in UTF-8',
    meaning: 'The door reads JSON, uncompressed, and nothing else.',
    hint: 'send it with content-type application/json',
  },
  ENROLL_NO_CA: {
    exit: 1,
    http: 404,
    text: 'this master has no CA to hand out',
    meaning:
      'Its certificates come from elsewhere (`--enroll-cert`, no CA in its auth directory). Machines join all the same, but need the CA file of the NATS servers and their addresses from somewhere else, and their pin cannot be compared with ours.',
    hint: 'join with --ca and --nats-url, or give the masters a CA with `zester ca init`',
  },
  ENROLL_NO_CERTIFICATE: {
    exit: 1,
    http: 500,
    text: 'there is no certificate to serve enrollment with: no CA in {dir}, and no --enroll-cert',
    meaning:
      'Machines join over HTTPS. A master makes its own certificate where it has a CA; otherwise it must be given one.',
    hint: 'give --enroll-cert and --enroll-key, copy the directory ca of another master, or serve none with `--enroll-addr off`',
  },
  ENROLL_CERTIFICATE: {
    exit: 1,
    http: 500,
    text: 'enrollment cannot be served with {file}: {reason}',
    meaning: 'The certificate or key that was given for the door cannot be used.',
    hint: 'give a chain and its key in PEM with --enroll-cert and --enroll-key',
  },
  ENROLL_ADDRESS: {
    exit: 1,
    http: 500,
    text: 'enrollment cannot be served at {address}: {reason}',
    meaning: 'The address that was asked for cannot be had, or the file that names it cannot be written.',
    hint: 'choose another with --enroll-addr, or off',
  },
} as const satisfies Record<string, ErrorSpec>;
