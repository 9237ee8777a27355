/** The edit laws are what every edit of a text owes: done twice it leaves what it left the first time. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Edit, keepingForm } from '../../../src/modules/file/edit/edit-text.ts';

const LINE = fc.constantFrom(
  'a',
  '  a',
  '#a',
  '# a',
  '##a',
  'a = 1',
  'a=2',
  'A 1',
  '\tb=1',
  'b',
  '#b = 2',
  'ab',
  'x y',
  '',
  '  ',
  'start',
  'end',
  'ü',
);

/** Lines that mean something to the rules of the tests; any line end, with and without one at the end. */
export const anyFileText = fc
  .tuple(
    fc.array(LINE, { maxLength: 10 }),
    fc.constantFrom('\n', '\n', '\r\n'),
    fc.boolean(),
    fc.constantFrom('', '', '\ufeff'),
  )
  .map(
    ([lines, newline, ended, mark]) =>
      mark + lines.join(newline) + (ended && lines.length > 0 ? newline : ''),
  );

/** Rules that cannot be followed are as they are: they answer with a problem, and twice with the same. */
export function expectSettles<Rule>(rules: fc.Arbitrary<Rule>, editBy: (rule: Rule) => Edit): void {
  fc.assert(
    fc.property(anyFileText, rules, (text, rule) => {
      const once = keepingForm(text, editBy(rule));
      if (typeof once !== 'string') return;
      expect(keepingForm(once, editBy(rule))).toBe(once);
    }),
    { numRuns: 1_000 },
  );
}
