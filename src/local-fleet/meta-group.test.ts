import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type GroupView, hasLeader, isWhole, leftOut } from './meta-group.ts';

const view = (
  server: string,
  leader: string,
  size: number,
  inStep = 0,
  others: readonly string[] = [],
): GroupView => ({ server, leader, size, inStep, others });
const WHOLE = [view('a', 'a', 3, 2), view('b', 'a', 3), view('c', 'a', 3)];

it('a group is whole when all name one leader that has all the others in step', () => {
  expect(isWhole(WHOLE, 3)).toBe(true);
  expect(isWhole(WHOLE.slice(0, 2), 3)).toBe(false);
  expect(isWhole([view('a', 'a', 3, 1), ...WHOLE.slice(1)], 3)).toBe(false);
});

it('two that have formed a group without the third are not a whole one', () => {
  expect(isWhole([view('a', 'a', 2, 1), view('b', 'a', 2), view('c', 'a', 2)], 3)).toBe(false);
  expect(isWhole([view('a', 'a', 2, 1), view('b', 'a', 2)], 3)).toBe(false);
});

it('a server that is there and that the leader does not count is left out', () => {
  const two = [view('a', 'a', 2, 1, ['b']), view('b', 'a', 2)];
  expect(leftOut([...two, view('c', 'a', 2)])).toEqual(['c']);
  expect(leftOut(two)).toEqual([]);
  expect(leftOut([view('a', 'a', 3, 2, ['b', 'c']), view('b', 'a', 3), view('c', 'a', 3)])).toEqual([]);
  // Without the word of a leader nobody is known to be outside.
  expect(leftOut([view('b', 'a', 2), view('c', 'a', 2)])).toEqual([]);
});

it('there is no leader while nobody answers, some know none, or they name two', () => {
  expect(hasLeader([])).toBe(false);
  expect(hasLeader([view('a', 'a', 2), view('b', '', 2)])).toBe(false);
  expect(hasLeader([view('a', 'a', 2), view('b', 'b', 2)])).toBe(false);
  expect(hasLeader([view('a', 'b', 2), view('b', 'b', 2)])).toBe(true);
});

it('any one thing that is wrong is seen', () => {
  const wrong: readonly ((each: GroupView) => GroupView)[] = [
    (each) => ({ ...each, leader: '' }),
    (each) => ({ ...each, leader: 'x' }),
    (each) => ({ ...each, size: 2 }),
  ];
  fc.assert(
    fc.property(fc.nat(2), fc.constantFrom(...wrong), (at, spoil) => {
      expect(
        isWhole(
          WHOLE.map((each, i) => (i === at ? spoil(each) : each)),
          3,
        ),
      ).toBe(false);
    }),
  );
});
