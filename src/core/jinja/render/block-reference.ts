/** These objects are blocks as values of a template: `self`, `self.name` and `super`. */
import type { CompiledBlock } from '../compile/compiled-template.ts';
import { Frame } from '../compile/frame.ts';
import { bindArguments } from '../values/arguments.ts';
import { repr } from '../values/print.ts';
import { type Arguments, PyObject, type Value } from '../values/value.ts';
import type { TemplateContext } from './context.ts';
import { TextFunction } from './text-function.ts';

/** `self`: its items are the blocks of the template. */
export class TemplateReference extends PyObject {
  override readonly typeName = 'TemplateReference';
  private readonly context: TemplateContext;

  constructor(context: TemplateContext) {
    super();
    this.context = context;
  }

  override item(key: Value): Value | undefined {
    const stack = typeof key === 'string' ? this.context.blocks.get(key) : undefined;
    return stack === undefined ? undefined : new BlockReference(String(key), this.context, stack, 0);
  }
  override attributeNames(): readonly string[] {
    return [...this.context.blocks.keys()];
  }
  override repr(): string {
    const { givenName } = this.context.template;
    return `<TemplateReference ${repr(givenName ?? null)}>`;
  }
}

class BlockReference extends TextFunction {
  override readonly typeName = 'BlockReference';
  private readonly name: string;
  private readonly context: TemplateContext;
  /** The block of each template of the chain that has one, the most derived first. */
  private readonly stack: readonly CompiledBlock[];
  private readonly depth: number;

  constructor(name: string, context: TemplateContext, stack: readonly CompiledBlock[], depth: number) {
    super();
    this.name = name;
    this.context = context;
    this.stack = stack;
    this.depth = depth;
  }

  override attribute(name: string): Value | undefined {
    if (name === 'name') return this.name;
    if (name !== 'super') return undefined;
    return superBlock(this.name, this.context, this.stack, this.depth + 1);
  }
  override attributeNames(): readonly string[] {
    return ['name', 'super'];
  }
  override isMarkup(): boolean {
    return this.context.autoescape;
  }
  override write(args: Arguments): void {
    bindArguments('BlockReference.__call__', [], args);
    const block = this.stack[this.depth];
    if (block !== undefined) runBlock(block, this.context);
  }
}

/** The block that many steps up the chain, or what Jinja2 gives where there is none. */
export function superBlock(
  name: string,
  context: TemplateContext,
  stack: readonly CompiledBlock[],
  depth: number,
): Value {
  if (depth < stack.length) return new BlockReference(name, context, stack, depth);
  return context.undefined({ message: `there is no parent block called '${name}'.`, name: 'super' });
}

export function runBlock(block: CompiledBlock, context: TemplateContext): void {
  const { pass } = context;
  pass.enter(`block '${block.name}' called from`, pass.at);
  block.run(new Frame(block.slots, context, undefined));
  pass.leave();
}
