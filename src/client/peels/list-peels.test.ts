import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { ensureAssets } from '../../bus/assets.ts';
import { openBus } from '../../bus/bus.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { ALL_STREAMS } from '../../wire/names/streams.ts';
import { factsCodec } from '../../wire/records/facts.ts';
import { peelHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import { findPeel, listPeels } from './list-peels.ts';

/** A store in which one peel is well, and a client that reads it. */
async function makeWorld() {
  const clock = virtualClock();
  const random = seededRandom(3);
  const runtime = { clock, random, log: jsonLog({ clock, write: () => undefined, level: 'error' }) };
  const bus = openBus(new MemoryServer({ clock, random }).connect({ role: 'master', name: 'm' }), runtime);
  const settled = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const watched = work.finally(() => {
      isDone = true;
    });
    watched.catch(() => undefined);
    while (!isDone) await clock.advance(5);
    return watched;
  };
  await settled(bus.connected());
  const buckets = [BUCKETS.facts, BUCKETS.peelHeartbeat];
  await settled(ensureAssets(bus, { buckets, streams: ALL_STREAMS, objectStores: [] }, 1));
  const put = (bucket: 'facts' | 'peelHeartbeat', key: string, value: Uint8Array) =>
    settled(bus.bucket(BUCKETS[bucket].name).put(key, value));
  await put('facts', 'web_example_com', factsCodec.encode({ os: 'linux' }));
  await put('peelHeartbeat', 'web_example_com', peelHeartbeatCodec.encode(peelHeartbeatCodec.create({})));
  return { client: clientOf(bus, runtime), put, settled };
}

describe('the list of peels', () => {
  it('names what a hostile peel wrote as unreadable, and has it and the others all the same', async () => {
    const { client, put, settled } = await makeWorld();
    await put('facts', 'evil', Uint8Array.of(0xc1));
    await put('peelHeartbeat', 'evil', new TextEncoder().encode('\u001b[2J'));
    const peels = await settled(listPeels(client));
    expect(peels.map(({ id, facts, unreadable }) => ({ id, facts, unreadable }))).toEqual([
      {
        id: 'evil',
        facts: {},
        unreadable: [
          { kind: 'facts', key: 'evil', problem: expect.stringContaining('Facts') },
          { kind: 'heartbeat', key: 'evil', problem: expect.stringContaining('PeelHeartbeat') },
        ],
      },
      { id: 'web_example_com', facts: { os: 'linux' }, unreadable: [] },
    ]);
    expect((await settled(findPeel(client, 'evil'))).heartbeatAgeMs).toBeGreaterThanOrEqual(0);
  });

  it('whatever bytes one peel writes, the other is listed as it is', async () => {
    const { client, put, settled } = await makeWorld();
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.integer({ min: 1, max: 1_000 }).map((depth) => new Uint8Array(depth).fill(0x91)),
      fc.json().map((json) => factsCodec.encode({ json })),
    );
    await fc.assert(
      fc.asyncProperty(bytes, bytes, async (facts, beat) => {
        await put('facts', 'evil', facts);
        await put('peelHeartbeat', 'evil', beat);
        const peels = await settled(listPeels(client));
        expect(peels.map(({ id }) => id)).toEqual(['evil', 'web_example_com']);
        expect(peels[1]).toMatchObject({ facts: { os: 'linux' }, unreadable: [] });
      }),
      { numRuns: 60 },
    );
  });
});

describe('a peel', () => {
  it('is found by its id and by its name with dots; of a mistyped one the nearest is told', async () => {
    const { client, settled } = await makeWorld();
    for (const name of ['web_example_com', 'web.example.com'])
      expect((await settled(findPeel(client, name))).id).toBe('web_example_com');
    await expect(settled(findPeel(client, 'web_exmple_com'))).rejects.toMatchObject({
      code: 'CLI_PEEL_UNKNOWN',
      message: expect.stringContaining('did you mean web_example_com?'),
    });
  });

  it('is not waited for when nobody wants to know any more', async () => {
    const { client } = await makeWorld();
    const leaving = new AbortController();
    const left = listPeels({ ...client, signal: leaving.signal });
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
  });
});
