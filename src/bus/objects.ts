/**
 * Objects are values too large for one message, kept in chunks. The layout is the NATS object store's, so that its tools
 * can read ours; reading needs no consumer, so a peel can do it.
 *
 * Chunks are written first under a fresh id, the meta message last, by compare-and-set on the one that was there before: a
 * reader sees the old object or the new one, never a mix, and a put that slept cannot replace what came after it. Dying
 * between them leaves chunks that no object has; `list` tells them, and who knows that nobody needs them any more takes
 * them away. Dying within a delete leaves such chunks too, and a small mark that the object is gone. Every read checks
 * size and SHA-256.
 */
import { createHash } from 'node:crypto';
import { isZesterError, zesterError } from '../core/errors/zester-error.ts';
import { concurrentMap } from '../runtime/concurrent-map.ts';
import { EXPECTED_LAST_SUBJECT_SEQUENCE_HEADER, ROLLUP_HEADER } from '../wire/names/headers.ts';
import { streamPurgeSubject } from '../wire/names/jetstream.ts';
import { objectChunkSubject, objectMetaSubject, objectStreamName } from '../wire/names/store-subjects.ts';
import type { BusParts } from './bus-parts.ts';
import { NO_HEADERS } from './connection.ts';
import type { Appended, Objects, StoredMessage, StoredObject } from './port.ts';
import { readSubjects } from './stream/stream-subjects.ts';

const CHUNK_BYTES = 128 * 1024;
const ROLLUP_SUBJECT = 'sub';
const READS_AT_ONCE = 16;

interface ObjectMeta {
  readonly name: string;
  readonly nuid: string;
  readonly size: number;
  readonly chunks: number;
  readonly digest: string;
  readonly deleted?: boolean;
}

interface StoredMeta extends ObjectMeta {
  readonly revision: number;
}

interface Contents {
  readonly metas: readonly StoredMeta[];
  /** Number of chunks by id. */
  readonly counts: ReadonlyMap<string, number>;
  readonly loose: readonly string[];
}

export function openObjects(parts: BusParts, store: string): Objects {
  const { api } = parts;
  const stream = objectStreamName(store);
  const metaSubject = (name: string) => objectMetaSubject(store, base64url(Buffer.from(name)));

  function metaIn(name: string, stored: StoredMessage | undefined): StoredMeta | undefined {
    if (stored === undefined) return undefined;
    const meta = parseMeta(stored.data, `${store}/${name}`);
    return meta.deleted === true ? undefined : { ...meta, revision: stored.sequence };
  }

  /** Before a change the leader is asked: a replica that lags would have us leave old chunks behind. */
  const latest = (name: string) => api.leaderSelect(stream, { last_by_subj: metaSubject(name) });

  /** Undefined when the newest record of that name is not `revision` any more. */
  async function replaceMeta(meta: ObjectMeta, revision: number): Promise<Appended | undefined> {
    const headers = new Map([
      [ROLLUP_HEADER, ROLLUP_SUBJECT],
      [EXPECTED_LAST_SUBJECT_SEQUENCE_HEADER, String(revision)],
    ]);
    const bytes = Buffer.from(JSON.stringify({ bucket: store, ...meta }));
    return api.storeIf(metaSubject(meta.name), bytes, headers);
  }

  async function dropChunks(nuid: string): Promise<void> {
    await api.call(streamPurgeSubject(stream), { filter: objectChunkSubject(store, nuid) });
  }

  /** How many chunks there are by id, and the meta records. In this order: what has no meta record then is loose. */
  async function readAll(): Promise<Contents> {
    const chunkCounts = await readSubjects(api, stream, objectChunkSubject(store, '*'));
    const metaSubjects = await readSubjects(api, stream, objectMetaSubject(store, '*'));
    const metas: StoredMeta[] = [];
    let isReadable = true;
    await concurrentMap(metaSubjects.keys(), READS_AT_ONCE, async (subject) => {
      try {
        const meta = metaIn(subject, await api.leaderSelect(stream, { last_by_subj: subject }));
        if (meta !== undefined && metaSubject(meta.name) === subject) metas.push(meta);
      } catch (error) {
        if (!isZesterError(error, 'BUS_BAD_DATA')) throw error;
        isReadable = false;
      }
    });
    const prefix = objectChunkSubject(store, '');
    const counts = new Map([...chunkCounts].map(([subject, count]) => [subject.slice(prefix.length), count]));
    const owned = new Set(metas.map(({ nuid }) => nuid));
    // Whose chunks belong to a record that cannot be read is not known: then none is called loose.
    const loose = isReadable ? [...counts.keys()].filter((nuid) => !owned.has(nuid)) : [];
    return { metas, counts, loose };
  }

  return {
    async get(name, { bytesMax }) {
      const meta = metaIn(name, await api.directLast(stream, metaSubject(name)));
      if (meta === undefined) return undefined;
      if (meta.size > bytesMax) {
        throw zesterError('BUS_TOO_LARGE', {
          bytes: meta.size,
          what: `object ${store}/${name}`,
          max: bytesMax,
        });
      }
      return readChunks(parts, store, meta);
    },
    async put(name, data) {
      const before = await latest(name);
      const nuid = Buffer.from(parts.runtime.random.bytes(16)).toString('hex');
      const chunks = Math.ceil(data.length / CHUNK_BYTES);
      for (let i = 0; i < chunks; i++) {
        const chunk = data.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES);
        await api.store(objectChunkSubject(store, nuid), chunk, NO_HEADERS);
      }
      const meta = { name, nuid, size: data.length, chunks, digest: digestOf(data) };
      const stored = await replaceMeta(meta, before?.sequence ?? 0);
      const old = stored === undefined ? nuid : metaIn(name, before)?.nuid;
      if (old !== undefined) await dropChunks(old);
      return stored !== undefined;
    },
    async delete(name, { revision } = {}) {
      const before = metaIn(name, await latest(name));
      if (before === undefined) return true;
      if (revision !== undefined && before.revision !== revision) return false;
      const { nuid } = before;
      const mark = { name, nuid, size: 0, chunks: 0, digest: '', deleted: true };
      const marked = await replaceMeta(mark, before.revision);
      if (marked === undefined) return false;
      await dropChunks(nuid);
      await api.call(streamPurgeSubject(stream), { filter: metaSubject(name), seq: marked.sequence + 1 });
      return true;
    },
    async list() {
      const { metas, counts, loose } = await readAll();
      const objects = metas.map((meta) => storedObject(meta, counts.get(meta.nuid) ?? 0));
      return { objects: objects.sort((a, b) => (a.name < b.name ? -1 : 1)), looseChunks: [...loose].sort() };
    },
    async dropLooseChunks(ids) {
      if (ids.length === 0) return;
      const { loose } = await readAll();
      for (const id of ids) if (loose.includes(id)) await dropChunks(id);
    },
  };
}

async function readChunks(parts: BusParts, store: string, meta: ObjectMeta): Promise<Uint8Array> {
  const whole = new Uint8Array(meta.size);
  const subject = objectChunkSubject(store, meta.nuid);
  let sequence = 1;
  for (let filled = 0; filled < meta.size; ) {
    const chunk = await parts.api.directSelect(objectStreamName(store), {
      seq: sequence,
      next_by_subj: subject,
    });
    if (chunk === undefined || filled + chunk.data.length > meta.size) throw incomplete(store, meta.name);
    whole.set(chunk.data, filled);
    filled += chunk.data.length;
    sequence = chunk.sequence + 1;
  }
  if (digestOf(whole) !== meta.digest) throw incomplete(store, meta.name);
  return whole;
}

function storedObject({ name, size, chunks, digest, revision }: StoredMeta, count: number): StoredObject {
  const sha256 = Buffer.from(digest.slice(DIGEST_PREFIX.length), 'base64url').toString('hex');
  return { name, bytes: size, sha256, isWhole: count === chunks, revision };
}

/** Replaced while it was read, a replica that lags, or lost: `list` tells, by the leader's word, whether it is whole. */
function incomplete(store: string, name: string): Error {
  return zesterError('BUS_OBJECT_INCOMPLETE', { what: `object ${store}/${name}` });
}

function parseMeta(data: Uint8Array, what: string): ObjectMeta {
  try {
    const meta = JSON.parse(Buffer.from(data).toString('utf8')) as ObjectMeta;
    const sane = typeof meta.nuid === 'string' && Number.isSafeInteger(meta.size) && meta.size >= 0;
    if (sane && typeof meta.digest === 'string') return meta;
  } catch {
    // Told below, with the object's name.
  }
  throw zesterError('BUS_BAD_DATA', { what: `object ${what}`, problem: 'its meta record cannot be read' });
}

const DIGEST_PREFIX = 'SHA-256=';

function digestOf(data: Uint8Array): string {
  return `${DIGEST_PREFIX}${base64url(createHash('sha256').update(data).digest())}`;
}

/** Padded, as the other NATS clients write it. */
function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}
