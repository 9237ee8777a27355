/** `cycler('odd', 'even')` gives its items in turn, for as long as it is asked. */
import { bindArguments } from '../values/arguments.ts';
import { Tuple } from '../values/container/tuple.ts';
import { Func } from '../values/func.ts';
import { identityKey } from '../values/hash.ts';
import { ADDRESS } from '../values/print.ts';
import { PyObject, PythonError, type Value } from '../values/value.ts';

export class Cycler extends PyObject {
  override readonly typeName = 'Cycler';
  private readonly items: readonly Value[];
  private position = 0;

  constructor(items: readonly Value[]) {
    super();
    if (items.length === 0) throw new PythonError('RuntimeError', 'at least one item has to be provided');
    this.items = items;
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'current':
        return this.current();
      case 'next':
        return this.method('next', () => {
          const item = this.current();
          this.position = (this.position + 1) % this.items.length;
          return item;
        });
      case 'reset':
        return this.method('reset', () => {
          this.position = 0;
          return null;
        });
      case 'items':
        return new Tuple(this.items);
      case 'pos':
        return this.position;
      default:
        return undefined;
    }
  }
  override attributeNames(): readonly string[] {
    return ['current', 'items', 'next', 'pos', 'reset'];
  }
  override repr(): string {
    return `<jinja2.utils.Cycler object at ${ADDRESS}>`;
  }
  override hashKey(): string {
    return identityKey(this);
  }

  private current(): Value {
    return this.items[this.position] as Value;
  }

  private method(name: string, run: () => Value): Func {
    const call = (args: Parameters<Func['call']>[0]): Value => {
      bindArguments(`Cycler.${name}`, SELF, { positional: [this, ...args.positional], named: args.named });
      return run();
    };
    return new Func(name, call, `<bound method Cycler.${name} of ${this.repr()}>`);
  }
}

const SELF = [{ name: 'self' }];
