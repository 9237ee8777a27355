/**
 * These objects are functions that are not written in a template: globals, and methods of Python's types bound to their
 * object.
 */
import { identityKey } from './hash.ts';
import { ADDRESS } from './print.ts';
import { typeName } from './type-name.ts';
import { type Arguments, PyObject, type RenderContext, type Value } from './value.ts';

export type Call = (args: Arguments, render: RenderContext) => Value;

export class Func extends PyObject {
  override readonly typeName: string = 'builtin_function_or_method';
  readonly name: string;
  private readonly body: Call;
  private readonly reprText: string;

  /** `repr` where Python prints something else, as `<class 'range'>` for range. */
  constructor(name: string, call: Call, repr = `<built-in function ${name}>`) {
    super();
    this.name = name;
    this.body = call;
    this.reprText = repr;
  }

  override call(args: Arguments, render: RenderContext): Value {
    return this.body(args, render);
  }
  override repr(): string {
    return this.reprText;
  }
  override hashKey(): string {
    return identityKey(this);
  }
}

/** What a method of a Python type does with the object it was looked up on. */
export type Method<Self extends Value = Value> = (
  self: Self,
  args: Arguments,
  render: RenderContext,
) => Value;

/** `'a'.upper` without the call. Two lookups on one object are equal, as in Python. */
export class BoundMethod extends PyObject {
  override readonly typeName = 'builtin_function_or_method';
  readonly self: Value;
  readonly name: string;
  private readonly method: Method;

  constructor(self: Value, name: string, method: Method) {
    super();
    this.self = self;
    this.name = name;
    this.method = method;
  }

  override call(args: Arguments, render: RenderContext): Value {
    return this.method(this.self, args, render);
  }
  override repr(): string {
    return `<built-in method ${this.name} of ${typeName(this.self)} object at ${ADDRESS}>`;
  }
  override equals(other: Value): boolean {
    return other instanceof BoundMethod && other.self === this.self && other.method === this.method;
  }
  override hashKey(): string {
    const self = this.self;
    const owner =
      typeof self === 'object' && self !== null ? identityKey(self) : `${typeof self}:${String(self)}`;
    return `method:${this.name}:${owner}`;
  }
}
