import { expect, test } from 'vitest';
import { MemoryServer } from '../../bus/memory/memory-server.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { Life } from './life.ts';
import { SimLink } from './sim-link.ts';

const ONE_WAY_MS = 10;

async function setUp() {
  const clock = virtualClock();
  const random = seededRandom(1);
  const server = new MemoryServer({ clock, random });
  const link = new SimLink({
    server,
    user: () => ({ role: 'admin', name: 'op' }),
    world: clock,
    random,
    life: new Life(),
    weather: () => ({ delayMs: ONE_WAY_MS, isLost: false, isDoubled: false }),
    publishCall: (_name, effect) => effect(),
  });
  await clock.advance(1);
  expect(link.status()).toBe('connected');
  return { clock, server, link };
}

/** A flush that is asked for now, and what has become of it so far. */
function flushed(link: SimLink): () => string {
  let outcome = 'under way';
  link.flush().then(
    () => {
      outcome = 'answered';
    },
    (error: { code: string }) => {
      outcome = error.code;
    },
  );
  return () => outcome;
}

test('a flush is answered after both ways', async () => {
  const { clock, link } = await setUp();
  const outcome = flushed(link);
  await clock.advance(2 * ONE_WAY_MS - 1);
  expect(outcome()).toBe('under way');
  await clock.advance(1);
  expect(outcome()).toBe('answered');
});

// A subscription waits for its flush. One that is never settled keeps a dispatch in hand for ever.
test.each([
  { way: 'there', afterMs: ONE_WAY_MS / 2 },
  { way: 'back', afterMs: ONE_WAY_MS * 1.5 },
])('a flush that is lost on its way $way rejects', async ({ afterMs }) => {
  const lose = [
    (link: SimLink) => link.cut(),
    (link: SimLink) => link.partition(),
    (link: SimLink) => void link.close(),
    (_: SimLink, server: MemoryServer) => server.stop(),
  ];
  for (const loses of lose) {
    const { clock, server, link } = await setUp();
    const outcome = flushed(link);
    await clock.advance(afterMs);
    loses(link, server);
    await clock.advance(60_000);
    expect(outcome(), String(loses)).toBe('BUS_DISCONNECTED');
  }
});

test('a flush that a short partition holds up is answered late', async () => {
  const { clock, link } = await setUp();
  const outcome = flushed(link);
  link.partition();
  await clock.advance(5_000);
  link.heal();
  await clock.advance(2 * ONE_WAY_MS);
  expect(outcome()).toBe('answered');
});
