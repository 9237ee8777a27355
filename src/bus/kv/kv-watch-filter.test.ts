import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/harness/until.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { SEQUENCE_HEADER, SUBJECT_HEADER, TIME_STAMP_HEADER } from '../../wire/names/headers.ts';
import { asksAboutStream } from '../../wire/names/jetstream.ts';
import { hintSubject, kvStreamName, kvSubject } from '../../wire/names/store-subjects.ts';
import { ensureAssets } from '../assets.ts';
import { openBus } from '../bus.ts';
import { MemoryServer } from '../memory/memory-server.ts';
import type { Bus, KvRead, Watch } from '../port.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
const PEELS = 200;
const { peelHeartbeat: heartbeats, masterHeartbeat: bareHints } = BUCKETS;

const text = (read: KvRead | undefined) => (read?.found ? Buffer.from(read.value).toString() : undefined);

describe('watchFilter', () => {
  let reads: number;
  let writer: Bus;
  let seen: Map<string, KvRead>;
  let reports: KvRead[];
  let watch: Watch;
  let bucketName: string;
  const bucket = () => writer.bucket(bucketName);
  const put = (key: string, value: string) => bucket().put(key, Buffer.from(value));

  async function open(name: string): Promise<void> {
    bucketName = name;
    const random = seededRandom(1);
    const server = new MemoryServer({
      clock: systemClock,
      random,
      observer: {
        published: (by, { subject }) => {
          if (by.name === 'watcher' && asksAboutStream(subject, kvStreamName(name))) reads += 1;
        },
        stored: () => undefined,
      },
    });
    const busOf = (who: string) =>
      openBus(server.connect({ role: 'master', name: who }), { clock: systemClock, random, log: silent });
    writer = busOf('writer');
    const watcher = busOf('watcher');
    await Promise.all([writer.connected(), watcher.connected()]);
    await ensureAssets(writer, { buckets: [heartbeats, bareHints], streams: [], objectStores: [] }, 1);
    await put('first', 'there before');
    await new Promise<void>((resolve) => {
      watch = watcher.bucket(name).watch('>', {
        changed(read) {
          reports.push(read);
          seen.set(read.key, read);
        },
        replayed: resolve,
      });
    });
    await until(() => text(seen.get('first')) !== undefined, 'the replay');
  }

  beforeEach(() => {
    reads = 0;
    seen = new Map();
    reports = [];
  });
  afterEach(() => watch.stop());

  it('reads no heartbeat that the server has told it whole, neither one by one nor in bursts', async () => {
    await open(heartbeats.name);
    const before = reads;
    for (let i = 0; i < PEELS; i++) await put(`peel-${i}`, 'alone');
    await Promise.all(Array.from({ length: PEELS }, (_, i) => put(`peel-${i}`, 'together')));
    await until(() => reports.length === 1 + 2 * PEELS, 'every heartbeat');
    // What is left is the look after the replay and that of the resync timer.
    expect(reads - before).toBeLessThan(10);
    const revisions = reports.map(({ revision }) => revision);
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
  });

  it('reads what it was not told: a deletion, and goes on after it', async () => {
    await open(heartbeats.name);
    await put('second', 'one');
    await bucket().delete('second');
    await until(() => seen.get('second')?.found === false, 'the deletion');
    await put('third', 'three');
    await until(() => text(seen.get('third')) === 'three', 'what came after the deletion');
  });

  it('takes no whole hint that does not follow on what it knows, or that names another key than its own', async () => {
    await open(heartbeats.name);
    const forge = (key: string, sequence: number, subject: string) =>
      writer.publish(hintSubject(bucketName, key), Buffer.from('forged'), {
        headers: new Map([
          [SUBJECT_HEADER, subject],
          [SEQUENCE_HEADER, String(sequence)],
          [TIME_STAMP_HEADER, '2026-01-01T00:00:00Z'],
        ]),
      });
    forge('first', 1, kvSubject(bucketName, 'first'));
    forge('first', 99, kvSubject(bucketName, 'first'));
    forge('second', 2, kvSubject(bucketName, 'first'));
    await put('third', 'true');
    await until(() => text(seen.get('third')) === 'true', 'the true one');
    expect(reports.map(text)).toEqual(['there before', 'true']);
  });

  it('believes no hint of a bucket whose hints are bare, whatever they carry', async () => {
    await open(bareHints.name);
    writer.publish(hintSubject(bucketName, 'second'), Buffer.from('forged'), {
      headers: new Map([
        [SUBJECT_HEADER, kvSubject(bucketName, 'second')],
        [SEQUENCE_HEADER, '2'],
        [TIME_STAMP_HEADER, '2026-01-01T00:00:00Z'],
      ]),
    });
    await put('third', 'true');
    await until(() => text(seen.get('third')) === 'true', 'the true one');
    expect(reports.map(text)).toEqual(['there before', 'true']);
  });
});
