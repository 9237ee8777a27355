/** This file makes buckets and streams that only a test uses. */
import { ensureAssets } from '../../../src/bus/assets.ts';
import type { Bucket, Bus } from '../../../src/bus/port.ts';
import type { BucketSpec } from '../../../src/wire/names/buckets.ts';
import type { ConsumerSpec, StreamSpec } from '../../../src/wire/names/streams.ts';
import { unique } from './fixture.ts';

export async function makeBucket(
  bus: Bus,
  spec: Partial<BucketSpec> = {},
): Promise<Bucket & { readonly name: string }> {
  const full: BucketSpec = {
    name: unique('bucket'),
    ttlMs: 0,
    history: 5,
    valueBytesMax: 0,
    bytesMax: 0,
    valuesMax: 0,
    storage: 'file',
    tier: 'critical',
    peelReads: [],
    peelWrites: [],
    peelWritable: false,
    hints: 'bare',
    doc: 'made by a test',
    ...spec,
  };
  await ensureAssets(bus, { buckets: [full], streams: [], objectStores: [] }, 1);
  return { name: full.name, ...bus.bucket(full.name) };
}

export async function makeStream(
  bus: Bus,
  spec: Partial<StreamSpec> = {},
): Promise<StreamSpec & { readonly root: string }> {
  const name = unique('stream');
  const root = `zester.test.${name}`;
  const full: StreamSpec = {
    name,
    subjects: [`${root}.>`],
    storage: 'file',
    maxAgeMs: 0,
    maxBytes: 0,
    maxMessages: 0,
    perSubjectMax: 0,
    messageBytesMax: 0,
    duplicateWindowMs: 120_000,
    tier: 'critical',
    peelWritable: false,
    doc: 'made by a test',
    ...spec,
  };
  await ensureAssets(bus, { buckets: [], streams: [full], objectStores: [] }, 1);
  return { ...full, root };
}

export function consumerOf(stream: StreamSpec, spec: Partial<ConsumerSpec> = {}): ConsumerSpec {
  return {
    name: unique('consumer'),
    stream: stream.name,
    filter: stream.subjects[0] ?? '>',
    deliver: 'all',
    ackWaitMs: 30_000,
    deliveriesMax: 5,
    ackPendingMax: 100,
    doc: 'made by a test',
    ...spec,
  };
}
