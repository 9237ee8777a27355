/**
 * The trees that were recorded from Salt's state compiler (scripts/record-salt.sh), through ours: the same states with the
 * same ids, arguments and requisites, or an error on both sides. What differs on purpose is listed in differences.ts, and
 * nothing else is.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { compareCase } from './compare.ts';
import { DIFFERENCES } from './differences.ts';
import { compileCase, isThere } from './our-low-state.ts';
import { type RecordedCase, recordedTrees } from './recorded-trees.ts';

interface Judged {
  readonly name: string;
  readonly differences: readonly string[];
  readonly saltCompiles: boolean;
  /** Functions that Zester does not have yet. */
  readonly notThere: readonly string[];
}

const LISTED = new Set(DIFFERENCES.flatMap(({ cases }) => cases));

describe('state files as Salt compiles them', () => {
  const judged: Judged[] = [];

  beforeAll(async () => {
    for (const tree of recordedTrees())
      for (const recorded of tree.cases) {
        const ours = await compileCase(tree, recorded.ask);
        const name = `${tree.tree} ${String(recorded.ask)}`;
        judged.push({
          name,
          differences: compareCase(recorded, ours),
          saltCompiles: 'low' in recorded,
          notThere: notThere(recorded),
        });
      }
    console.info(shares(judged));
  });

  it('come out the same, unless the difference is listed', () => {
    expect(judged.length).toBeGreaterThan(150);
    const wrong = judged.filter(({ name, differences }) => differences.length > 0 && !LISTED.has(name));
    expect(wrong).toEqual([]);
  });

  it('differ still where a difference is listed', () => {
    const same = judged.filter(({ differences }) => differences.length === 0).map(({ name }) => name);
    expect(same.filter((name) => LISTED.has(name))).toEqual([]);
    expect([...LISTED].filter((name) => !judged.some((one) => one.name === name))).toEqual([]);
  });
});

function notThere(recorded: RecordedCase): readonly string[] {
  const functions = 'low' in recorded ? recorded.low.map(({ state, fun }) => `${state}.${fun}`) : [];
  return [...new Set(functions)].filter((name) => !isThere(name));
}

function shares(judged: readonly Judged[]): string {
  const share = (some: readonly Judged[]) => {
    const same = some.filter(({ differences }) => differences.length === 0).length;
    return `${same} of ${some.length} (${Math.round((same / some.length) * 100)} %)`;
  };
  const later = judged.filter((one) => one.notThere.length > 0);
  const functions = [...new Set(later.flatMap((one) => one.notThere))].sort();
  return [
    `state files as Salt compiles them: ${share(judged.filter(({ saltCompiles }) => saltCompiles))}`,
    `with those that Salt refuses: ${share(judged)}`,
    `with functions that are not there yet: ${share(later)}; ${functions.join(', ')}`,
  ].join('\n');
}
