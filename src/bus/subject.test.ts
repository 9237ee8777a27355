import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { subjectMatches } from '../wire/names/subjects.ts';
import { filterCovers, isLiteralSubject, isSubjectFilter } from './subject.ts';

const token = fc.constantFrom('a', 'b', 'c');
const subject = fc.array(token, { minLength: 1, maxLength: 5 }).map((tokens) => tokens.join('.'));
const filter = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', '*'), { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([tokens, tail]) => [...tokens, ...(tail ? ['>'] : [])].join('.'));

describe('subjects', () => {
  it.each(['a', 'a.b', '$KV.facts.web-01', 'zester.job.x.return.web_01', '_INBOX.x.1'])(
    '%s is a literal',
    (text) => {
      expect([isLiteralSubject(text), isSubjectFilter(text)]).toEqual([true, true]);
    },
  );

  it.each(['a.*', 'a.>', '*', '>'])('%s is a filter and no literal', (text) => {
    expect([isLiteralSubject(text), isSubjectFilter(text)]).toEqual([false, true]);
  });

  it.each(['', '.', 'a.', '.a', 'a..b', 'a b', 'a\tb', 'a\r\nb', 'a\u0000b', '>.a', 'x'.repeat(1_025)])(
    '%j is neither',
    (text) => {
      expect([isLiteralSubject(text), isSubjectFilter(text)]).toEqual([false, false]);
    },
  );

  it('what a covered filter matches, the covering one matches too', () => {
    fc.assert(
      fc.property(filter, filter, subject, (outer, inner, name) => {
        if (filterCovers(outer, inner) && subjectMatches(inner, name))
          expect(subjectMatches(outer, name)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  it('every filter covers itself, > covers all, and none covers more than it matches', () => {
    fc.assert(
      fc.property(filter, subject, (each, name) => {
        expect([filterCovers(each, each), filterCovers('>', each)]).toEqual([true, true]);
        expect(filterCovers(each, name)).toBe(subjectMatches(each, name));
      }),
    );
  });
});
