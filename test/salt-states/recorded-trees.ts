/** A recorded tree holds state files and the low states that Salt made of them (scripts/record-salt/record_low_states.py). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireMap } from '../../src/wire/msgpack/wire-value.ts';

export interface RecordedTree {
  readonly tree: string;
  readonly grains: WireMap;
  readonly pillar: WireMap;
  readonly files: Readonly<Record<string, string>>;
  readonly cases: readonly RecordedCase[];
}

/** `ask` is what was compiled: names of state files, or the top file. */
export type RecordedCase = { readonly ask: readonly string[] | 'top' } & (
  | { readonly low: readonly RecordedChunk[] }
  | { readonly errors: readonly string[] }
);

export interface RecordedChunk {
  readonly state: string;
  readonly fun: string;
  readonly id: string;
  readonly name: string;
  readonly sls: string;
  readonly order: number;
  /** The order as it was written; where nothing was, the number that Salt gave. */
  readonly said: number | 'first' | 'last';
  readonly args: WireMap;
  /** By kind of requisite, the states that are meant: function, id and name. */
  readonly needs: Readonly<Record<string, readonly (readonly [string, string, string])[]>>;
}

export function recordedTrees(): readonly RecordedTree[] {
  const text = readFileSync(join(import.meta.dirname, '../fixtures/salt-states/low-states.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedTree);
}
