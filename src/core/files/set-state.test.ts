import { describe, expect, it } from 'vitest';
import {
  differenceText,
  isTroubleState,
  isUnpublished,
  type SetStateWord,
  standingNote,
} from './set-state.ts';

const sight = {
  difference: { added: ['new.zy'], changed: ['web/init.zy'], removed: ['old.zy'] },
  problem: 'the manifest is a picture',
  notePath: '/var/lib/zester/master/files/states.msgpack',
};

describe('the note of a standing', () => {
  it('names what differs and what to do', () => {
    const note = standingNote({ is: 'conflict', why: 'both changed' }, sight);
    expect(note).toContain('3 files differ: new.zy, old.zy, web/init.zy');
    expect(note).toContain('zester files publish --force');
  });

  it('says where the memory of an emptied directory is', () => {
    expect(standingNote({ is: 'wait', why: 'emptied' }, sight)).toContain(sight.notePath);
  });

  it('says why what is published cannot be read', () => {
    expect(standingNote({ is: 'conflict', why: 'unreadable' }, sight)).toContain(sight.problem);
  });

  it.each([
    'not the publisher',
    'just published',
    'nothing to publish',
    'emptied',
    'both changed',
    'no common past',
    'store began anew',
    'half updated',
    'unreadable',
  ] as const)('is there for %s', (why) => {
    const standing = { is: 'conflict', why } as Parameters<typeof standingNote>[0];
    expect(standingNote(standing, sight).length).toBeGreaterThan(20);
  });
});

it('a difference is told by its first names', () => {
  const many = Array.from({ length: 9 }, (_, i) => `f${i}`);
  expect(differenceText({ added: many, changed: [], removed: [] })).toBe(
    '9 files differ: f0, f1, f2, f3, f4 and 4 more',
  );
  expect(differenceText({ added: [], changed: ['a'], removed: [] })).toBe('1 file differs: a');
});

it('what needs a person is trouble', () => {
  expect(
    (['conflict', 'broken', 'failed', 'waiting', 'empty', 'absent'] as const).filter(isTroubleState),
  ).toEqual(['conflict', 'broken', 'failed']);
});

it.each([
  ['unchanged', 3, false],
  ['published', 3, false],
  ['updated', 3, false],
  ['absent', 3, false],
  ['empty', 0, false],
  ['empty', 3, true],
  ['waiting', 3, true],
  ['conflict', 3, true],
  ['broken', 3, true],
  ['failed', 3, true],
] satisfies [SetStateWord, number, boolean][])(
  '%s at revision %i: the fleet gets something else: %s',
  (state, revision, is) => {
    expect(isUnpublished({ state, revision })).toBe(is);
  },
);
