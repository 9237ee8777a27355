/** This file reads recorded YAML documents and tells whether we read each as Salt did. */
import { isZesterError } from '../../src/core/errors/zester-error.ts';
import { loadYaml } from '../../src/core/yaml/load-yaml.ts';
import { yamlData } from '../../src/core/yaml/yaml-data.ts';
import { decodeData, encodeData } from './encoded-data.ts';
import { LOAD_DIFFERENCES } from './load-differences.ts';

export interface LoadCase {
  readonly text: string;
  readonly value?: unknown;
  readonly error?: { readonly type: string; readonly problem: string; readonly line?: number };
}

export function parseLoadCases(lines: string): readonly LoadCase[] {
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LoadCase);
}

export interface Reading {
  /** Undefined: refused. */
  readonly data: string | undefined;
  readonly problem?: string;
  readonly line?: number | undefined;
}

export function ourReading(text: string): Reading {
  try {
    return { data: JSON.stringify(encodeData(yamlData(loadYaml(text, { name: 'corpus' }).root))) };
  } catch (error) {
    if (!isZesterError(error, 'YAML_INVALID')) throw error;
    return { data: undefined, problem: error.message, line: error.at?.line };
  }
}

export function saltsReading({ error, value }: LoadCase): Reading {
  if (error !== undefined) return { data: undefined, problem: error.problem, line: error.line };
  return { data: JSON.stringify(encodeData(decodeData(value))) };
}

/** `same`, the name of a listed difference, or `differs`. */
export function judgeLoad(recorded: LoadCase): string {
  const ours = ourReading(recorded.text);
  if (ours.data === saltsReading(recorded).data) return 'same';
  return LOAD_DIFFERENCES.find(({ matches }) => matches(recorded.text, ours.problem))?.name ?? 'differs';
}
