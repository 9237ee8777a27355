/**
 * Objects are values too large for one message, kept in chunks. The layout is the NATS object store's, so that its tools
 * can read ours; reading needs no consumer, so a peel can do it.
 *
 * Chunks are written first under a fresh id, the meta message last: a reader sees the old object or the new one, never a
 * mix. Dying between them leaves chunks that nobody points to. Every read checks size and SHA-256.
 */
import { createHash } from 'node:crypto';
import { zesterError } from '../core/errors/zester-error.ts';
import { ROLLUP_HEADER } from '../wire/names/headers.ts';
import { streamPurgeSubject } from '../wire/names/jetstream.ts';
import { objectChunkSubject, objectMetaSubject, objectStreamName } from '../wire/names/store-subjects.ts';
import type { BusParts } from './bus-parts.ts';
import { NO_HEADERS } from './connection.ts';
import type { Objects, StoredMessage } from './port.ts';

const CHUNK_BYTES = 128 * 1024;
const ROLLUP_SUBJECT = 'sub';

interface ObjectMeta {
  readonly name: string;
  readonly nuid: string;
  readonly size: number;
  readonly chunks: number;
  readonly digest: string;
  readonly deleted?: boolean;
}

export function openObjects(parts: BusParts, store: string): Objects {
  const { api } = parts;
  const stream = objectStreamName(store);
  const metaSubject = (name: string) => objectMetaSubject(store, base64url(Buffer.from(name)));

  function metaIn(name: string, stored: StoredMessage | undefined): ObjectMeta | undefined {
    if (stored === undefined) return undefined;
    const meta = parseMeta(stored.data, `${store}/${name}`);
    return meta.deleted === true ? undefined : meta;
  }

  /** Before a change the leader is asked: a replica that lags would have us leave old chunks behind. */
  async function latestMeta(name: string): Promise<ObjectMeta | undefined> {
    return metaIn(name, await api.leaderSelect(stream, { last_by_subj: metaSubject(name) }));
  }

  async function writeMeta(name: string, meta: ObjectMeta): Promise<void> {
    const headers = new Map([[ROLLUP_HEADER, ROLLUP_SUBJECT]]);
    await api.store(metaSubject(name), Buffer.from(JSON.stringify({ bucket: store, ...meta })), headers);
  }

  async function dropChunks(nuid: string): Promise<void> {
    await api.call(streamPurgeSubject(stream), { filter: objectChunkSubject(store, nuid) });
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
      const before = await latestMeta(name);
      const nuid = Buffer.from(parts.runtime.random.bytes(16)).toString('hex');
      const chunks = Math.ceil(data.length / CHUNK_BYTES);
      for (let i = 0; i < chunks; i++) {
        const chunk = data.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES);
        await api.store(objectChunkSubject(store, nuid), chunk, NO_HEADERS);
      }
      await writeMeta(name, { name, nuid, size: data.length, chunks, digest: digestOf(data) });
      if (before !== undefined) await dropChunks(before.nuid);
    },
    async delete(name) {
      const before = await latestMeta(name);
      if (before === undefined) return;
      await writeMeta(name, { ...before, size: 0, chunks: 0, digest: '', deleted: true });
      await dropChunks(before.nuid);
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
    if (chunk === undefined || filled + chunk.data.length > meta.size) throw damaged(store, meta.name);
    whole.set(chunk.data, filled);
    filled += chunk.data.length;
    sequence = chunk.sequence + 1;
  }
  if (digestOf(whole) !== meta.digest) throw damaged(store, meta.name);
  return whole;
}

/** Replaced while it was read, or a replica that lags: the caller reads again. */
function damaged(store: string, name: string): Error {
  const reason = 'its chunks do not add up to its digest';
  return zesterError('BUS_STORE_UNAVAILABLE', { what: `object ${store}/${name}`, reason });
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

function digestOf(data: Uint8Array): string {
  return `SHA-256=${base64url(createHash('sha256').update(data).digest())}`;
}

/** Padded, as the other NATS clients write it. */
function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}
