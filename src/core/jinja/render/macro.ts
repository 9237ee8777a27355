/** `Macro` is a macro as a value: how the arguments of a call meet its parameters, and how its body runs. */
import type { Evaluate } from '../compile/compiled-template.ts';
import { Frame } from '../compile/frame.ts';
import { Dict } from '../values/container/dict.ts';
import { Tuple } from '../values/container/tuple.ts';
import { identityKey } from '../values/hash.ts';
import { repr } from '../values/print.ts';
import { type Arguments, PythonError, type Value } from '../values/value.ts';
import type { TemplateContext } from './context.ts';
import { TextFunction } from './text-function.ts';

/** What the compiler knows of a macro; the macro itself is made when its statement runs. */
export interface MacroPlan {
  /** None for the body of a call block. */
  readonly name: string | undefined;
  readonly slots: number;
  readonly parameters: readonly MacroParameter[];
  /** The slot of `caller`, where the body uses it without it being a parameter. */
  readonly callerSlot: number | undefined;
  readonly kwargsSlot: number | undefined;
  readonly varargsSlot: number | undefined;
  /** Whether the body uses `caller` at all. */
  readonly usesCaller: boolean;
  readonly run: (frame: Frame) => void;
}

export interface MacroParameter {
  readonly name: string;
  readonly slot: number;
  readonly defaultValue: Evaluate | undefined;
}

export class Macro extends TextFunction {
  override readonly typeName = 'Macro';
  private readonly plan: MacroPlan;
  private readonly context: TemplateContext;
  /** Where the macro was defined: it sees the variables there, as they are when it is called. */
  private readonly around: Frame;

  constructor(plan: MacroPlan, around: Frame) {
    super();
    this.plan = plan;
    this.context = around.context;
    this.around = around;
  }

  override write(args: Arguments, caller: TemplateContext): void {
    const plan = this.plan;
    const { pass } = caller;
    const frame = new Frame(plan.slots, this.context, this.around);
    if (args.named.size === 0 && args.positional.length <= plan.parameters.length && !plan.usesCaller)
      this.bindPositional(frame, args.positional);
    else this.bind(frame, args);
    pass.enter(
      plan.name === undefined ? 'call block called from' : `macro '${plan.name}' called from`,
      pass.at,
    );
    plan.run(frame);
    pass.leave();
  }

  private bindPositional(frame: Frame, given: readonly Value[]): void {
    const { parameters, kwargsSlot, varargsSlot } = this.plan;
    for (let i = 0; i < given.length; i++) frame.slots[(parameters[i] as MacroParameter).slot] = given[i];
    if (kwargsSlot !== undefined) frame.slots[kwargsSlot] = new Dict();
    if (varargsSlot !== undefined) frame.slots[varargsSlot] = new Tuple([]);
  }

  private bind(frame: Frame, { positional, named }: Arguments): void {
    const { parameters, callerSlot, kwargsSlot, varargsSlot, usesCaller } = this.plan;
    const left = new Map(named);
    parameters.forEach(({ name, slot }, index) => {
      if (index < positional.length) {
        frame.slots[slot] = positional[index];
        return;
      }
      frame.slots[slot] = left.get(name);
      left.delete(name);
    });
    if (usesCaller && callerSlot !== undefined) {
      frame.slots[callerSlot] =
        left.get('caller') ?? this.context.undefined({ message: 'No caller defined', name: 'caller' });
      left.delete('caller');
    }
    if (kwargsSlot !== undefined) frame.slots[kwargsSlot] = Dict.of(left);
    else if (left.size > 0) throw this.unwanted(left);
    if (varargsSlot !== undefined) frame.slots[varargsSlot] = new Tuple(positional.slice(parameters.length));
    else if (positional.length > parameters.length)
      throw this.wrong(`takes not more than ${parameters.length} argument(s)`);
  }

  private unwanted(left: ReadonlyMap<string, Value>): PythonError {
    if (left.has('caller'))
      return this.wrong(
        'was invoked with two values for the special caller argument. This is most likely a bug.',
      );
    const [name = ''] = left.keys();
    return this.wrong(`takes no keyword argument ${repr(name)}`);
  }

  private wrong(problem: string): PythonError {
    return new PythonError('TypeError', `macro ${repr(this.plan.name ?? null)} ${problem}`);
  }

  override attribute(name: string): Value | undefined {
    const plan = this.plan;
    switch (name) {
      case 'name':
        return plan.name ?? null;
      case 'arguments':
        return new Tuple(plan.parameters.map((parameter) => parameter.name));
      case 'catch_kwargs':
        return plan.kwargsSlot !== undefined;
      case 'catch_varargs':
        return plan.varargsSlot !== undefined;
      case 'caller':
        return plan.usesCaller;
      case 'explicit_caller':
        return plan.parameters.some((parameter) => parameter.name === 'caller');
      default:
        return undefined;
    }
  }
  override attributeNames(): readonly string[] {
    return ['arguments', 'caller', 'catch_kwargs', 'catch_varargs', 'explicit_caller', 'name'];
  }
  override repr(): string {
    const { name } = this.plan;
    return `<Macro ${name === undefined ? 'anonymous' : repr(name)}>`;
  }
  override hashKey(): string {
    return identityKey(this);
  }
}
