/** What PyYAML reads, recorded by scripts/record-salt.sh: the same data, or an error where it has one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isZesterError } from '../../src/core/errors/zester-error.ts';
import { loadYaml } from '../../src/core/yaml/load-yaml.ts';
import { yamlData } from '../../src/core/yaml/yaml-data.ts';
import { decodeData, encodeData } from './encoded-data.ts';
import { LOAD_DIFFERENCES } from './load-differences.ts';

interface LoadCase {
  readonly text: string;
  readonly value?: unknown;
  readonly error?: { readonly type: string; readonly problem: string; readonly line?: number };
}

const FILE = join(import.meta.dirname, '../fixtures/yaml/load.jsonl');
const CASES = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as LoadCase);

function outcome(text: string): string {
  try {
    return JSON.stringify(encodeData(yamlData(loadYaml(text, { name: 'corpus' }).root)));
  } catch (error) {
    if (!isZesterError(error, 'YAML_INVALID')) throw error;
    return 'an error';
  }
}

function expected(theCase: LoadCase): string {
  return theCase.error === undefined ? JSON.stringify(encodeData(decodeData(theCase.value))) : 'an error';
}

describe('the YAML corpus, read', () => {
  it('has thousands of documents, good and bad', () => {
    expect(CASES.length).toBeGreaterThan(4000);
    expect(CASES.filter(({ error }) => error !== undefined).length).toBeGreaterThan(500);
  });

  it('reads as PyYAML does, but for the differences that are listed', () => {
    const listed = new Set(LOAD_DIFFERENCES.flatMap(({ texts }) => texts));
    const wrong = CASES.filter((theCase) => !listed.has(theCase.text))
      .map((theCase) => ({ text: theCase.text, ours: outcome(theCase.text), python: expected(theCase) }))
      .filter(({ ours, python }) => ours !== python);
    expect(wrong).toEqual([]);
  });

  it('lists only differences that are still there', () => {
    const byText = new Map(CASES.map((theCase) => [theCase.text, theCase]));
    const gone = LOAD_DIFFERENCES.flatMap(({ texts }) => texts).filter((text) => {
      const theCase = byText.get(text);
      return theCase === undefined || outcome(text) === expected(theCase);
    });
    expect(gone).toEqual([]);
  });

  it('finds the same line wrong, where the meaning and not the grammar is at fault', () => {
    const meant = CASES.filter(
      ({ text, error }) =>
        error?.line !== undefined &&
        /^(?:duplicate key|found unhashable key|found undefined alias|second occurrence|could not determine a constructor|expected a mapping)/.test(
          error.problem,
        ) &&
        outcome(text) === 'an error',
    );
    expect(meant.length).toBeGreaterThan(20);
    const elsewhere = meant.flatMap(({ text, error }) => {
      const line = lineOf(text);
      return line === error?.line ? [] : [{ text, line, python: error?.line }];
    });
    expect(elsewhere).toEqual([]);
  });
});

function lineOf(text: string): number | undefined {
  try {
    loadYaml(text, { name: 'corpus' });
    return undefined;
  } catch (error) {
    return isZesterError(error) ? error.at?.line : undefined;
  }
}
