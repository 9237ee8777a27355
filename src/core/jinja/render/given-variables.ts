/**
 * `GivenVariables` gives a render what its host hands over, as names. It is read where it is, as far as a template asks
 * for it: most templates use little of what they are given. Each pass reads anew, so that nothing a template changes
 * outlives the pass.
 */
import type { Names } from '../compile/names.ts';
import { HostObject, HostReader } from '../values/from-host.ts';
import type { Value } from '../values/value.ts';

export type Variables = Readonly<Record<string, unknown>>;

export class GivenVariables implements Names {
  private readonly given: Variables;
  private readonly values: HostObject;

  constructor(given: Variables) {
    this.given = given;
    this.values = new HostObject(given, new HostReader({ lazy: true }));
  }

  get(name: string): Value | undefined {
    return this.values.get(name);
  }

  keys(): Iterable<string> {
    return Object.keys(this.given);
  }
}
