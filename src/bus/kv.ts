/**
 * Key-value buckets on a stream: the key is the last part of the subject, the value the newest message on it, the
 * revision its sequence. The store allows one writer per revision; that is the fence everything else builds on.
 *
 * A write that times out may have happened: the caller re-reads before it concludes anything. `create` wins over a
 * deletion mark by a second, fenced try, so two creators can never both win.
 */
import { EXPECTED_LAST_SUBJECT_SEQUENCE_HEADER, KV_OPERATION_HEADER } from '../wire/headers.ts';
import { KV_DELETE, streamInfoSubject, streamPurgeSubject } from '../wire/jetstream.ts';
import { kvStreamName, kvSubject } from '../wire/store-subjects.ts';
import type { BusParts } from './bus-parts.ts';
import { NO_BYTES, NO_HEADERS } from './connection.ts';
import { readStream } from './ephemeral-read.ts';
import { keyOf, readOf } from './kv-read.ts';
import { watchFilter } from './kv-watch-filter.ts';
import { watchKeys } from './kv-watch-keys.ts';
import type { Bucket, CasOutcome, Headers, KvEntry, KvRead } from './port.ts';
import { checkFilter, checkLiteral } from './subject.ts';

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
    async put(key, value) {
      return (await api.store(subjectOf(key), value, NO_HEADERS)).sequence;
    },
    async create(key, value) {
      const first = await writeIf(key, value, expecting(0));
      if (first.won) return first;
      const now = await getLatest(key);
      return now.found || now.revision === 0 ? { won: false } : writeIf(key, value, expecting(now.revision));
    },
    update: (key, value, revision) => writeIf(key, value, expecting(revision)),
    delete: (key, options = {}) => writeIf(key, NO_BYTES, deletion(options.revision)),
    async erase(key) {
      await writeIf(key, NO_BYTES, deletion(undefined));
      await api.call(streamPurgeSubject(stream), { filter: subjectOf(key), keep: 1 });
    },
    keys: async (filter = EVERY_KEY) => (await list(filter, true)).map((entry) => entry.key),
    entries: (filter = EVERY_KEY) => list(filter, false),
    async history(key) {
      const past: KvRead[] = [];
      await readStream(parts, stream, { filter: subjectOf(key) }, (message) =>
        past.push(readOf(key, message)),
      );
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

  /**
   * Reading through a consumer is fast but may happen on a replica that lags; which keys there are the leader decides,
   * and those that the reading missed are fetched from it one by one. A value may be some milliseconds old.
   */
  async function list(filter: string, headersOnly: boolean): Promise<KvEntry[]> {
    const subject = filterOf(filter);
    const found = new Map<string, KvRead>();
    await readStream(parts, stream, { filter: subject, lastPerSubject: true, headersOnly }, (message) => {
      const key = keyOf(bucket, message.subject);
      found.set(key, readOf(key, message));
    });
    const known = new Set(await leaderKeys(subject));
    for (const key of known) if (!found.has(key)) found.set(key, await getLatest(key));
    for (const key of [...found.keys()]) if (!known.has(key)) found.delete(key);
    return [...found.values()].filter((read) => read.found).sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async function leaderKeys(subject: string): Promise<string[]> {
    const keys: string[] = [];
    for (let offset = 0; ; ) {
      const info = await api.call(streamInfoSubject(stream), { subjects_filter: subject, offset });
      const subjects = Object.keys(
        ((info.state as { subjects?: object } | undefined)?.subjects ?? {}) as object,
      );
      for (const each of subjects) keys.push(keyOf(bucket, each));
      offset += subjects.length;
      if (subjects.length === 0 || offset >= Number(info.total ?? 0)) return keys;
    }
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
