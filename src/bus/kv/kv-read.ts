/** This file reads stored messages of a bucket as keys and values. */
import { KV_OPERATION_HEADER } from '../../wire/names/headers.ts';
import { KV_DELETE, KV_PURGE } from '../../wire/names/jetstream.ts';
import { kvSubject } from '../../wire/names/store-subjects.ts';
import type { KvRead, StoredMessage } from '../port.ts';

export function keyOf(bucket: string, subject: string): string {
  return subject.slice(kvSubject(bucket, '').length);
}

/** What a stored message (or its absence) says about a key. */
export function readOf(key: string, message: StoredMessage | undefined): KvRead {
  if (message === undefined) return { found: false, key, revision: 0 };
  const operation = message.headers.get(KV_OPERATION_HEADER);
  const revision = message.sequence;
  if (operation === KV_DELETE || operation === KV_PURGE) return { found: false, key, revision };
  return { found: true, key, value: message.data, revision, writtenMs: message.publishedMs };
}
