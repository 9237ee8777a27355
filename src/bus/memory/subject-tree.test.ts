import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { subjectMatches } from '../../wire/names/subjects.ts';
import { SubjectTree } from './subject-tree.ts';

const token = fc.constantFrom('a', 'b', 'c');
const subject = fc.array(token, { minLength: 1, maxLength: 4 }).map((tokens) => tokens.join('.'));
const pattern = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'c', '*'), { maxLength: 3 }), fc.constantFrom('a', '*', '>'))
  .map(([tokens, last]) => [...tokens, last].join('.'));

describe('subject tree', () => {
  it('finds exactly what matches one by one', () => {
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 12 }), subject, (patterns, wanted) => {
        const tree = new SubjectTree<number>();
        for (const [i, each] of patterns.entries()) tree.add(each, i);
        const expected = patterns.flatMap((each, i) => (subjectMatches(each, wanted) ? [i] : []));
        expect(tree.match(wanted).sort((a, b) => a - b)).toEqual(expected);
        expect(tree.has(wanted)).toBe(expected.length > 0);
      }),
    );
  });

  it('forgets what was deleted', () => {
    const tree = new SubjectTree<string>();
    tree.add('a.*', 'x');
    tree.add('a.*', 'y');
    tree.delete('a.*', 'x');
    expect(tree.match('a.b')).toEqual(['y']);
  });
});
