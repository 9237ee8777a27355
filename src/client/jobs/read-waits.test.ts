import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { ensureAssets } from '../../bus/assets.ts';
import { openBus } from '../../bus/bus.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import { newKsuid } from '../../runtime/ids.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { ALL_STREAMS } from '../../wire/names/streams.ts';
import { jobAckSubject, jobReturnSubject } from '../../wire/names/subjects.ts';
import { jobCodec } from '../../wire/records/job.ts';
import { ackCodec, rowCodec } from '../../wire/records/job-return.ts';
import { readWaits } from './read-waits.ts';

const [A, B, STRANGER] = ['a', 'b', 'stranger'] as unknown as [PeelId, PeelId, PeelId];
const FIRST = '2hPx2Kd8VnR7YmWqTz4PLsCfNjA';

type Said = readonly [peel: PeelId, behind: string | 'returns'];

/** What is told of a job of `a` and `b` whose targets have said this, in this order. */
async function waitsAfter(said: readonly Said[], status: 'running' | 'complete' = 'running') {
  const clock = virtualClock();
  const random = seededRandom(3);
  const runtime = { clock, random, log: jsonLog({ clock, write: () => undefined, level: 'error' }) };
  const server = new MemoryServer({ clock, random });
  const settled = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const watched = work.finally(() => {
      isDone = true;
    });
    watched.catch(() => undefined);
    while (!isDone) await clock.advance(5);
    return watched;
  };
  const bus = openBus(server.connect({ role: 'master', name: 'm' }), runtime);
  await settled(bus.connected());
  await settled(ensureAssets(bus, { buckets: [], streams: ALL_STREAMS, objectStores: [] }, 1));
  const jid = newKsuid(clock, random) as Jid;
  for (const [peelId, behind] of said)
    await settled(
      behind === 'returns'
        ? bus.append(
            jobReturnSubject(jid, peelId),
            rowCodec.encode(rowCodec.create({ jid, peelId, success: true })),
            {},
          )
        : bus.append(jobAckSubject(jid, peelId), ackCodec.encode({ jid, peelId, timestamp: 1n, behind }), {}),
    );
  const job = jobCodec.create({ jid, function: 'test.ping', targets: [A, B], status });
  return (await settled(readWaits(clientOf(bus, runtime), [job]))).get(jid);
}

describe('what a job waits behind, by what its targets have said', () => {
  it.each<[what: string, said: readonly Said[], behind: readonly string[] | undefined]>([
    ['nothing', [], undefined],
    ['one has it in its queue', [[A, FIRST]], [FIRST]],
    [
      'one has it in its queue, one has returned without an ack',
      [
        [A, FIRST],
        [B, 'returns'],
      ],
      undefined,
    ],
    [
      'one runs it, one has it in its queue',
      [
        [B, ''],
        [A, FIRST],
      ],
      undefined,
    ],
    [
      'the newest says that it runs',
      [
        [A, FIRST],
        [B, ''],
      ],
      undefined,
    ],
    [
      'both have it in their queues',
      [
        [A, FIRST],
        [B, 'direct'],
      ],
      [FIRST, 'direct'],
    ],
    [
      'one that is no target says that it runs',
      [
        [A, FIRST],
        [STRANGER, ''],
      ],
      [FIRST],
    ],
  ])('%s', async (_, said, behind) => {
    expect(await waitsAfter(said)).toEqual(behind);
  });

  it('a job that has ended waits for nothing', async () => {
    expect(await waitsAfter([[A, FIRST]], 'complete')).toBeUndefined();
  });
});
