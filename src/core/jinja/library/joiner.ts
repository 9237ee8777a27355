/** `joiner(', ')` gives nothing at the first call and the separator at every later one. */
import { bindArguments } from '../values/arguments.ts';
import { identityKey } from '../values/hash.ts';
import { ADDRESS } from '../values/print.ts';
import { type Arguments, PyObject, type Value } from '../values/value.ts';

export class Joiner extends PyObject {
  override readonly typeName = 'Joiner';
  private readonly separator: Value;
  private used = false;

  constructor(separator: Value) {
    super();
    this.separator = separator;
  }

  override call(args: Arguments): Value {
    bindArguments('Joiner.__call__', [{ name: 'self' }], {
      positional: [this, ...args.positional],
      named: args.named,
    });
    if (this.used) return this.separator;
    this.used = true;
    return '';
  }
  override attribute(name: string): Value | undefined {
    if (name === 'sep') return this.separator;
    return name === 'used' ? this.used : undefined;
  }
  override attributeNames(): readonly string[] {
    return ['sep', 'used'];
  }
  override repr(): string {
    return `<jinja2.utils.Joiner object at ${ADDRESS}>`;
  }
  override hashKey(): string {
    return identityKey(this);
  }
}
