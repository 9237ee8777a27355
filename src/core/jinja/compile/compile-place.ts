/** A compile place says where in a template the compiler is, and what it has seen so far. */

import type { Engine } from '../engine.ts';
import { TemplateError } from '../errors.ts';
import type { Position } from '../parse/ast.ts';
import type { Value } from '../values/value.ts';
import type { Compilers } from './compile-parts.ts';
import type { CompiledTemplate } from './compiled-template.ts';
import type { Frame } from './frame.ts';
import type { Scope, Unit, Variable } from './scope.ts';
import type { Site, TemplateSource } from './site.ts';

/** The template being compiled. Two facts about `extends` change as the compiler goes through the text. */
export interface TemplateCompilation {
  readonly compilers: Compilers;
  readonly engine: Pick<Engine, 'filters' | 'tests'>;
  readonly text: TemplateSource;
  readonly givenName: string | undefined;
  readonly hasExtends: boolean;
  /** An `extends` that is certain to run was passed: what follows at the top level is not output. */
  extendsForSure: boolean;
  extendsSeen: number;
  /** The template itself, for names that are relative to it; complete before anything runs. */
  readonly self: () => CompiledTemplate;
}

export interface CompilePlace {
  readonly compilation: TemplateCompilation;
  readonly scope: Scope;
  readonly unit: Unit;
  /** At the top level assignments go into the context. A branch of `if` at the top level is still there. */
  readonly topLevel: boolean;
  /** At the top level and in no branch. */
  readonly certain: boolean;
  /** In a branch: an unknown filter is an error only when it runs. */
  readonly branch: boolean;
  /** Output must look whether the template turned out to extend another. */
  readonly checksOutput: boolean;
  /** Whether output is escaped, as far as that is known before the template runs. */
  readonly autoescape: boolean;
  /** Inside of an `autoescape` whose value is only known when the template runs. */
  readonly volatile: boolean;
  /** Inside the body of a filter block or block set: the variable that holds what was captured. */
  readonly captured: number | undefined;
}

export function siteOf(place: CompilePlace, at: Position, verbatim = false): Site {
  return { template: place.compilation.text, at, verbatim };
}

/** A mistake that Jinja2 finds before the template runs. */
export function compileError(
  place: Pick<CompilePlace, 'compilation'>,
  at: Position,
  message: string,
  near: readonly string[] = [],
): TemplateError {
  const { text } = place.compilation;
  return new TemplateError({
    type: 'TemplateAssertionError',
    message,
    name: text.name,
    source: text.source,
    line: at.line,
    column: at.column,
    near,
  });
}

/** The place inside a branch of `if`, or of an inline `if`. */
export function inBranch(place: CompilePlace): CompilePlace {
  return { ...place, certain: false, branch: true };
}

/** The place inside a scope. Nothing in it is at the top level any more. */
export function inScope(place: CompilePlace, scope: Scope): CompilePlace {
  return { ...place, scope, unit: scope.unit, topLevel: false, certain: false, branch: false };
}

/** The name as Jinja2 says where something is. */
export function describePosition(place: CompilePlace, at: Position): string {
  const { givenName } = place.compilation;
  return givenName === undefined ? `line ${at.line}` : `line ${at.line} in '${givenName}'`;
}

export type Read = (frame: Frame) => Value | undefined;

/** What a variable holds, or undefined where it has no value. Looks into the context where that was put off. */
export function readVariable(variable: Variable, from: Unit): Read {
  const { slot, name } = variable;
  const frameOf = frameFinder(variable.unit, from);
  if (variable.start.from === 'context' && !variable.start.eager) {
    return (frame) => {
      const home = frameOf === undefined ? frame : frameOf(frame);
      const value = home.slots[slot];
      // Not `??`: None is null.
      return value === undefined ? resolveInto(home, slot, name) : value;
    };
  }
  if (frameOf === undefined) return (frame) => frame.slots[slot];
  return (frame) => frameOf(frame).slots[slot];
}

export function resolveInto(frame: Frame, slot: number, name: string): Value | undefined {
  const value = frame.context.resolve(name);
  frame.slots[slot] = value;
  return value;
}

/** From the frame of one unit to that of a unit around it; undefined where it is the same. */
export function frameFinder(home: Unit, from: Unit): ((frame: Frame) => Frame) | undefined {
  let hops = 0;
  for (let unit: Unit | undefined = from; unit !== home && unit !== undefined; unit = unit.outer) hops++;
  if (hops === 0) return undefined;
  return (frame) => {
    let found = frame;
    for (let i = 0; i < hops; i++) found = found.outer ?? found;
    return found;
  };
}

/** What entering a scope sets; undefined where that is nothing. */
export function enterScope(scope: Scope): ((frame: Frame) => void) | undefined {
  const steps = scope.entering().map((variable) => {
    const { slot, name, start } = variable;
    if (start.from === 'variable') {
      const read = readVariable(start.variable, scope.unit);
      return (frame: Frame): void => {
        frame.slots[slot] = read(frame);
      };
    }
    if (start.from === 'context') return (frame: Frame): void => void resolveInto(frame, slot, name);
    return (frame: Frame): void => {
      frame.slots[slot] = undefined;
    };
  });
  const [only] = steps;
  if (steps.length <= 1) return only;
  return (frame) => {
    for (let i = 0; i < steps.length; i++) (steps[i] as (frame: Frame) => void)(frame);
  };
}
