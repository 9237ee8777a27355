/**
 * `TemplateContext` is the context of one running template: its variables, its blocks, and what functions, filters and
 * tests may ask of the render. An included or imported template gets one of its own; a template shares it with those it
 * extends.
 */

import type { CompiledBlock, CompiledTemplate } from '../compile/compiled-template.ts';
import { layered, type Names } from '../compile/names.ts';
import { attributeOf } from '../values/attribute.ts';
import { getItem } from '../values/container/item.ts';
import { repr } from '../values/print.ts';
import { textOf } from '../values/text/markup.ts';
import { truthy } from '../values/truthy.ts';
import { typeName } from '../values/type-name.ts';
import {
  type Arguments,
  type Host,
  PyObject,
  PythonError,
  type RenderContext,
  type RenderLimits,
  type Value,
} from '../values/value.ts';
import { superBlock } from './block-reference.ts';
import { textWork, withWorkCounted } from './long-work.ts';
import { nearNames } from './near-names.ts';
import type { RenderPass } from './render-pass.ts';
import type { UndefinedFacts } from './undefined.ts';
import { unsafeAttributeMessage } from './unsafe-attribute.ts';

/** What `{% autoescape %}` changes while it runs; contexts derived from one share it. Any value: its truth counts. */
interface Escaping {
  value: Value;
}

export class TemplateContext implements RenderContext {
  readonly pass: RenderPass;
  readonly template: CompiledTemplate;
  /** What the top level of the template assigned, and which of it an import may see. */
  private readonly assigned = new Map<string, Value>();
  private readonly exported = new Set<string>();
  private readonly given: Names;
  private readonly escaping: Escaping;
  /** For each block name the blocks of all templates of the chain, the most derived first. */
  readonly blocks: Map<string, CompiledBlock[]>;

  constructor(pass: RenderPass, template: CompiledTemplate, given: Names, from?: TemplateContext) {
    this.pass = pass;
    this.template = template;
    this.given = given;
    this.escaping = from === undefined ? { value: template.autoescape } : from.escaping;
    this.blocks = new Map();
    if (from === undefined) this.addBlocks(template);
    else for (const [name, stack] of from.blocks) this.blocks.set(name, [...stack]);
  }

  /** A template that is extended offers its blocks to those that extend it. */
  addBlocks(template: CompiledTemplate): void {
    for (const [name, block] of template.blocks) {
      const stack = this.blocks.get(name);
      if (stack === undefined) this.blocks.set(name, [block]);
      else stack.push(block);
    }
  }

  superOf(block: CompiledBlock): Value {
    const stack = this.blocks.get(block.name) ?? [];
    const index = stack.indexOf(block);
    return superBlock(block.name, this, stack, index < 0 ? stack.length : index + 1);
  }

  /** For a scoped block: the same template, with the variables around the block added. */
  derived(locals: Names): TemplateContext {
    return new TemplateContext(this.pass, this.template, layered(locals, this.visible()), this);
  }

  resolve(name: string): Value | undefined {
    // Not `??`, here and below: None is null.
    const value = this.assigned.get(name);
    return value === undefined ? this.given.get(name) : value;
  }

  assign(name: string, value: Value): void {
    this.assigned.set(name, value);
  }

  exportName(name: string): void {
    if (!name.startsWith('_')) this.exported.add(name);
  }

  /** What an import brought in is not handed on to those who import this template. */
  hideName(name: string): void {
    this.exported.delete(name);
  }

  exportedNames(): ReadonlyMap<string, Value> {
    const names = new Map<string, Value>();
    for (const name of this.exported) {
      const value = this.assigned.get(name);
      if (value !== undefined) names.set(name, value);
    }
    return names;
  }

  /** Everything the template sees now, for an include or import with context. It does not follow later assignments. */
  visible(): Names {
    return this.assigned.size === 0 ? this.given : layered(new Map(this.assigned), this.given);
  }

  *names(): Iterable<string> {
    yield* this.assigned.keys();
    yield* this.given.keys();
  }

  get autoescape(): boolean {
    return truthy(this.escaping.value);
  }

  /** Sets what `autoescape` says from now on, and gives what it said before. */
  switchAutoescape(value: Value): Value {
    const before = this.escaping.value;
    this.escaping.value = value;
    return before;
  }

  get limits(): RenderLimits {
    return this.pass.engine.limits;
  }
  get host(): Host {
    return this.pass.host;
  }

  charge(steps: number): void {
    this.pass.steps.charge(steps);
  }

  call(callee: Value, args: Arguments): Value {
    if (callee instanceof PyObject && callee.call !== undefined) return callee.call(args, this);
    throw new PythonError('TypeError', `'${typeName(callee)}' object is not callable`);
  }

  callFilter(name: string, input: Value, args: Arguments): Value {
    const filter = this.pass.engine.filters.get(name);
    if (filter === undefined) throw noSuch('filter', name, this.pass.engine.filters.keys());
    this.charge(textWork(input));
    return withWorkCounted(filter.call(input, args, this), this.pass.steps);
  }

  callTest(name: string, input: Value, args: Arguments): boolean {
    const test = this.pass.engine.tests.get(name);
    if (test === undefined) throw noSuch('test', name, this.pass.engine.tests.keys());
    return test.call(input, args, this);
  }

  hasFilter(name: string): boolean {
    return this.pass.engine.filters.has(name);
  }
  hasTest(name: string): boolean {
    return this.pass.engine.tests.has(name);
  }

  getAttribute(object: Value, name: string): Value {
    const unsafe = unsafeAttributeMessage(object, name);
    if (unsafe !== undefined)
      return this.undefined({ object, name, message: unsafe, exception: 'SecurityError' });
    const attribute = attributeOf(object, name);
    if (attribute !== undefined) return attribute;
    const item = getItem(object, name);
    return item === undefined ? this.undefined({ object, name }) : item;
  }

  getItem(object: Value, key: Value): Value {
    const item = getItem(object, key);
    if (item !== undefined) return item;
    const name = textOf(key);
    if (name === undefined) return this.undefined({ object, name: key });
    const unsafe = unsafeAttributeMessage(object, name);
    if (unsafe !== undefined)
      return this.undefined({ object, name, message: unsafe, exception: 'SecurityError' });
    const attribute = attributeOf(object, name);
    return attribute === undefined ? this.undefined({ object, name }) : attribute;
  }

  undefined(facts: UndefinedFacts): Value {
    const { engine, at } = this.pass;
    return new engine.undefinedClass(facts, at);
  }

  lookup(name: string): Value | undefined {
    return this.resolve(name);
  }
}

function noSuch(what: 'filter' | 'test', name: string, known: Iterable<string>): PythonError {
  return new PythonError('TemplateRuntimeError', `No ${what} named ${repr(name)}.`, nearNames(name, known));
}
