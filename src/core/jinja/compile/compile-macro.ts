/**
 * These functions compile macros and call blocks. The body of a call block is a macro without a name that the called
 * macro gets as `caller`.
 */
import type { CallBlockNode, MacroNode, Parameter, Statement } from '../parse/ast.ts';
import { Macro, type MacroParameter, type MacroPlan } from '../render/macro.ts';
import { TextFunction } from '../render/text-function.ts';
import type { Value } from '../values/value.ts';
import { compileAssign } from './compile-assign.ts';
import { compileCallParts } from './compile-call.ts';
import { writeCall, writeText } from './compile-output.ts';
import { compileBody, compileExpression } from './compile-parts.ts';
import { type CompilePlace, compileError, enterScope, inScope } from './compile-place.ts';
import { type Execute, GO_ON } from './compiled-template.ts';
import { namesReadUndeclared } from './find-names.ts';
import type { Frame } from './frame.ts';
import { readMacro } from './read-scope.ts';
import { Scope, Unit } from './scope.ts';

export function compileMacro(node: MacroNode, place: CompilePlace): Execute {
  const plan = planMacro(node.name, node, place);
  const assign = compileAssign({ kind: 'name', at: node.at, name: node.name }, place);
  return (frame) => {
    assign(frame, new Macro(plan, frame));
    return GO_ON;
  };
}

export function compileCallBlock(node: CallBlockNode, place: CompilePlace): Execute {
  const plan = planMacro(undefined, node, place);
  const { callee, args, site } = compileCallParts(node.call, place);
  return (frame) => {
    const target = callee(frame);
    const { positional, named } = args(frame);
    const given = {
      positional,
      named: new Map<string, Value>([...named, ['caller', new Macro(plan, frame)]]),
    };
    frame.pass.at = site;
    if (target instanceof TextFunction) writeCall(target, given, frame);
    else writeText(frame.context.call(target, given), frame, site);
    return GO_ON;
  };
}

interface MacroSource {
  readonly at: MacroNode['at'];
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
}

const SPECIAL_NAMES = ['caller', 'kwargs', 'varargs'] as const;

function planMacro(name: string | undefined, node: MacroSource, place: CompilePlace): MacroPlan {
  const unit = new Unit(place.unit);
  const scope = new Scope(unit, place.scope);
  const used = namesReadUndeclared(node.body, SPECIAL_NAMES);
  const explicit = new Map(node.parameters.map((parameter) => [parameter.name, parameter]));
  const explicitCaller = explicit.get('caller');
  if (used.has('caller') && explicitCaller !== undefined && explicitCaller.defaultValue === undefined)
    throw compileError(
      place,
      node.at,
      'When defining macros or call blocks the special "caller" argument must be omitted or be given a default.',
    );
  const implicit = SPECIAL_NAMES.filter((special) => used.has(special) && !explicit.has(special));
  for (const special of implicit) scope.declareParameter(special);
  readMacro(scope, node.parameters, node.body);
  scope.settle();
  const inside: CompilePlace = { ...inScope(place, scope), checksOutput: false };
  const slot = (special: (typeof SPECIAL_NAMES)[number]): number | undefined =>
    implicit.includes(special) ? scope.find(special)?.slot : undefined;
  const parameters = node.parameters.map(
    (parameter): MacroParameter => ({
      name: parameter.name,
      slot: scope.find(parameter.name)?.slot ?? 0,
      defaultValue:
        parameter.defaultValue === undefined ? undefined : compileExpression(parameter.defaultValue, inside),
    }),
  );
  const run = macroRunner(parameters, enterScope(scope), compileBody(node.body, inside));
  return {
    name,
    slots: unit.slots,
    parameters,
    callerSlot: slot('caller'),
    kwargsSlot: slot('kwargs'),
    varargsSlot: slot('varargs'),
    usesCaller: used.has('caller'),
    run,
  };
}

function macroRunner(
  parameters: readonly MacroParameter[],
  enter: ((frame: Frame) => void) | undefined,
  body: Execute,
): (frame: Frame) => void {
  return (frame) => {
    enter?.(frame);
    for (const { name, slot, defaultValue } of parameters) {
      if (frame.slots[slot] !== undefined) continue;
      frame.slots[slot] =
        defaultValue === undefined
          ? frame.context.undefined({ message: `parameter '${name}' was not provided`, name })
          : defaultValue(frame);
    }
    body(frame);
  };
}
