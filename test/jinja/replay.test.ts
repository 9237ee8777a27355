/**
 * Everything that was recorded from Salt (scripts/record-salt.sh), through our engine: the same output, or
 * the same error at the same line. What differs on purpose is listed in differences.ts, and nothing else is.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DIFFERENCES } from './differences.ts';
import { type Judged, judgeCase, RecordedCases } from './judge.ts';

const CASES = new RecordedCases(join(import.meta.dirname, '../fixtures/jinja'));
const FILES = [
  'statements',
  'operators',
  'filters',
  'tests',
  'methods',
  'errors',
  'salt',
  'formulas',
  'generated-expressions',
  'generated-templates',
];

describe('what Salt renders', () => {
  const judged: Judged[] = [];

  it.each(FILES)('%s', (file) => {
    const verdicts = CASES.read(file).map((recorded) => judgeCase(CASES, recorded));
    judged.push(...verdicts);
    expect(verdicts.length).toBeGreaterThan(200);
    const wrong = verdicts
      .filter(({ verdict }) => verdict === 'differs')
      .map(({ recorded, ours }) => ({
        id: recorded.id,
        template: recorded.t,
        salt: recorded.err ?? recorded.out,
        ours: 'err' in ours ? ours.err : ours.out,
      }));
    expect(wrong).toEqual([]);
  });

  it('differs still where a difference is listed', () => {
    const seen = new Set(judged.map(({ verdict }) => verdict));
    expect(DIFFERENCES.map(({ name }) => name).filter((name) => !seen.has(name))).toEqual([]);
  });

  it('differs seldom', () => {
    expect(judged.length).toBeGreaterThan(8000);
    const same = judged.filter(({ verdict }) => verdict === 'same').length;
    expect(same / judged.length).toBeGreaterThan(0.99);
  });
});
