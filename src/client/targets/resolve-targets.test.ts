import { describe, expect, it } from 'vitest';
import { clientOf } from '../../../test/harness/client-of.ts';
import { openBus } from '../../bus/bus.ts';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import { jsonLog } from '../../runtime/log.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { QUEUES, TARGET_RESOLVE_SUBJECT } from '../../wire/names/subjects.ts';
import { resolveResponseCodec } from '../../wire/records/target-resolve.ts';
import { type ResolveEvent, resolveTargets } from './resolve-targets.ts';

const PEELS = ['web-01', 'web-02'] as PeelId[];

/** What is resolved, and what people are told, when masters come back after a while and then leave so many questions alone. */
async function resolveWith({ unanswered, backMs = 0 }: { unanswered: number; backMs?: number }) {
  const clock = virtualClock();
  const random = seededRandom(3);
  const runtime = { clock, random, log: jsonLog({ clock, write: () => undefined, level: 'error' }) };
  const server = new MemoryServer({ clock, random });
  const master = openBus(server.connect({ role: 'master', name: 'm' }), runtime);
  const admin = openBus(server.connect({ role: 'admin', name: 'a' }), runtime);
  await clock.advance(1);
  let asked = 0;
  const answer = resolveResponseCodec.encode({ peels: PEELS, facts: {}, error: '', code: '' });
  const serve = () =>
    master.subscribe(
      TARGET_RESOLVE_SUBJECT,
      ({ reply = '' }) => {
        asked += 1;
        if (asked > unanswered) master.publish(reply, answer);
      },
      { queue: QUEUES.targetResolvers },
    );
  if (backMs === 0) await serve();
  else clock.after(backMs, () => void serve());
  const events: ResolveEvent[] = [];
  const resolving = resolveTargets(clientOf(admin, runtime), '*', (event) => events.push(event)).catch(
    (error: Error) => error,
  );
  await clock.advance(60_000);
  return { resolved: await resolving, events, asked };
}

describe('resolveTargets', () => {
  it('asks another master when the first one is gone with the question, and says nothing of it', async () => {
    expect(await resolveWith({ unanswered: 1 })).toEqual({ resolved: PEELS, events: [], asked: 2 });
  });

  it('waits for masters that have lost their NATS node, and says nothing of it', async () => {
    const { resolved, events } = await resolveWith({ unanswered: 0, backMs: 2_000 });
    expect({ resolved, events }).toEqual({ resolved: PEELS, events: [] });
  });

  it('does without masters when none answers, and says so', async () => {
    const { events, asked } = await resolveWith({ unanswered: 9 });
    expect(events[0]).toEqual({ kind: 'no-master' });
    expect(asked).toBe(2);
  });
});
