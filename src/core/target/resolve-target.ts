/**
 * `resolveTarget` finds the peels of an index that a target means, by id.
 *
 * RE2 is linear and a glob cannot run away, but linear in a hundred thousand peels is still long for a nasty pattern:
 * one that defeats the automaton costs half a millisecond for each id. So the work comes in steps that are each bounded,
 * whatever the expression, and a master lets others work between two of them and gives up when its time is over. What
 * changes in the index meanwhile is seen or not, but each peel is judged by one set of facts.
 */
import type { PeelId } from '../../wire/names/ids.ts';
import type { FactIndex, IndexedPeel } from './fact-index.ts';
import { compileFactTest } from './fact-test.ts';
import { type CompiledTarget, compileTarget, tagTest } from './match-target.ts';
import { parseTarget } from './parse-target.ts';
import type { Target } from './target.ts';

/** Cost of the peels judged in one step, in the units of CompiledTarget. At worst some 20 ms, mostly far below one. */
const STEP_COST_MAX = 2_000;

/**
 * In one go: for command lines and tests; a master takes the steps. Throws what parseTarget throws, TARGET_… with the
 * column. `type` as in a request.
 */
export function resolveTarget(index: FactIndex, expression: string, type = ''): PeelId[] {
  const steps = resolveTargetInSteps(index, parseTarget(expression, type));
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** For a peel, `T@` looks at tags only: a fact that an operator set may be a secret. */
export type TargetAsker = 'operator' | 'peel';

/** Yields between two steps; returns the ids, in order. It may be left at any yield. */
export function* resolveTargetInSteps(
  index: FactIndex,
  target: Target,
  asker: TargetAsker = 'operator',
): Generator<void, PeelId[], void> {
  const { test, cost } = compileForIndex(index, target, asker);
  const peelsPerStep = Math.max(1, Math.floor(STEP_COST_MAX / cost));
  const { peels, ids, places } = index.view();
  const isMeant = new Uint8Array(peels.length);
  for (let from = 0; from < peels.length; from += peelsPerStep) {
    if (from > 0) yield;
    judge(peels, { from, to: Math.min(from + peelsPerStep, peels.length) }, test, isMeant);
  }
  return ids.filter((_, i) => isMeant[places[i] ?? 0] === 1);
}

function judge(
  peels: readonly IndexedPeel[],
  { from, to }: { readonly from: number; readonly to: number },
  test: (peel: IndexedPeel) => boolean,
  isMeant: Uint8Array,
): void {
  for (let i = from; i < to; i++) {
    const peel = peels[i];
    if (peel !== undefined && !peel.isRemoved && test(peel)) isMeant[i] = 1;
  }
}

function compileForIndex(index: FactIndex, target: Target, asker: TargetAsker): CompiledTarget<IndexedPeel> {
  return compileTarget<IndexedPeel>(target, {
    idOf: (peel) => peel.id,
    regexTest: ({ pattern }, test) => index.verdicts(pattern).judge(test),
    factTest: (matcher) => index.column(matcher.path).judge(compileFactTest(matcher)),
    tagTest: ({ name, wanted }) => index.tagColumn(name, asker === 'operator').judge(tagTest(wanted)),
  });
}
