import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { OwnSign } from './own-sign.ts';

const TTL_MS = BUCKETS.masterHeartbeat.ttlMs;

describe('the sign of life of a master', () => {
  const setUp = () => {
    const clock = virtualClock();
    const sign = new OwnSign(clock);
    const beat = async (tookMs = 0) => {
      const begunMs = clock.monotonicMs();
      await clock.advance(tookMs);
      return sign.shown(begunMs);
    };
    return { clock, sign, beat };
  };

  it('protects every job for as long as there is no gap', async () => {
    const { clock, sign, beat } = setUp();
    for (let i = 0; i < 20; i++) {
      await clock.advance(TTL_MS / 3);
      expect(await beat(10)).toBe(false);
      expect(sign.mayBeTaken(0)).toBe(false);
    }
  });

  it('counts from the moment a heartbeat was sent, not from its answer', async () => {
    const { clock, sign, beat } = setUp();
    await beat(TTL_MS - 1);
    expect(sign.mayBeTaken(0)).toBe(false);
    await clock.advance(1);
    expect(sign.mayBeTaken(0)).toBe(true);
  });

  it('does not protect after a gap what was known only before it', async () => {
    const { clock, sign, beat } = setUp();
    await clock.advance(TTL_MS);
    expect(sign.mayBeTaken(0)).toBe(true);
    expect(await beat()).toBe(true);
    expect(sign.mayBeTaken(0)).toBe(true);
    // A look at the record since then is as good as ever.
    const lookedMs = clock.monotonicMs();
    for (let i = 0; i < 4; i++) {
      await clock.advance(TTL_MS / 2);
      expect(await beat()).toBe(false);
    }
    expect(sign.mayBeTaken(0)).toBe(true);
    expect(sign.mayBeTaken(lookedMs)).toBe(false);
  });

  it('may be replaced for a while by a look at the record itself', async () => {
    const { clock, sign } = setUp();
    await clock.advance(10 * TTL_MS);
    expect(sign.mayBeTaken(clock.monotonicMs() - 1)).toBe(false);
    expect(sign.mayBeTaken(clock.monotonicMs() - TTL_MS)).toBe(true);
  });
});
