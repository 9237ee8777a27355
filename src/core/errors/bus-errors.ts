/** Errors of the bus: NATS cannot be reached, or refuses what was asked of it. */
import type { ErrorSpec } from './error-spec.ts';

export const BUS_ERRORS = {
  BUS_UNREACHABLE: {
    exit: 1,
    http: 503,
    text: 'cannot reach NATS at {servers}',
    meaning: 'Nobody listens at any of the addresses, or they lead nowhere.',
    hint: 'check that the server runs and that the address is right',
  },
  BUS_CONNECT_SLOW: {
    exit: 1,
    http: 504,
    text: 'NATS at {servers} did not finish the handshake in time',
    meaning:
      'A server was there, but the connection was not made in time or broke off half way, also after several tries. That is load, on this machine or the server’s, or a network that drops packets; it says nothing about certificates.',
    hint: 'try again when the machines are less busy; servers of your own need `timeout: 30` in their `tls` block (docs/guides/nats.md)',
  },
  BUS_CERTIFICATE_TIME: {
    exit: 1,
    http: 500,
    text: 'the certificate of {servers} is {verdict} by the clock of this machine, which says {now}',
    meaning:
      'A certificate is good for a time, and by this clock it is not that time: the clock is wrong, or the certificate was not renewed.',
    hint: 'check the clock (`timedatectl`, or `date -u`); if it is right, renew the certificate with `zester ca issue` and restart the server',
  },
  BUS_CERTIFICATE: {
    exit: 1,
    http: 502,
    text: 'the certificate of NATS at {servers} does not pass with the CA {ca}',
    meaning:
      'The server’s certificate is not signed by this CA, is not good for this address, or is not valid today. Nothing was sent.',
    hint: 'give the CA that signed it (--ca, NATS_CA_FILE) and an address that stands in the certificate; `zester ca issue` makes a new one',
  },
  BUS_CA_FILE: {
    exit: 1,
    http: 500,
    text: 'the CA certificate {ca} cannot be read',
    meaning:
      'The file that the server’s certificate would be checked with is not there or not readable. Nothing was sent.',
    hint: 'name it with --ca or NATS_CA_FILE; `zester ca print` prints that of an auth directory',
  },
  BUS_CREDENTIALS: {
    exit: 1,
    http: 500,
    text: 'NATS at {servers} does not accept the credentials',
    meaning:
      'They belong to another deployment, were revoked, were signed by a key that has ended, or have expired by the clock of the server; or it is a peel that flooded NATS and is kept out for a while.',
    hint: 'check that the auth directory and the address belong to the same deployment, and the clocks of both machines; of a peel `zester doctor` and `zester enroll show` say whether it is kept out',
  },
  BUS_CREDENTIALS_EXPIRED: {
    exit: 1,
    http: 500,
    text: 'NATS at {servers} does not accept the credentials, which were good until {end}; the clock of this machine says {now}',
    meaning:
      'Credentials of a peel are good for a time and are renewed over the bus while it is connected. It was away for too long, or a clock is wrong: that of this machine, or that of the server.',
    hint: 'check the clock (`timedatectl`, or `date -u`); if it is right, a peel that joined asks a master for new ones by itself, with its key; elsewhere run `zester-peel join`',
  },
  BUS_URL_NOT_TLS: {
    exit: 1,
    http: 500,
    text: 'NATS address {url} does not use TLS',
    meaning:
      'Zester talks to NATS over TLS only; a plain nats:// address is refused before anything is sent.',
    hint: 'write tls://host:port',
  },
  BUS_URL_INVALID: {
    exit: 1,
    http: 500,
    text: 'cannot read {url} as the address of a NATS server',
    meaning:
      'An address has a part that does not belong there, such as a path, a user name or a port out of range.',
    hint: 'write tls://host:port, nothing else; credentials belong in a .creds file',
  },
  BUS_DISCONNECTED: {
    exit: 1,
    http: 503,
    text: 'not connected to NATS while calling {what}',
    meaning: 'The connection was down or closed when the call was made; the call had no effect.',
    hint: 'the client reconnects by itself; try again, or see the log for why NATS is away',
  },
  BUS_INTERRUPTED: {
    exit: 1,
    http: 503,
    text: 'the connection to NATS broke while {what} was waiting for its answer',
    meaning:
      'A request was sent and the connection was lost before the answer. Whether it had an effect is not known.',
    hint: 'try again; the operation is safe to repeat where Zester repeats it itself',
  },
  BUS_TIMEOUT: {
    exit: 1,
    http: 504,
    text: 'no answer to {what} within {ms} ms',
    meaning: 'A request was sent and nothing came back in time. Whether it had an effect is not known.',
    hint: 'try again; the operation is safe to repeat where Zester repeats it itself',
  },
  BUS_NO_RESPONDERS: {
    exit: 1,
    http: 503,
    text: 'nobody answers {what}',
    meaning:
      'The server told that no subscriber serves this subject: no master, no such peel, or JetStream has no leader.',
    hint: 'check that a master (or that peel) is running and connected to the same NATS',
  },
  BUS_DENIED: {
    exit: 1,
    http: 403,
    text: 'NATS does not permit {operation} on {subject}',
    meaning: 'The credentials in use have no grant for this subject.',
    hint: 'use credentials of the right role; see the grants in the wire reference',
  },
  BUS_TOO_LARGE: {
    exit: 1,
    http: 413,
    text: 'message of {bytes} bytes for {what} is over the limit of {max}',
    meaning: 'The server would close the connection on such a message, so it is refused before it is sent.',
    hint: 'send less, or raise max_payload on every server',
  },
  BUS_BAD_SUBJECT: {
    exit: 1,
    http: 400,
    text: 'invalid subject or key {subject}',
    meaning: 'A NATS subject or key-value key has empty tokens, blanks or misplaced wildcards.',
    hint: 'use tokens of letters, digits, - and _ joined by dots',
  },
  BUS_STORE: {
    exit: 1,
    http: 502,
    text: 'JetStream refused {what}: {reason}',
    meaning: 'JetStream answered a store operation with an error of its own.',
    hint: 'read the reason; `zester doctor` checks limits, replicas and disk',
  },
  BUS_STORE_UNAVAILABLE: {
    exit: 1,
    http: 503,
    text: 'JetStream cannot do {what} at the moment: {reason}',
    meaning:
      'JetStream has no leader for the asset, is starting, or is short of resources; nothing was changed.',
    hint: 'wait for the election to end; if it lasts, check how many servers of the cluster are up',
  },
  BUS_OBJECT_INCOMPLETE: {
    exit: 1,
    http: 503,
    text: '{what} is not whole: its chunks do not add up to its digest',
    meaning:
      'The object was replaced while it was read, the copy that answered lags, or the store has lost a part of it.',
    hint: 'if it lasts, run `zester files publish`, which writes lost files again',
  },
  BUS_STORE_MISSING: {
    exit: 1,
    http: 503,
    text: '{asset} does not exist on this NATS',
    meaning: 'A bucket, stream or consumer that Zester needs was never created or was deleted.',
    hint: 'start a master: it creates every asset it needs',
  },
  BUS_STORE_WENT_BACK: {
    exit: 1,
    http: 500,
    text: '{asset} went back from sequence {before} to {after}: acknowledged writes are lost',
    meaning:
      'The store came back older than what it had acknowledged, for example after a power cut without fsync.',
    hint: 'check the sync setting and the replicas with `zester doctor`; work acknowledged in between may have to be repeated',
  },
  BUS_SERVER_TOO_OLD: {
    exit: 1,
    http: 500,
    text: 'nats-server {version} is too old; Zester needs {floor} or newer',
    meaning: 'Older servers silently ignore settings that Zester relies on, so the connection is refused.',
    hint: 'upgrade nats-server on every node',
  },
  BUS_SETTING_IGNORED: {
    exit: 1,
    http: 500,
    text: 'the server ignored {setting} of {asset}: wanted {wanted}, got {got}',
    meaning: 'An asset was created, but the server did not take over a setting that Zester relies on.',
    hint: 'upgrade nats-server, or look for an account limit that forbids the setting',
  },
  BUS_BAD_DATA: {
    exit: 1,
    http: 502,
    text: '{what} sent an answer that makes no sense: {problem}',
    meaning: 'A reply did not have the form NATS defines; nothing was concluded from it.',
    hint: 'check that every server of the cluster runs the same, supported version',
  },
  BUS_CLOSED: {
    exit: 1,
    http: 503,
    text: 'the bus was closed while {what} was waiting',
    meaning: 'The program is stopping; the call was given up.',
    hint: 'nothing to do',
  },
} as const satisfies Record<string, ErrorSpec>;
