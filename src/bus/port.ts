/**
 * This port is the bus as the rest of Zester sees it: one of the two ways to the outside world.
 *
 * Three rules hold for everything here.
 *  - Absent is a value, unreadable is a throw. `found: false` is what the store said; any failure to ask it throws a
 *    ZesterError (failed-call.ts tells whether the call may still have had an effect).
 *  - Losing a compare-and-set is a value (`won: false`), because it is a normal outcome.
 *  - Callbacks must only note and return. What they throw is logged and does not stop the bus.
 *
 * Peels see `AgentBus` only (decision 23c): their account has no consumers and no listing.
 */

import type { ConsumerSpec } from '../wire/names/streams.ts';

export type Headers = ReadonlyMap<string, string>;

export interface Message {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: Headers;
  /** Where an answer is awaited; undefined when nobody waits for one. */
  readonly reply: string | undefined;
}

export interface PublishOptions {
  readonly headers?: Headers;
  readonly reply?: string;
}

export interface RequestOptions {
  readonly timeoutMs: number;
  readonly headers?: Headers;
}

export interface Subscription {
  unsubscribe(): void;
}

/** One that the server has. */
export interface SubjectSubscription extends Subscription {
  /**
   * The way out for whoever answers requests: nothing more is asked for, but what is on its way here is still delivered.
   * Resolves when it was, or when the connection is gone.
   */
  drain(): Promise<void>;
}

export type ConnectionStatus = 'connecting' | 'connected' | 'disconnected' | 'closed';

export interface ServerFacts {
  readonly name: string;
  readonly version: string;
  readonly payloadBytesMax: number;
}

export interface AgentBus {
  status(): ConnectionStatus;
  onStatus(listener: (status: ConnectionStatus) => void): Subscription;
  /** Resolves as soon as the bus is connected; rejects when it is closed or `signal` aborts first. */
  connected(signal?: AbortSignal): Promise<void>;
  /** What the server last said of itself; undefined before the first connection. */
  server(): ServerFacts | undefined;

  /** Core NATS: at most once, nobody confirms it. Throws when not connected. */
  publish(subject: string, data: Uint8Array, options?: PublishOptions): void;
  /**
   * Resolves when the server has the subscription (at once while disconnected: it is made on connect).
   * Survives reconnects. A refusal by the server rejects with BUS_DENIED.
   */
  subscribe(
    subject: string,
    deliver: (message: Message) => void,
    options?: { queue?: string },
  ): Promise<SubjectSubscription>;
  /** The first answer. BUS_NO_RESPONDERS at once when nobody serves the subject. */
  request(subject: string, data: Uint8Array, options: RequestOptions): Promise<Message>;
  /** Stores a message in the stream that captures its subject and waits for the store's word. */
  append(subject: string, data: Uint8Array, options: AppendOptions): Promise<Appended>;

  bucket(name: string): AgentBucket;
  objects(store: string): AgentObjects;
  close(): Promise<void>;
}

export interface Bus extends AgentBus {
  bucket(name: string): Bucket;
  stream(name: string): Stream;
  objects(store: string): Objects;
  /** One call to the JetStream API, for what has no method of its own (assets, doctor). A refusal throws. */
  api(subject: string, body: object): Promise<Readonly<Record<string, unknown>>>;
  /** The same, where a refusal is one of the expected answers. */
  tryApi(subject: string, body: object): Promise<ApiOutcome>;
  /** Hears of every question that is asked again, because the store had a bad moment: an election, a lost line. */
  onRepeat(listener: (subject: string) => void): Subscription;
}

/** What JetStream said no with. */
export interface ApiRefusal {
  readonly code: number;
  readonly errorCode: number;
  readonly description: string;
}

export type ApiOutcome =
  | { readonly answer: Readonly<Record<string, unknown>> }
  | { readonly refusal: ApiRefusal };

// --- key-value -----------------------------------------------------------------------------------------------------

/** A key with a value. */
export interface KvEntry {
  readonly found: true;
  readonly key: string;
  readonly value: Uint8Array;
  /** Sequence of this write in the bucket; grows with every write to any key. */
  readonly revision: number;
  readonly writtenMs: number;
}

/** The store's word that a key has no value. */
export interface KvAbsent {
  readonly found: false;
  readonly key: string;
  /** Revision of the deletion; 0 when the key was never written or its tombstone is gone. */
  readonly revision: number;
}

export type KvRead = KvEntry | KvAbsent;

export type CasOutcome = { readonly won: true; readonly revision: number } | { readonly won: false };

export interface WatchObserver {
  /** The newest state of a key. States in between may be skipped; one is never given twice in a row. */
  readonly changed: (read: KvRead) => void;
  /** Once: everything that was there at the start has been given. */
  readonly replayed?: () => void;
  /** The watch cannot see for the moment and is trying again, or the store lost acknowledged writes. */
  readonly trouble?: (error: Error) => void;
}

export interface Watch {
  stop(): void;
}

export interface AgentBucket {
  /** Any replica may answer, so the newest write may be missing for some milliseconds; see `getLatest`. */
  get(key: string): Promise<KvRead>;
  put(key: string, value: Uint8Array, options?: { readonly timeoutMs?: number }): Promise<number>;
  /** Watches these keys by hints and re-reading; never blind for longer than one resync. */
  watchKeys(keys: readonly string[], observer: WatchObserver): Watch;
}

export interface Bucket extends AgentBucket {
  /** Asks the leader of the bucket: what is absent here was absent when it answered. */
  getLatest(key: string): Promise<KvRead>;
  /** Wins only where the key has no value. */
  create(key: string, value: Uint8Array): Promise<CasOutcome>;
  /** Wins only where `revision` is the key's newest. */
  update(key: string, value: Uint8Array, revision: number): Promise<CasOutcome>;
  delete(key: string, options?: { revision?: number }): Promise<CasOutcome>;
  /**
   * Deletes the key, and then the tombstone of the deletion with all that is older: nothing is left to be listed. What
   * is written in between stays. Where the second half does not happen, the tombstone stays until it is removed at its
   * own revision.
   */
  remove(key: string, options?: { revision?: number }): Promise<CasOutcome>;
  /** Deletes the key and every older value; only the tombstone stays. */
  erase(key: string): Promise<void>;
  /** Keys with a value, sorted, under a filter such as `active.>`. Complete by the leader's word. Reads every value. */
  keys(filter?: string): Promise<string[]>;
  /** The same with the values; any replica may tell them, so one may be some milliseconds old. */
  entries(filter?: string): Promise<KvEntry[]>;
  /** The same keys and those that were deleted and left a tombstone, sorted: one question, whatever their number. */
  keysWithDeleted(filter: string): Promise<string[]>;
  /**
   * Keys with a value by their last write, the newest first, until `visit` answers false. Costs what is visited, not what
   * there is.
   */
  byLastWrite(filter: string, visit: (entry: KvEntry) => boolean): Promise<void>;
  /** What is kept of a key's past, oldest first, deletions included. */
  history(key: string): Promise<KvRead[]>;
  watch(filter: string, observer: WatchObserver): Watch;
}

// --- streams -------------------------------------------------------------------------------------------------------

export interface AppendOptions {
  /** Fixed before the first try and the same on every retry: the store keeps one of them. Unguessable (decision 23e). */
  readonly messageId?: string;
  readonly headers?: Headers;
  readonly timeoutMs?: number;
}

export interface Appended {
  readonly stream: string;
  readonly sequence: number;
  /** An earlier try had been stored; `sequence` is that one's. */
  readonly duplicate: boolean;
}

export interface StreamState {
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly messages: number;
  readonly bytes: number;
}

export interface StoredMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: Headers;
  readonly sequence: number;
  readonly publishedMs: number;
}

export interface ReplayOptions {
  readonly filter: string;
  /** Only the newest message of each subject, as they come: in any order, and not held. */
  readonly lastPerSubject?: boolean;
}

/**
 * A message held by a consumer until it is answered. Unanswered ones come again after the ack wait; and a server that is
 * killed may forget the last acknowledgements it had confirmed, so every handler must bear a message that comes again.
 */
export interface Delivery extends StoredMessage {
  /** 1 at first; more when an earlier delivery was not acknowledged. */
  readonly deliveryCount: number;
  /** Done. Not confirmed: an ack that is lost means that the message comes again. */
  ack(): void;
  /** Not now: again after `delayMs`. */
  nak(delayMs: number): void;
  /** Still at it: starts the ack wait anew. */
  working(): void;
  /** Never again. */
  term(reason: string): void;
}

export interface Consumption {
  /** Stops pulling, waits for the handlers that run. */
  stop(): Promise<void>;
}

export interface Stream {
  state(): Promise<StreamState>;
  /** Stores only if `expected` (last sequence of the stream) still holds: the fence. */
  appendAt(subject: string, data: Uint8Array, expected: number, options: AppendOptions): Promise<CasOutcome>;
  /** The newest message under a filter, by the leader's word; undefined when there is none. One question. */
  last(filter: string): Promise<StoredMessage | undefined>;
  /**
   * Everything under a filter that is stored when it asks, in order, complete by the leader's word. What is under a
   * wildcard is held in memory until it can be put in order: for filters that match little.
   */
  replay(options: ReplayOptions, visit: (message: StoredMessage) => void): Promise<void>;
  /**
   * Works off a durable consumer: pulls only what free slots can take. `handle` must answer each delivery; the slot
   * is free when its promise settles. Goes on through reconnects and elections; `trouble` is told why it waits.
   */
  consume(
    spec: ConsumerSpec,
    options: { readonly slots: number; readonly trouble?: (error: Error) => void },
    handle: (delivery: Delivery) => Promise<void>,
  ): Consumption;
}

// --- objects -------------------------------------------------------------------------------------------------------

export interface AgentObjects {
  /** The whole object, its digest checked; undefined when there is none of that name. BUS_OBJECT_INCOMPLETE: a part is missing. */
  get(name: string, options: { readonly bytesMax: number }): Promise<Uint8Array | undefined>;
}

export interface Objects extends AgentObjects {
  /** False, and nothing is left of it, when somebody else put or deleted that name since this put began. */
  put(name: string, data: Uint8Array): Promise<boolean>;
  /** Leaves nothing of it. With a `revision`: false, and nothing is done, when the object is another by now. */
  delete(name: string, options?: { readonly revision?: number }): Promise<boolean>;
  /** Everything that is stored, by the leader's word. Reads what is known of each object, not its content. */
  list(): Promise<ObjectListing>;
  /** Takes away those of these chunks that are still loose. */
  dropLooseChunks(ids: readonly string[]): Promise<void>;
}

export interface ObjectListing {
  readonly objects: readonly StoredObject[];
  /** Ids of chunks that no object has: of a put that is under way, or of one that did not come to its end. */
  readonly looseChunks: readonly string[];
}

export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
  /** Of the content, as its writer said it; lower-case hex. */
  readonly sha256: string;
  /** All its chunks are there. */
  readonly isWhole: boolean;
  /** Another after every put of this name. */
  readonly revision: number;
}
