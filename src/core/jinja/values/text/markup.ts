/** `Markup` is markupsafe's: a str that is HTML already. Its methods are in `markup-methods.ts`. */

import { reprItems } from '../print.ts';
import { PyObject, type Value } from '../value.ts';
import { codePointLength } from './code-points.ts';

export class Markup extends PyObject {
  override readonly typeName = 'Markup';
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  override str(): string {
    return this.text;
  }
  override repr(): string {
    return reprItems(this, [this.text], 'Markup(', ')', '');
  }
  override truthy(): boolean {
    return this.text !== '';
  }
  override length(): number {
    return codePointLength(this.text);
  }
  override iterate(): Iterator<Value> {
    return this.text[Symbol.iterator]();
  }
  override html(): string {
    return this.text;
  }
}

/** The text of a str or of a Markup, which is a str too; undefined for everything else. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  return value instanceof Markup ? value.text : undefined;
}
