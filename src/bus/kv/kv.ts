/**
 * A bucket is a key-value store on a stream: the key is the last part of the subject, the value the newest message on it,
 * the revision its sequence. The store allows one writer per revision; that is the fence everything else builds on.
 *
 * A write that times out may have happened: the caller re-reads before it concludes anything. `create` wins over a
 * tombstone by a second, fenced try, so two creators can never both win.
 */
import { EXPECTED_LAST_SUBJECT_SEQUENCE_HEADER, KV_OPERATION_HEADER } from '../../wire/names/headers.ts';
import { KV_DELETE, streamPurgeSubject } from '../../wire/names/jetstream.ts';
import { kvStreamName, kvSubject } from '../../wire/names/store-subjects.ts';
import type { BusParts } from '../bus-parts.ts';
import { NO_BYTES, NO_HEADERS } from '../connection.ts';
import type { Bucket, CasOutcome, Headers, KvEntry, KvRead } from '../port.ts';
import { readNewest, readWhole } from '../stream/stream-read.ts';
import { readSubjects } from '../stream/stream-subjects.ts';
import { checkFilter, checkLiteral } from '../subject.ts';
import { readByLastWrite } from './kv-last-writes.ts';
import { keyOf, readOf } from './kv-read.ts';
import { watchFilter } from './kv-watch-filter.ts';
import { watchKeys } from './kv-watch-keys.ts';

const EVERY_KEY = '>';

export function openBucket(parts: BusParts, bucket: string): Bucket {
  const { api } = parts;
  const stream = kvStreamName(bucket);
  const subjectOf = (key: string) => {
    const subject = kvSubject(bucket, key);
    checkLiteral(subject);
    return subject;
  };
  const filterOf = (filter: string) => {
    const subject = kvSubject(bucket, filter);
    checkFilter(subject);
    return subject;
  };

  async function writeIf(key: string, value: Uint8Array, headers: Headers): Promise<CasOutcome> {
    const stored = await api.storeIf(subjectOf(key), value, headers);
    return stored === undefined ? { won: false } : { won: true, revision: stored.sequence };
  }

  async function getLatest(key: string): Promise<KvRead> {
    return readOf(key, await api.leaderSelect(stream, { last_by_subj: subjectOf(key) }));
  }

  return {
    getLatest,
    async get(key) {
      return readOf(key, await api.directLast(stream, subjectOf(key)));
    },
    async put(key, value, options = {}) {
      return (await api.store(subjectOf(key), value, NO_HEADERS, options.timeoutMs)).sequence;
    },
    async create(key, value) {
      const first = await writeIf(key, value, expecting(0));
      if (first.won) return first;
      const now = await getLatest(key);
      return now.found || now.revision === 0 ? { won: false } : writeIf(key, value, expecting(now.revision));
    },
    update: (key, value, revision) => writeIf(key, value, expecting(revision)),
    delete: (key, options = {}) => writeIf(key, NO_BYTES, deletion(options.revision)),
    async remove(key, options = {}) {
      const deleted = await writeIf(key, NO_BYTES, deletion(options.revision));
      if (deleted.won)
        await api.call(streamPurgeSubject(stream), { filter: subjectOf(key), seq: deleted.revision + 1 });
      return deleted;
    },
    async erase(key) {
      await writeIf(key, NO_BYTES, deletion(undefined));
      await api.call(streamPurgeSubject(stream), { filter: subjectOf(key), keep: 1 });
    },
    keys: (filter = EVERY_KEY) => list(filter, ({ key }) => key),
    entries: (filter = EVERY_KEY) => list(filter, (entry) => entry),
    async keysWithDeleted(filter) {
      const subjects = await readSubjects(api, stream, filterOf(filter));
      return [...subjects.keys()].map((subject) => keyOf(bucket, subject)).sort();
    },
    byLastWrite: (filter, visit) => readByLastWrite(parts, bucket, filterOf(filter), visit),
    async history(key) {
      const past: KvRead[] = [];
      await readWhole(parts, stream, subjectOf(key), (message) => past.push(readOf(key, message)));
      return past;
    },
    watchKeys(keys, observer) {
      for (const key of keys) subjectOf(key);
      return watchKeys(parts, bucket, keys, observer);
    },
    watch(filter, observer) {
      filterOf(filter);
      return watchFilter(parts, bucket, filter, observer);
    },
  };

  async function list<T>(filter: string, keep: (entry: KvEntry) => T): Promise<T[]> {
    const found: { readonly key: string; readonly kept: T }[] = [];
    await readNewest(parts, stream, filterOf(filter), (message) => {
      const read = readOf(keyOf(bucket, message.subject), message);
      if (read.found) found.push({ key: read.key, kept: keep(read) });
    });
    return found.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ kept }) => kept);
  }
}

function expecting(revision: number): Headers {
  return new Map([[EXPECTED_LAST_SUBJECT_SEQUENCE_HEADER, String(revision)]]);
}

function deletion(revision: number | undefined): Headers {
  const headers = new Map<string, string>([[KV_OPERATION_HEADER, KV_DELETE]]);
  if (revision !== undefined) headers.set(EXPECTED_LAST_SUBJECT_SEQUENCE_HEADER, String(revision));
  return headers;
}
