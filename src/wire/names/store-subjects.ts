/**
 * Store subjects are those below JetStream: where a key or an object lives, how it is read without a consumer, where hints
 * about changes arrive. Only bus/ and grants use these.
 *
 * A hint says that a key may have changed. A hostile peel can forge one for other peels, so a reader does not trust it: it
 * reads the key again by direct get and compares revisions. Except masters, of the buckets with whole hints (buckets.ts).
 */
import { isKey } from './keys.ts';
import { SUBJECT_CHARS_MAX } from './subjects.ts';

export const kvStreamName = (bucket: string): string => `KV_${bucket}`;
/** Where the values of a key are stored; `>` for the whole bucket. Publishing here is a put. */
export const kvSubject = (bucket: string, key: string): string => `$KV.${bucket}.${key}`;

/** Where the server republishes every write of a bucket with hints, without the value or whole. */
export const hintSubject = (bucket: string, key: string): string => `zester.kv.${bucket}.${key}`;

/** Bucket and key of a hint; undefined when it is none. */
export function parseHintSubject(
  subject: string,
): { readonly bucket: string; readonly key: string } | undefined {
  if (subject.length > SUBJECT_CHARS_MAX) return undefined;
  const [, bucket, key] = /^zester\.kv\.([a-zA-Z0-9_-]+)\.(.+)$/s.exec(subject) ?? [];
  return bucket !== undefined && key !== undefined && isKey(key) ? { bucket, key } : undefined;
}

/** The bucket and key of a stored value; undefined for another subject. */
export function parseKvSubject(
  subject: string,
): { readonly bucket: string; readonly key: string } | undefined {
  const [prefix, bucket, ...key] = subject.split('.');
  return prefix !== '$KV' || bucket === undefined || key.length === 0
    ? undefined
    : { bucket, key: key.join('.') };
}

export const objectStreamName = (store: string): string => `OBJ_${store}`;
/** Name, size, digest and chunk id of an object. The name is base64url with padding, as the NATS clients write it. */
export const objectMetaSubject = (store: string, encodedName: string): string =>
  `$O.${store}.M.${encodedName}`;
/** The pieces of an object, in order of sequence. */
export const objectChunkSubject = (store: string, nuid: string): string => `$O.${store}.C.${nuid}`;

/** Newest message of one subject. The subject is part of this one, so it can be granted key by key. */
export const directGetLastSubject = (stream: string, subject: string): string =>
  `$JS.API.DIRECT.GET.${stream}.${subject}`;
/** Any message of a stream: sequence and filter stand in the body, so a grant opens the whole stream. */
export const directGetSubject = (stream: string): string => `$JS.API.DIRECT.GET.${stream}`;

/** Where answers to a client arrive. A peel gets its own prefix, so that it cannot listen to another's answers. */
export const inboxPrefix = (name: string): string => `_INBOX.${name}`;
