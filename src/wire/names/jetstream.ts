/**
 * This file has the words in which a master speaks to JetStream: API subjects, status and error codes, acknowledgements, as
 * NATS defines them.
 * What peels may use as well stands in store-subjects.ts, header names in headers.ts.
 */

export const JS_API_INFO = '$JS.API.INFO';
/** Whether a message asks the API about a stream: reading, consumers, settings. Writes go to the stream's own subjects. */
export const asksAboutStream = (subject: string, stream: string): boolean =>
  subject.startsWith('$JS.API.') && subject.split('.').includes(stream);
export const streamCreateSubject = (stream: string): string => `$JS.API.STREAM.CREATE.${stream}`;
export const streamUpdateSubject = (stream: string): string => `$JS.API.STREAM.UPDATE.${stream}`;
export const streamInfoSubject = (stream: string): string => `$JS.API.STREAM.INFO.${stream}`;
export const streamPurgeSubject = (stream: string): string => `$JS.API.STREAM.PURGE.${stream}`;
/** Answered by the stream's leader: newest state, key in the body. */
export const streamMessageSubject = (stream: string): string => `$JS.API.STREAM.MSG.GET.${stream}`;
export const consumerCreateSubject = (stream: string, consumer: string): string =>
  `$JS.API.CONSUMER.CREATE.${stream}.${consumer}`;
export const consumerDeleteSubject = (stream: string, consumer: string): string =>
  `$JS.API.CONSUMER.DELETE.${stream}.${consumer}`;
export const consumerInfoSubject = (stream: string, consumer: string): string =>
  `$JS.API.CONSUMER.INFO.${stream}.${consumer}`;
export const consumerNextSubject = (stream: string, consumer: string): string =>
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`;

/** In the system account: every server of the cluster answers, with its version, its clock and how it is set. */
export const SERVER_SETTINGS_SUBJECT = '$SYS.REQ.SERVER.PING.VARZ';
/** In the system account: every server takes the account JWT in the body, and says so. */
export const CLAIMS_UPDATE_SUBJECT = '$SYS.REQ.CLAIMS.UPDATE';
/** The same for one account. */
export const accountUpdateSubject = (account: string): string => `$SYS.REQ.ACCOUNT.${account}.CLAIMS.UPDATE`;
/** In the system account: every server answers with the JWT that it has of this account, or with nothing. */
export const accountLookupSubject = (account: string): string => `$SYS.REQ.ACCOUNT.${account}.CLAIMS.LOOKUP`;

/** In the system account: every server tells of its connections, in the order and number that the body asks for. */
export const CONNECTIONS_SUBJECT = '$SYS.REQ.SERVER.PING.CONNZ';
/** The same of one server, named by its id. */
export const serverConnectionsSubject = (server: string): string => `$SYS.REQ.SERVER.${server}.CONNZ`;
/** In the system account: the server ends one of its connections. */
export const serverKickSubject = (server: string): string => `$SYS.REQ.SERVER.${server}.KICK`;

export const KV_DELETE = 'DEL';
export const KV_PURGE = 'PURGE';

/** Status codes in the first header line of a message that the server made itself. */
export const STATUS = {
  idleHeartbeat: 100,
  badRequest: 400,
  notFound: 404,
  requestTimeout: 408,
  conflict: 409,
  noResponders: 503,
} as const;

/** `err_code` of JetStream API errors that we tell apart. */
export const JS_ERROR = {
  noSuitablePeers: 10005,
  consumerNotFound: 10014,
  messageTooLarge: 10054,
  noMessageFound: 10037,
  streamNotFound: 10059,
  streamMismatch: 10056,
  streamNameInUse: 10058,
  replicasNotSupported: 10074,
  wrongLastSequence: 10071,
  wrongLastSequenceInFlight: 10164,
  rollupNotPermitted: 10111,
} as const;

/** What a consumer writes to a delivery's reply subject. */
export const ACK = { ack: '+ACK', nak: '-NAK', working: '+WPI', term: '+TERM' } as const;

/** What the reply subject of a delivery says. */
export interface DeliveryTokens {
  readonly stream: string;
  readonly consumer: string;
  /** 1 for the first delivery. */
  readonly deliveryCount: number;
  readonly streamSequence: number;
  readonly consumerSequence: number;
  readonly publishedMs: number;
  /** Messages that match and were not delivered yet. */
  readonly pending: number;
}

/** Whether a reply subject is that of a consumer's delivery. */
export function isDeliverySubject(reply: string | undefined): boolean {
  return reply?.startsWith('$JS.ACK.') === true;
}

const ACK_TOKENS_SHORT = 9;
const ACK_TOKENS_LONG = 11;

/** Reads `$JS.ACK.…` in its short form and in the long one, which has domain and account before the stream. */
export function parseDeliverySubject(reply: string): DeliveryTokens | undefined {
  const tokens = reply.split('.');
  if (tokens[0] !== '$JS' || tokens[1] !== 'ACK') return undefined;
  if (tokens.length !== ACK_TOKENS_SHORT && tokens.length < ACK_TOKENS_LONG) return undefined;
  const [stream, consumer, ...numbers] = tokens.slice(tokens.length === ACK_TOKENS_SHORT ? 2 : 4);
  const [delivered, streamSequence, consumerSequence, , pending] = numbers.map(Number);
  const nanos = numbers[3];
  if (stream === undefined || consumer === undefined) return undefined;
  if (![delivered, streamSequence, consumerSequence, pending].every((n) => Number.isFinite(n)))
    return undefined;
  if (nanos === undefined || !/^\d{1,19}$/.test(nanos)) return undefined;
  return {
    stream,
    consumer,
    deliveryCount: delivered as number,
    streamSequence: streamSequence as number,
    consumerSequence: consumerSequence as number,
    // As a double it would round up now and then, and differ from what a direct get says.
    publishedMs: Number(BigInt(nanos) / 1_000_000n),
    pending: pending as number,
  };
}
