import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { masterHeartbeatCodec } from '../../wire/heartbeat.ts';
import type { MasterId } from '../../wire/ids.ts';
import { judgeOwners, MISSES_TO_DEATH, type OwnerSign, signOf } from './dead-owners.ts';

const [A, B] = ['master-a', 'master-b'] as [MasterId, MasterId];
const here = { host: 'h1', bootId: 'boot-1', isProcessGone: (pid: number) => pid === 7 };
const beat = (given: object) => masterHeartbeatCodec.create({ masterId: A, ...given });

describe('the sign of a heartbeat', () => {
  it('is alive for a heartbeat like any other, and for one that cannot be read', () => {
    expect(signOf(beat({ host: 'h2', bootId: 'boot-2', pid: 7 }), here)).toBe('alive');
    expect(signOf(undefined, here)).toBe('alive');
  });

  it('is gone for one that is leaving', () => {
    expect(signOf(beat({ leaving: true }), here)).toBe('gone');
  });

  it('is gone for a neighbour whose process is no more', () => {
    expect(signOf(beat({ host: 'h1', bootId: 'boot-1', pid: 7 }), here)).toBe('gone');
  });

  it.each([
    ['a living process', { host: 'h1', bootId: 'boot-1', pid: 8 }],
    ['another boot', { host: 'h1', bootId: 'boot-2', pid: 7 }],
    ['another host', { host: 'h2', bootId: 'boot-1', pid: 7 }],
    ['no boot id', { host: 'h1', bootId: '', pid: 7 }],
    ['no pid', { host: 'h1', bootId: 'boot-1', pid: 0 }],
  ])('is alive for %s', (_, given) => {
    expect(signOf(beat(given), here)).toBe('alive');
  });

  it('is alive where nobody has a boot id: no id is no proof', () => {
    expect(signOf(beat({ host: 'h1', bootId: '', pid: 7 }), { ...here, bootId: '' })).toBe('alive');
  });
});

describe('judging owners', () => {
  it('wants two misses in a row', () => {
    const first = judgeOwners([A], new Map(), new Map());
    expect([...first.dead]).toEqual([]);
    const second = judgeOwners([A], new Map(), first.misses);
    expect([...second.dead]).toEqual([A]);
  });

  it('starts again when the owner was seen in between', () => {
    const first = judgeOwners([A], new Map(), new Map());
    const seen = judgeOwners([A], new Map([[A, 'alive']]), first.misses);
    const again = judgeOwners([A], new Map(), seen.misses);
    expect([...again.dead]).toEqual([]);
  });

  it('counts an owner once in a look, however many jobs it has', () => {
    expect([...judgeOwners([A, A, A], new Map(), new Map()).dead]).toEqual([]);
  });

  it('takes one that is gone at its word', () => {
    expect([...judgeOwners([A, B], new Map([[A, 'gone']]), new Map()).dead]).toEqual([A]);
  });

  it('never calls an owner dead who was seen in one of the last two looks', () => {
    const look = fc.dictionary(fc.constantFrom<string>(A, B), fc.constantFrom<OwnerSign>('alive'));
    fc.assert(
      fc.property(fc.array(look, { minLength: 1, maxLength: 12 }), (looks) => {
        let misses: ReadonlyMap<MasterId, number> = new Map();
        looks.forEach((signs, i) => {
          const judged = judgeOwners([A, B], new Map(Object.entries(signs)) as never, misses);
          misses = judged.misses;
          const lately = looks.slice(Math.max(0, i + 1 - MISSES_TO_DEATH), i + 1);
          for (const owner of judged.dead) {
            expect(lately).toHaveLength(MISSES_TO_DEATH);
            expect(lately.some((seen) => owner in seen)).toBe(false);
          }
        });
      }),
    );
  });
});
