import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  GENERATIONS_MAX,
  type GenerationRecord,
  goodGenerations,
  nextGeneration,
  type OverlapView,
  overlapVerdict,
  provingGeneration,
  rotationRefusal,
} from './rotation-plan.ts';

const MIN = 600_000;
const MAX = 3_600_000;
const second: GenerationRecord = {
  generation: 2,
  phase: 'overlap',
  createdMs: 1_000,
  overlapMinMs: MIN,
  overlapMaxMs: MAX,
};
const final = (record: GenerationRecord): GenerationRecord => ({ ...record, phase: 'final' });
const numbers = (records: readonly GenerationRecord[]) =>
  goodGenerations(records).map(({ generation }) => generation);

describe('the generations that are good', () => {
  it('are the first one, then two while an overlap lasts, then the newest alone', () => {
    expect(numbers([])).toEqual([1]);
    expect(goodGenerations([second])).toEqual([
      { generation: 2, sinceMs: 1_000, untilMs: undefined },
      { generation: 1, sinceMs: undefined, untilMs: 1_000 + MAX },
    ]);
    expect(numbers([final(second)])).toEqual([2]);
    const third = { ...second, generation: 3, createdMs: 9_000 };
    expect(numbers([third, final(second)])).toEqual([3, 2]);
    expect(numbers([final(second), final(third)])).toEqual([3]);
  });
});

describe('a command is proven', () => {
  it('with what the peel has confirmed, and with the newest where nobody heard of it or the overlap is over', () => {
    const ask = (records: readonly GenerationRecord[], confirmed: number | undefined, nowMs = 2_000) =>
      provingGeneration(records, confirmed, nowMs);
    expect(ask([], 0)).toBe(1);
    expect(ask([second], 1)).toBe(1);
    expect(ask([second], 2)).toBe(2);
    expect(ask([second], 9)).toBe(2);
    expect(ask([second], undefined)).toBe(2);
    expect(ask([final(second)], 1)).toBe(2);
  });

  it('to a program that knows of no generations with the old one at first, and then with the new one', () => {
    expect(provingGeneration([second], 0, 1_000 + MIN / 2 - 1)).toBe(1);
    expect(provingGeneration([second], 0, 1_000 + MIN / 2)).toBe(2);
  });
});

describe('an overlap', () => {
  const view: OverlapView = {
    newest: second,
    nowMs: 1_000 + MIN,
    seenForMs: MIN,
    peelsMissing: 0,
    mastersMissing: 0,
    sealedOld: 0,
  };

  it('ends when all have confirmed, everything is sealed anew and the shortest time is over', () => {
    expect(overlapVerdict(view)).toEqual({ is: 'end', because: 'confirmed' });
    expect(overlapVerdict({ ...view, nowMs: 1_000 + MIN - 1 })).toEqual({ is: 'wait', for: 'time' });
    expect(overlapVerdict({ ...view, seenForMs: MIN - 1 })).toEqual({ is: 'wait', for: 'time' });
    expect(overlapVerdict({ ...view, peelsMissing: 1 })).toEqual({ is: 'wait', for: 'peels' });
    expect(overlapVerdict({ ...view, mastersMissing: 1 })).toEqual({ is: 'wait', for: 'masters' });
    expect(overlapVerdict({ ...view, sealedOld: 1 })).toEqual({ is: 'wait', for: 'seals' });
    expect(overlapVerdict({ ...view, sealedOld: undefined })).toEqual({ is: 'wait', for: 'seals' });
    expect(overlapVerdict({ ...view, newest: final(second) })).toEqual({ is: 'none' });
  });

  it('ends after the longest time whoever is missing, also by a clock that stands still', () => {
    const late = { ...view, peelsMissing: 5, mastersMissing: 1, sealedOld: 3 };
    expect(overlapVerdict({ ...late, nowMs: 1_000 + MAX })).toMatchObject({ is: 'end' });
    expect(overlapVerdict({ ...late, nowMs: 0, seenForMs: MAX })).toMatchObject({ is: 'end' });
  });

  it('never ends before this master has seen it for the shortest time, whatever the clocks say', () => {
    const anyView = fc.record({
      nowMs: fc.integer({ min: -MAX, max: 4 * MAX }),
      seenForMs: fc.integer({ min: 0, max: MIN - 1 }),
      peelsMissing: fc.nat(3),
      mastersMissing: fc.nat(3),
      sealedOld: fc.option(fc.nat(3), { nil: undefined }),
    });
    fc.assert(
      fc.property(anyView, (given) => {
        expect(overlapVerdict({ newest: second, ...given }).is).toBe('wait');
      }),
    );
  });
});

describe('a rotation', () => {
  it('is refused while another is under way, while a master is behind, and at the bound', () => {
    expect(rotationRefusal([], 0)).toBeUndefined();
    expect(rotationRefusal([final(second)], 0)).toBeUndefined();
    expect(rotationRefusal([second], 0)).toBe('running');
    expect(rotationRefusal([], 1)).toBe('masters');
    const many = Array.from({ length: GENERATIONS_MAX - 1 }, (_, index) =>
      final({ ...second, generation: index + 2 }),
    );
    expect(rotationRefusal(many, 0)).toBe('too many');
    expect(nextGeneration([])).toBe(2);
    expect(nextGeneration([final(second)])).toBe(3);
  });
});

/**
 * A master and a peel through any number of rotations, in any order of: rotate, the peel reads the list, the master hears the
 * heartbeat, the peel is away and comes back (reading the list first), time passes, the overlap ends when it may.
 */
type Step = 'rotate' | 'read' | 'beat' | 'away' | 'back' | 'end' | 'wait';
const steps = fc.array(fc.constantFrom<Step>('rotate', 'read', 'beat', 'away', 'back', 'end', 'wait'), {
  maxLength: 60,
});

describe('through any rotations', () => {
  it('an online peel accepts what a master proves with, and refuses what has ended', () => {
    fc.assert(
      fc.property(steps, (path) => {
        let records: GenerationRecord[] = [];
        let nowMs = 0;
        let isOnline = true;
        let has: readonly number[] = [1];
        let heard: number | undefined = 1;
        let createdMs = 0;
        const read = () => {
          has = goodGenerations(records).map(({ generation }) => generation);
        };
        for (const step of path) {
          if (step === 'wait') nowMs += MIN / 2;
          if (step === 'rotate' && rotationRefusal(records, 0) === undefined) {
            createdMs = nowMs;
            records = [...records, { ...second, generation: nextGeneration(records), createdMs }];
          }
          if (step === 'read' && isOnline) read();
          if (step === 'beat' && isOnline) heard = has[0];
          if (step === 'away') [isOnline, heard] = [false, undefined];
          if (step === 'back' && !isOnline) {
            isOnline = true;
            read();
            heard = has[0];
          }
          const newest = records.at(-1);
          if (step === 'end' && newest !== undefined) {
            const peelsMissing = isOnline && (heard ?? 0) < newest.generation ? 1 : 0;
            const verdict = overlapVerdict({
              newest,
              nowMs,
              seenForMs: nowMs - createdMs,
              peelsMissing,
              mastersMissing: 0,
              sealedOld: 0,
            });
            if (verdict.is === 'end') {
              records = [...records.slice(0, -1), final(newest)];
              // Without its word: a command names a generation that it does not know, and it reads before it refuses.
              if (verdict.because === 'time is up') read();
            }
          }
          if (isOnline) expect(has).toContain(provingGeneration(records, heard, nowMs));
          const good = numbers(records);
          expect(good.length).toBeLessThanOrEqual(2);
          if (newest?.phase === 'final') expect(good).toEqual([newest.generation]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
