import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Jid, MasterId } from '../../wire/names/ids.ts';
import { masterHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import {
  findOrphans,
  judgeOwners,
  MISSES_TO_DEATH,
  NO_LOOK_BEFORE,
  type OwnerSign,
  type ScanMemory,
  signOf,
} from './dead-owners.ts';

const [A, B] = ['master-a', 'master-b'] as [MasterId, MasterId];
const here = {
  masterId: B,
  pid: 1,
  host: 'h1',
  bootId: 'boot-1',
  isProcessGone: (pid: number) => pid === 7,
};
const beat = (given: object) => masterHeartbeatCodec.create({ masterId: A, ...given });

describe('the sign of a heartbeat', () => {
  it('is alive for a heartbeat like any other, and for one that cannot be read', () => {
    expect(signOf(beat({ host: 'h2', bootId: 'boot-2', pid: 7 }), here)).toBe('alive');
    expect(signOf(undefined, here)).toBe('alive');
  });

  it('is leaving for one that says so, also when its process is gone', () => {
    expect(signOf(beat({ leaving: true }), here)).toBe('leaving');
    expect(signOf(beat({ leaving: true, host: 'h1', bootId: 'boot-1', pid: 7 }), here)).toBe('leaving');
  });

  it('is gone for a neighbour whose process is no more', () => {
    expect(signOf(beat({ host: 'h1', bootId: 'boot-1', pid: 7 }), here)).toBe('gone');
  });

  it('is gone for a predecessor whose number is ours by now, as in a container, and never for ourselves', () => {
    expect(signOf(beat({ host: 'h1', bootId: 'boot-1', pid: 1 }), here)).toBe('gone');
    expect(signOf(beat({ host: 'h1', bootId: 'boot-2', pid: 1 }), here)).toBe('alive');
    expect(signOf(beat({ masterId: B, host: 'h1', bootId: 'boot-1', pid: 1 }), here)).toBe('alive');
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

type Misses = ReadonlyMap<MasterId, number>;
const none: Misses = new Map();
const judge = (owners: MasterId[], signs: Partial<Record<string, OwnerSign>>, misses = none, counts = true) =>
  judgeOwners({ owners, signs: new Map(Object.entries(signs)) as never, misses, counts });

describe('judging owners', () => {
  it('wants two misses in a row', () => {
    const first = judge([A], {});
    expect([...first.dead]).toEqual([]);
    expect([...judge([A], {}, first.misses).dead]).toEqual([[A, 'died']]);
  });

  it('starts again when the owner was seen in between, also by a look that does not count', () => {
    for (const counts of [true, false]) {
      const first = judge([A], {});
      const seen = judge([A], { [A]: 'alive' }, first.misses, counts);
      expect([...judge([A], {}, seen.misses).dead]).toEqual([]);
    }
  });

  it('misses nobody in a look that does not count, and forgets no miss', () => {
    const first = judge([A], {});
    const early = judge([A, B], {}, first.misses, false);
    expect([...early.dead]).toEqual([]);
    expect([...judge([A, B], {}, early.misses).dead]).toEqual([[A, 'died']]);
  });

  it('counts an owner once in a look, however many jobs it has', () => {
    expect([...judge([A, A, A], {}).dead]).toEqual([]);
  });

  it('takes one that is gone or leaving at its word, in any look', () => {
    for (const counts of [true, false]) {
      const signs = { [A]: 'gone', [B]: 'leaving' } as const;
      expect([...judge([A, B], signs, none, counts).dead]).toEqual([
        [A, 'died'],
        [B, 'left'],
      ]);
    }
  });

  it('never calls an owner dead who was seen in one of the last two looks that count, or since', () => {
    const signs = fc.dictionary(fc.constantFrom<string>(A, B), fc.constant<OwnerSign>('alive'));
    const look = fc.record({ signs, counts: fc.boolean() });
    fc.assert(
      fc.property(fc.array(look, { minLength: 1, maxLength: 16 }), (looks) => {
        let misses = none;
        const missed = new Map<MasterId, number>();
        for (const { signs: seen, counts } of looks) {
          const judged = judge([A, B], seen, misses, counts);
          misses = judged.misses;
          for (const owner of [A, B]) {
            const before = missed.get(owner) ?? 0;
            missed.set(owner, owner in seen ? 0 : before + (counts ? 1 : 0));
            expect(judged.dead.has(owner)).toBe((missed.get(owner) ?? 0) >= MISSES_TO_DEATH);
          }
        }
      }),
    );
  });
});

describe('orphans', () => {
  const jobOf = (jid: string, owner: MasterId) => ({ job: { jid: jid as Jid }, owner });
  const both = new Map<MasterId, OwnerSign>([
    [A, 'alive'],
    [B, 'alive'],
  ]);
  /** Looks of master B, one after the other; what each finds to adopt. */
  function looks(
    found: readonly ReturnType<typeof jobOf>[],
    ...seen: readonly { signs?: ReadonlyMap<MasterId, OwnerSign>; counts?: boolean }[]
  ): string[][] {
    let memory: ScanMemory = NO_LOOK_BEFORE;
    return seen.map(({ signs = both, counts = true }) => {
      const look = findOrphans({ me: B, found, signs, memory, counts });
      memory = look.memory;
      return look.orphans.map(({ job, departure }) => `${job.jid} ${departure}`);
    });
  }

  it('are the jobs of dead owners, by how these went', () => {
    const jobs = [jobOf('of-a', A), jobOf('of-b', B)];
    const withoutA = new Map<MasterId, OwnerSign>([[B, 'alive']]);
    expect(looks(jobs.slice(0, 1), { signs: withoutA }, { signs: withoutA })).toEqual([[], ['of-a died']]);
    const leaving = new Map<MasterId, OwnerSign>([...both, [A, 'leaving']]);
    expect(looks(jobs, { signs: leaving })).toEqual([['of-a left']]);
  });

  it('are our own jobs that nobody here has in hand, at the second look that counts', () => {
    const own = [jobOf('of-b', B)];
    expect(looks(own, {}, {})).toEqual([[], ['of-b left']]);
    expect(looks(own, {}, { counts: false }, {})).toEqual([[], [], ['of-b left']]);
    expect(looks(own, { counts: false }, { counts: false }, {})).toEqual([[], [], []]);
  });

  it('are never jobs of a living master', () => {
    expect(looks([jobOf('of-a', A)], {}, {}, {})).toEqual([[], [], []]);
  });
});
