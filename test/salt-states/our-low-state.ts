/**
 * `compileCase` compiles what Salt compiled, with our compiler and for the same machine. A function that Zester does not have
 * yet is taken as one with any parameters: so the compile rules are compared for files that cannot run here yet.
 */

import type { AskedRef, Compilation } from '../../src/core/states/compile/compile-input.ts';
import { compileStates } from '../../src/core/states/compile/compile-states.ts';
import type { CompiledState } from '../../src/core/states/compiled-state.ts';
import { stateGraph } from '../../src/core/states/graph/graph.ts';
import type { StateProblem } from '../../src/core/states/state-problem.ts';
import type { StateSchemas } from '../../src/core/states/state-schema.ts';
import type { StateTree } from '../../src/core/states/state-tree.ts';
import { stateTemplates } from '../../src/core/states/template/state-templates.ts';
import { readTop } from '../../src/core/states/top/read-top.ts';
import { patternMatcher } from '../../src/core/states/top/top-pattern.ts';
import { NO_WORDS } from '../../src/core/target/operator-words.ts';
import { STATE_SCHEMAS } from '../../src/modules/state-registry.ts';
import { digest, hmac } from '../../src/runtime/digest.ts';
import { seededRandom } from '../../src/runtime/seeded-random.ts';
import type { WireMap } from '../../src/wire/msgpack/wire-value.ts';
import { parsePeelId } from '../../src/wire/names/ids.ts';
import { memoryTree } from '../harness/states/memory-tree.ts';
import type { RecordedCase, RecordedTree } from './recorded-trees.ts';

export type OurCase =
  | { readonly states: readonly CompiledState[]; readonly warnings: readonly StateProblem[] }
  | { readonly problems: readonly StateProblem[] };

const SCHEMAS: StateSchemas = {
  names: STATE_SCHEMAS.names,
  find: (name) => STATE_SCHEMAS.find(name) ?? { name, params: {}, open: true },
};

export function isThere(module: string): boolean {
  return STATE_SCHEMAS.find(module) !== undefined;
}

export async function compileCase(
  { files, grains, pillar }: Pick<RecordedTree, 'files' | 'grains' | 'pillar'>,
  ask: RecordedCase['ask'],
): Promise<OurCase> {
  return compileIn(memoryTree(files), grains, pillar, ask);
}

async function compileIn(
  tree: StateTree,
  grains: WireMap,
  pillar: WireMap,
  ask: RecordedCase['ask'],
): Promise<OurCase> {
  const peelId = parsePeelId(String(grains.id)) ?? fail(`${String(grains.id)} is no peel id`);
  const { renderFile: render } = stateTemplates({
    tree,
    data: {
      peelId,
      facts: grains,
      words: NO_WORDS,
      settings: pillar,
      statesDir: '/srv/states',
      dryRun: true,
      machine: {
        functionNames: [],
        callFunction: async () => '',
        hasProgram: async () => false,
        userInfo: async () => ({}),
      },
    },
    runtime: { digest, hmac, random: () => seededRandom(1).fraction(), nowMs: () => 0 },
    signal: new AbortController().signal,
  });
  let refs: readonly (string | AskedRef)[] = ask === 'top' ? [] : ask;
  if (ask === 'top') {
    const top = await readTop({ tree, render, matches: patternMatcher(peelId, grains, NO_WORDS) });
    if (top.problems.length > 0) return { problems: top.problems };
    refs = top.refs;
  }
  return judged(await compileStates(refs, { tree, schemas: SCHEMAS, render }));
}

function judged({ states, problems, warnings }: Compilation): OurCase {
  if (problems.length > 0) return { problems };
  const graph = stateGraph(states);
  return graph.problems.length > 0 ? { problems: graph.problems } : { states, warnings };
}

function fail(message: string): never {
  throw new Error(message);
}
