/** What Python's `re` found (scripts/record-salt/regex_cases.py), and what our regular expressions find. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PythonError } from '../../src/core/jinja/values/value.ts';
import { templateRegex } from '../../src/core/templates/template-regex.ts';

interface RegexCase {
  readonly p: string;
  readonly f: string;
  readonly t: readonly string[];
  /** For each text: start and end of each match in code points, and its groups. */
  readonly out?: readonly (readonly (number | string | null)[])[];
  readonly err?: string;
}

/** `scripts/record-salt.sh --fresh` has new cases. */
const FOLDER = process.env.ZESTER_SALT_CASES ?? join(import.meta.dirname, '../fixtures/jinja');
const CASES = readFileSync(join(FOLDER, 'salt-regex.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as RegexCase);

describe('what Python finds', () => {
  let refused = 0;
  let answers = 0;

  it('is what we find, or we say that we cannot', () => {
    const wrong = CASES.flatMap((recorded) => {
      const { p: pattern, f: flags, t: texts, out, err } = recorded;
      return texts.flatMap((text, index) => {
        const python = err ?? out?.[index];
        const ours = found(pattern, flags, text);
        if (ours === undefined) refused += 1;
        else answers += 1;
        return ours === undefined || JSON.stringify(ours) === JSON.stringify(python)
          ? []
          : [{ pattern, flags, text, python, ours }];
      });
    });
    expect(wrong).toEqual([]);
  });

  it('is seldom refused: only what needs a backtracking engine', () => {
    expect(answers).toBeGreaterThan(0);
    expect(refused / (answers + refused)).toBeLessThan(0.1);
  });
});

/** The matches or the error; undefined where the engine says that it has no answer. */
function found(pattern: string, flags: string, text: string): RegexCase['err'] | unknown[] {
  const points = (end: number): number => [...text.slice(0, end)].length;
  try {
    const regex = templateRegex(pattern, {
      ignoreCase: flags.includes('i'),
      multiline: flags.includes('m'),
      dotAll: flags.includes('s'),
      ascii: flags.includes('a'),
    });
    return Array.from(regex.matches(text), ({ start, end, groups: [, ...groups] }) => [
      points(start),
      points(end),
      ...groups.map((group) => group ?? null),
    ]);
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    return error.type === 'NotImplementedError' ? undefined : error.message;
  }
}
