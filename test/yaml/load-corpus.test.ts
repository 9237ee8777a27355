/** What Salt's loader reads, recorded by scripts/record-salt.sh: the same data, or an error where it has one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeLoad, ourReading, parseLoadCases, saltsReading } from './judge-load.ts';
import { LOAD_DIFFERENCES } from './load-differences.ts';

const CASES = parseLoadCases(readFileSync(join(import.meta.dirname, '../fixtures/yaml/load.jsonl'), 'utf8'));
const verdicts = CASES.map((recorded) => ({ recorded, verdict: judgeLoad(recorded) }));

describe('the YAML corpus, read', () => {
  it('has thousands of documents, good and bad', () => {
    expect(CASES.length).toBeGreaterThan(11_000);
    expect(CASES.filter(({ error }) => error !== undefined).length).toBeGreaterThan(3_000);
  });

  it('reads as Salt does, but for the differences that are listed', () => {
    const wrong = verdicts
      .filter(({ verdict }) => verdict === 'differs')
      .map(({ recorded }) => ({ ours: ourReading(recorded.text), recorded }));
    expect(wrong).toEqual([]);
  });

  it('lists only differences that are still there', () => {
    const met = new Set(verdicts.map(({ verdict }) => verdict));
    expect(LOAD_DIFFERENCES.map(({ name }) => name).filter((name) => !met.has(name))).toEqual([]);
  });

  it('finds the same line wrong, where the meaning and not the grammar is at fault', () => {
    const both = CASES.map((recorded) => ({
      text: recorded.text,
      ours: ourReading(recorded.text),
      salt: saltsReading(recorded),
    }));
    // A text with two mistakes may be refused for either: Salt looks at keys only when it has read the whole file.
    const meant = both.filter(({ text, ours, salt }) =>
      SAME_PROBLEMS.some(
        ([inSalt, here]) =>
          salt.line !== undefined &&
          inSalt.test(salt.problem ?? '') &&
          here.test(ours.problem ?? '') &&
          !POINTS_ELSEWHERE.test(text),
      ),
    );
    expect(meant.length).toBeGreaterThan(150);
    expect(meant.filter(({ ours, salt }) => ours.line !== salt.line)).toEqual([]);
  });
});

const SAME_PROBLEMS: readonly (readonly [inSalt: RegExp, here: RegExp])[] = [
  [/^found conflicting ID/, /^the key .* is there twice|comes twice through <</s],
  [/^found unacceptable key/, /cannot be a key/],
  [/^found undefined alias/, /^there is no anchor/],
  [/^second occurrence/, /^the anchor .* is there twice/],
  [/^could not determine a constructor/, /^the tag .* is not known|has a meaning of its own/],
];

/** Characters that end a line for Salt and not for an editor; and an alias as a key, for which Salt tells the anchor. */
const POINTS_ELSEWHERE = /[\u0085\u2028\u2029]|^\*\w+ :/m;
