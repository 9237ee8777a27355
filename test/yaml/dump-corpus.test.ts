/** What PyYAML writes, recorded by scripts/record-salt.sh: the same text, to the character. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DumpYamlOptions, dumpYaml } from '../../src/core/yaml/dump-yaml.ts';
import { decodeData } from './encoded-data.ts';

interface DumpCase {
  readonly value: unknown;
  readonly text: string;
  readonly options: {
    readonly default_flow_style: boolean | null;
    readonly sort_keys?: boolean;
    readonly indent?: number;
    readonly width?: number;
    readonly allow_unicode?: boolean;
  };
}

const FILE = join(import.meta.dirname, '../fixtures/yaml/dump.jsonl');
const CASES = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as DumpCase);

function ourOptions({ options }: DumpCase): DumpYamlOptions {
  return {
    flow: options.default_flow_style ?? 'leaves',
    sortKeys: options.sort_keys ?? true,
    allowUnicode: options.allow_unicode ?? false,
    ...(options.indent === undefined ? {} : { indent: options.indent }),
    ...(options.width === undefined ? {} : { width: options.width }),
  };
}

describe('the YAML corpus, written', () => {
  it('has thousands of values', () => {
    expect(CASES.length).toBeGreaterThan(5000);
  });

  it('is written as PyYAML writes it', () => {
    const wrong = CASES.map((theCase) => ({
      ours: dumpYaml(decodeData(theCase.value), ourOptions(theCase)),
      python: theCase.text,
    })).filter(({ ours, python }) => ours !== python);
    expect(wrong).toEqual([]);
  });
});
