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
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { enrollmentCodec } from '../../wire/records/enroll/enrollment.ts';
import { factsCodec } from '../../wire/records/facts.ts';
import { type ResolveEvent, resolveTargets } from './resolve-targets.ts';

const FACTS = {
  'web-01': factsCodec.encode({ os: { name: 'linux', platform: 'ubuntu' } }),
  'web-02': factsCodec.encode({ os: { name: 'linux', platform: 'fedora' } }),
  'web-03': Uint8Array.of(0xc1),
};

const ENROLLED = enrollmentCodec.create({
  id: `enr-${'a'.repeat(27)}` as EnrollmentId,
  peelId: 'web-02' as PeelId,
  publicKey: 'U',
  state: 'active',
  tags: { role: 'db' },
  sealedFacts: { licence: '1 ENC[nkey,AA==]' },
});

describe('a target without masters', () => {
  it('is matched against the stored facts, and what cannot be read is left out', async () => {
    const { resolve } = await setUp();
    const events: ResolveEvent[] = [];
    expect(await resolve('web* and G@os:ubuntu', (event) => events.push(event))).toEqual(['web-01']);
    expect(events).toEqual([
      { kind: 'no-master' },
      {
        kind: 'unreadable',
        record: { kind: 'facts', key: 'web-03', problem: expect.stringContaining('Facts') },
      },
    ]);
  });

  it('is matched against tags, but not against facts that operators set, which only masters open', async () => {
    const { resolve } = await setUp();
    expect(await resolve('T@role:db')).toEqual(['web-02']);
    for (const target of ['T@licence', 'web* and not (G@licence.key:x or E@z)'])
      await expect(resolve(target)).rejects.toMatchObject({ code: 'CLI_TARGET_SEALED' });
  });
});

async function setUp() {
  const clock = virtualClock();
  const random = seededRandom(3);
  const runtime = { clock, random, log: jsonLog({ clock, write: () => undefined, level: 'error' }) };
  const server = new MemoryServer({ clock, random });
  const master = openBus(server.connect({ role: 'master', name: 'm' }), runtime);
  const admin = openBus(server.connect({ role: 'admin', name: 'a' }), runtime);
  const storing = (async () => {
    await master.connected();
    await ensureAssets(
      master,
      { buckets: [BUCKETS.facts, BUCKETS.enrollments], streams: [], objectStores: [] },
      1,
    );
    for (const [peel, facts] of Object.entries(FACTS))
      await master.bucket(BUCKETS.facts.name).put(peel, facts);
    await master.bucket(BUCKETS.enrollments.name).put(ENROLLED.id, enrollmentCodec.encode(ENROLLED));
  })();
  await clock.advance(1_000);
  await storing;
  const client = clientOf(admin, runtime);
  const resolve = async (target: string, onEvent?: (event: ResolveEvent) => void) => {
    const resolving = resolveTargets(client, target, onEvent);
    resolving.catch(() => undefined);
    await clock.advance(60_000);
    return resolving;
  };
  return { resolve };
}
