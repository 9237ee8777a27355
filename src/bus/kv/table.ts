/**
 * A table is a bucket, or the part of one, whose values are records of one kind. It encodes and decodes, so that its users
 * see ids and records instead of keys and bytes.
 *
 * A read has one of three ends: `found`, `absent` (the store said so) or `unreadable` (there is something, and it is no
 * such record: a peel may write anything under its own keys). A store that does not answer throws, as everywhere on the
 * bus.
 *
 * Writes are those of the bucket. `createOrRead` and `updateOrRead` are for the writer whose answer may have been lost: a
 * write that was beaten by its own bytes has happened. They may be repeated until the outcome is known; two writers whose
 * records differ in at least one byte, as those of two masters do (each names its owner), never both win.
 */
import { decoded } from '../../wire/msgpack/decoded.ts';
import type { TableSpec } from '../../wire/records/tables.ts';
import type { AgentBus, Bus, CasOutcome, KvEntry, KvRead, Watch } from '../port.ts';

export interface Found<Id, T> {
  readonly is: 'found';
  readonly key: string;
  readonly id: Id;
  readonly value: T;
  readonly revision: number;
  readonly writtenMs: number;
}

export interface Absent<Id> {
  readonly is: 'absent';
  readonly key: string;
  readonly id: Id;
  /** Of the deletion; 0 when there never was one or its tombstone is gone. */
  readonly revision: number;
}

export interface Unreadable<Id> {
  readonly is: 'unreadable';
  readonly key: string;
  /** Undefined when the key itself is none of the table's. */
  readonly id: Id | undefined;
  readonly problem: string;
  readonly revision: number;
  readonly writtenMs: number;
}

/** Something is there. */
export type TableEntry<Id, T> = Found<Id, T> | Unreadable<Id>;
export type TableRead<Id, T> = TableEntry<Id, T> | Absent<Id>;

/** `ours`: the store has exactly what was to be written, now or from an earlier try. Otherwise what is there instead. */
export type OwnWrite<Id, T> =
  | { readonly isOurs: true; readonly revision: number }
  | { readonly isOurs: false; readonly there: TableRead<Id, T> };

export interface TableObserver<Id, T> {
  /** The newest state of a key, as a bucket's watch gives it. */
  readonly changed: (read: TableRead<Id, T>) => void;
  readonly replayed?: () => void;
  readonly trouble?: (error: Error) => void;
}

/** What a peel does with one: it writes under its own id. */
export interface AgentTable<Id, T> {
  put(id: Id, value: T, options?: { readonly timeoutMs?: number }): Promise<number>;
}

export interface Table<Id, T> extends AgentTable<Id, T> {
  get(id: Id): Promise<TableRead<Id, T>>;
  /** By the word of the leader; `get` may be some milliseconds old. */
  getLatest(id: Id): Promise<TableRead<Id, T>>;
  create(id: Id, value: T): Promise<CasOutcome>;
  update(id: Id, value: T, revision: number): Promise<CasOutcome>;
  createOrRead(id: Id, value: T): Promise<OwnWrite<Id, T>>;
  updateOrRead(id: Id, value: T, revision: number): Promise<OwnWrite<Id, T>>;
  /** Leaves no tombstone; see the bucket's `remove`. */
  remove(id: Id, options?: { readonly revision?: number }): Promise<CasOutcome>;
  /** Everything that is there, sorted by key; `filter` narrows it to a part of the table. */
  entries(filter?: string): Promise<TableEntry<Id, T>[]>;
  /** The ids with a value, sorted; a key that is no id is left out. */
  ids(): Promise<Id[]>;
  /** The same and those that were deleted and left a tombstone: one question, whatever their number. */
  idsWithDeleted(): Promise<Id[]>;
  /** By last write, the newest first, until `visit` answers false. Costs what is visited. */
  byLastWrite(visit: (entry: TableEntry<Id, T>) => boolean): Promise<void>;
  watch(observer: TableObserver<Id, T>): Watch;
  watchIds(ids: readonly Id[], observer: TableObserver<Id, T>): Watch;
}

export function openTable<Id, T>(bus: Pick<Bus, 'bucket'>, spec: TableSpec<Id, T>): Table<Id, T> {
  const bucket = bus.bucket(spec.bucket.name);
  const read = (raw: KvRead) => readRecord(spec, raw);
  const entry = (raw: KvEntry) => readEntry(spec, raw);
  const idsOf = (keys: readonly string[]) => keys.map(spec.idOf).filter((id) => id !== undefined);
  const isOurs = ({ key }: { readonly key: string }) => spec.isOther?.(key) !== true;

  async function settled(id: Id, bytes: Uint8Array, outcome: CasOutcome): Promise<OwnWrite<Id, T>> {
    if (outcome.won) return { isOurs: true, revision: outcome.revision };
    const raw = await bucket.getLatest(spec.keyOf(id));
    if (raw.found && areSame(raw.value, bytes)) return { isOurs: true, revision: raw.revision };
    return { isOurs: false, there: ofAsked(spec, id, raw) };
  }

  return {
    put: (id, value, options) => bucket.put(spec.keyOf(id), spec.codec.encode(value), options),
    get: async (id) => ofAsked(spec, id, await bucket.get(spec.keyOf(id))),
    getLatest: async (id) => ofAsked(spec, id, await bucket.getLatest(spec.keyOf(id))),
    create: (id, value) => bucket.create(spec.keyOf(id), spec.codec.encode(value)),
    update: (id, value, revision) => bucket.update(spec.keyOf(id), spec.codec.encode(value), revision),
    async createOrRead(id, value) {
      const bytes = spec.codec.encode(value);
      return settled(id, bytes, await bucket.create(spec.keyOf(id), bytes));
    },
    async updateOrRead(id, value, revision) {
      const bytes = spec.codec.encode(value);
      return settled(id, bytes, await bucket.update(spec.keyOf(id), bytes, revision));
    },
    remove: (id, options) => bucket.remove(spec.keyOf(id), options),
    entries: async (filter = spec.filter) => (await bucket.entries(filter)).filter(isOurs).map(entry),
    ids: async () => idsOf(await bucket.keys(spec.filter)),
    idsWithDeleted: async () => idsOf(await bucket.keysWithDeleted(spec.filter)),
    byLastWrite: (visit) => bucket.byLastWrite(spec.filter, (raw) => !isOurs(raw) || visit(entry(raw))),
    watch: (observer) =>
      bucket.watch(
        spec.filter,
        bytesObserver(observer, (raw) => (isOurs(raw) ? read(raw) : undefined)),
      ),
    watchIds: (ids, observer) => bucket.watchKeys(ids.map(spec.keyOf), bytesObserver(observer, read)),
  };
}

/** For peels, whose account has no listings and no compare-and-set. */
export function openAgentTable<Id, T>(
  bus: Pick<AgentBus, 'bucket'>,
  spec: TableSpec<Id, T>,
): AgentTable<Id, T> {
  const bucket = bus.bucket(spec.bucket.name);
  return { put: (id, value, options) => bucket.put(spec.keyOf(id), spec.codec.encode(value), options) };
}

function bytesObserver<Id, T>(
  { changed, ...rest }: TableObserver<Id, T>,
  read: (raw: KvRead) => TableRead<Id, T> | undefined,
) {
  return {
    ...rest,
    changed(raw: KvRead) {
      const record = read(raw);
      if (record !== undefined) changed(record);
    },
  };
}

/** Undefined for the end of a key that was never one of the table's. */
function readRecord<Id, T>(spec: TableSpec<Id, T>, raw: KvRead): TableRead<Id, T> | undefined {
  if (raw.found) return readEntry(spec, raw);
  const id = spec.idOf(raw.key);
  return id === undefined ? undefined : { is: 'absent', key: raw.key, id, revision: raw.revision };
}

function readEntry<Id, T>(
  spec: TableSpec<Id, T>,
  { key, value, revision, writtenMs }: KvEntry,
): TableEntry<Id, T> {
  const id = spec.idOf(key);
  if (id === undefined)
    return { is: 'unreadable', key, id, problem: `${spec.codec.name}: no such key`, revision, writtenMs };
  return ofBytes(spec, { key, id, revision, writtenMs }, value);
}

/** For a key that we asked for: its id is the one we have. */
function ofAsked<Id, T>(spec: TableSpec<Id, T>, id: Id, raw: KvRead): TableRead<Id, T> {
  const { key, revision } = raw;
  if (!raw.found) return { is: 'absent', key, id, revision };
  return ofBytes(spec, { key, id, revision, writtenMs: raw.writtenMs }, raw.value);
}

function ofBytes<Id, T>(
  { codec }: TableSpec<Id, T>,
  place: Omit<Found<Id, T>, 'is' | 'value'>,
  bytes: Uint8Array,
): TableEntry<Id, T> {
  const record = decoded(codec, bytes);
  return record.isReadable
    ? { is: 'found', ...place, value: record.value }
    : { is: 'unreadable', ...place, problem: record.problem };
}

function areSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
