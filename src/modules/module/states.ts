/**
 * The state `module.run` calls execution functions. What they would do comes from their own previews, so a dry run
 * starts nothing. The name of a state function works as well and is then that state.
 *
 * Twice: the functions are called twice. It cannot be undone, except what a state function did.
 */

import { type ErrorCode, isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { decodeArguments } from '../../core/params/decode-arguments.ts';
import { optional } from '../../core/params/params.ts';
import { printValue } from '../../core/params/print-value.ts';
import { bareId } from '../../core/states/compile/build-states.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { FunctionOutcome } from '../contract.ts';
import {
  type ActStep,
  type Plan,
  type PlanContext,
  type StateModule,
  type StateModuleRegistry,
  stateModule,
} from '../state-contract.ts';
import { type FunctionCall, functionCalls } from './function-calls.ts';

/** `states`: the state functions that it may stand for. */
export function moduleStates(states: StateModuleRegistry): readonly StateModule[] {
  return [
    stateModule({
      name: 'module.run',
      summary: 'Calls execution functions, one after another.',
      description: [
        'An execution function goes before a state function of the same name.',
        'A function that fails ends the state. Whether something changes is what the functions say.',
        'Take a state where there is one: it says what it would change, and can be undone.',
      ].join('\n'),
      params: { name: optional('string', { primary: true, doc: 'The function, when there is one only.' }) },
      open: true,
      examples: [
        'look:\n  module.run:\n    - test.version: []\n    - facts.get:\n      - key: os.family\n',
        'role:\n  module.run:\n    - name: facts.set\n    - key: role\n    - value: web\n',
      ],
      plan: (_, context) => planCalls(functionCalls(context.id, context.args), states, context),
    }),
  ];
}

async function planCalls(
  calls: readonly FunctionCall[],
  states: StateModuleRegistry,
  context: PlanContext,
): Promise<Plan> {
  const plans: Plan[] = [];
  for (const call of calls) {
    const afterChange = plans.some(({ steps }) => steps.some(isOpaque));
    const preview = await previewOf(call, { states, context, afterChange });
    plans.push(
      preview === 'a state'
        ? await planOfState(call, states.get(call.name), context)
        : planOfCall(call, preview, { alone: calls.length === 1 }),
    );
  }
  return {
    steps: plans.flatMap(({ steps }) => steps),
    diff: plans.flatMap(({ diff }) => (diff === '' ? [] : [diff])).join('\n'),
    details: Object.assign({}, ...plans.map(({ details }) => details)),
  };
}

function isOpaque(step: Plan['steps'][number]): boolean {
  return step.kind === 'act' && step.opaque;
}

/** Mistakes of the state file: no call before this one can mend them. */
const MISTAKES: readonly ErrorCode[] = ['MODULE_UNKNOWN_FUNCTION', 'MODULE_BAD_ARGUMENTS'];

/** What the function says that it would do. After a call that changes the machine, what speaks against it may be gone. */
async function previewOf(
  { name, args }: FunctionCall,
  {
    states,
    context,
    afterChange,
  }: { readonly states: StateModuleRegistry; readonly context: PlanContext; readonly afterChange: boolean },
): Promise<FunctionOutcome | 'a state' | 'unknown'> {
  try {
    const preview = await context.previewFunction(name, args);
    if (preview.error === undefined) return preview;
    throw zesterError('MODULE_RUN_FAILED', { function: name, reason: preview.error });
  } catch (error) {
    if (isZesterError(error, 'MODULE_UNKNOWN_FUNCTION') && states.has(name)) return 'a state';
    if (isZesterError(error) && afterChange && !MISTAKES.includes(error.code)) return 'unknown';
    throw error;
  }
}

function planOfCall(
  { name, args }: FunctionCall,
  preview: FunctionOutcome | 'unknown',
  { alone }: { readonly alone: boolean },
): Plan {
  const what = `calls ${name}`;
  const known = preview === 'unknown' || foreseesTooEarly(name) ? undefined : preview;
  const step: ActStep = {
    kind: 'act',
    what,
    predicts: known === undefined ? 'unknown' : known.changed ? 'change' : 'no change',
    opaque: known?.changed ?? true,
    async run({ callFunction }) {
      const outcome = await callFunction(name, args);
      return {
        changed: outcome.changed,
        details: detailsOf(outcome, alone ? '' : `${name} `),
        data: dataOf(outcome, alone ? '' : `${name} `),
        ...(outcome.error === undefined ? {} : { error: outcome.error }),
      };
    },
  };
  return { steps: [step], diff: step.predicts === 'no change' ? '' : (known?.diff ?? what) };
}

/** A run of states of its own looks at the machine as it is now, not as the states before this one will have left it. */
function foreseesTooEarly(name: string): boolean {
  return name.startsWith('state.') && !name.startsWith('state.show_');
}

function detailsOf({ result, details }: FunctionOutcome, prefix: string): Readonly<Record<string, string>> {
  const all = { ...(result === undefined ? {} : { result: printValue(result) }), ...details };
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [`${prefix}${key}`, value]));
}

function dataOf({ result, data }: FunctionOutcome, prefix: string): WireMap {
  const all = { ...(result === undefined || typeof result === 'string' ? {} : { result }), ...data };
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [`${prefix}${key}`, value]));
}

/** With the id of this state where its primary parameter is not given, as in a state of its own. */
function planOfState({ name, args }: FunctionCall, target: StateModule, context: PlanContext): Promise<Plan> {
  const id = bareId(target.params, args, context.id);
  return target.plan(decodeArguments(name, target.params, { id, args }), { ...context, args });
}
