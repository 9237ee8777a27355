import { describe, expect, it } from 'vitest';
import { changedTags } from './change-tags.ts';

const nothing = { setTags: {}, removeTags: [], setFacts: {}, removeFacts: [] };
const said = { tags: { role: 'web', rack: '7' }, facts: { pci: true } };

describe('what operators say of a peel', () => {
  it('is changed as asked, and the same change again gives the same', () => {
    const change = {
      ...nothing,
      setTags: { role: 'db' },
      removeTags: ['rack'],
      removeFacts: ['pci'],
      setFacts: { a: 1 },
    };
    const once = changedTags(said, change);
    expect(once).toEqual({ tags: { role: 'db' }, facts: { a: 1 } });
    expect(typeof once === 'string' ? once : changedTags(once, change)).toEqual(once);
  });

  it.each([
    [{ ...nothing, setTags: { 'a b': 'x' } }, 'name'],
    [{ ...nothing, setFacts: { ['x'.repeat(65)]: 1 } }, 'name'],
    [{ ...nothing, setTags: { a: '\u001b[2J' } }, 'not one line'],
    [{ ...nothing, setTags: { a: 'x\ny' } }, 'not one line'],
    [{ ...nothing, setTags: { a: 'x'.repeat(257) } }, '256'],
    [
      { ...nothing, setTags: Object.fromEntries(Array.from({ length: 63 }, (_, i) => [`t${i}`, ''])) },
      'at most 64',
    ],
  ])('%j is refused', (change, words) => {
    expect(changedTags(said, change)).toContain(words);
  });
});
