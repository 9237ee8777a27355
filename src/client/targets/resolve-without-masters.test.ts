/** A target that is matched without masters, against the facts in the store. */
import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { ensureAssets } from '../../bus/assets.ts';
import { openBus } from '../../bus/bus.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { factsCodec } from '../../wire/records/facts.ts';
import { type ResolveEvent, resolveTargets } from './resolve-targets.ts';

const FACTS = {
  'web-01': factsCodec.encode({ os: { name: 'linux', platform: 'ubuntu' } }),
  'web-02': factsCodec.encode({ os: { name: 'linux', platform: 'fedora' } }),
  'web-03': Uint8Array.of(0xc1),
};

describe('a target without masters', () => {
  it('is matched against the stored facts, and what cannot be read is left out', async () => {
    const clock = virtualClock();
    const random = seededRandom(3);
    const runtime = { clock, random, log: jsonLog({ clock, write: () => undefined, level: 'error' }) };
    const server = new MemoryServer({ clock, random });
    const master = openBus(server.connect({ role: 'master', name: 'm' }), runtime);
    const admin = openBus(server.connect({ role: 'admin', name: 'a' }), runtime);
    const storing = (async () => {
      await master.connected();
      await ensureAssets(master, { buckets: [BUCKETS.facts], streams: [], objectStores: [] }, 1);
      for (const [peel, facts] of Object.entries(FACTS))
        await master.bucket(BUCKETS.facts.name).put(peel, facts);
    })();
    await clock.advance(1_000);
    await storing;
    const events: ResolveEvent[] = [];
    const client = clientOf(admin, runtime);
    const resolving = resolveTargets(client, 'web* and G@os:ubuntu', (event) => events.push(event));
    await clock.advance(60_000);
    expect(await resolving).toEqual(['web-01']);
    expect(events).toEqual([
      { kind: 'no-master' },
      {
        kind: 'unreadable',
        record: { kind: 'facts', key: 'web-03', problem: expect.stringContaining('Facts') },
      },
    ]);
  });
});
