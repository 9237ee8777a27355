/** These rules say which names a template may not give to things, and which only once. */

import type { LateFaults } from '../render/late-faults.ts';
import type { Keyword, Parameter, Position } from './ast.ts';
import type { TokenStream } from './token-stream.ts';

const CONSTANTS: ReadonlySet<string> = new Set(['true', 'false', 'none', 'True', 'False', 'None']);

/** One name that is about to be given to something: a macro, an import, a parameter. */
export function parseNewName(stream: TokenStream): { readonly at: Position; readonly name: string } {
  const { at, text } = stream.expect('name');
  if (CONSTANTS.has(text)) throw stream.error("can't assign to 'name'", at);
  return { at, name: text };
}

/** Python's own words. Where one of them names an argument, Jinja2 passes all of them as a dictionary. */
const PYTHON_KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from ' +
    'global if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** An argument may be named once; a dictionary of them, though, takes the last. */
export function checkNamedOnce(named: readonly Keyword[], stream: TokenStream, late: LateFaults): void {
  const repeated = firstRepeated(named);
  if (repeated === undefined || named.some(({ name }) => PYTHON_KEYWORDS.has(name))) return;
  late.python(stream.error(`keyword argument repeated: ${repeated.name}`, repeated.at));
}

export function checkParametersOnce(
  parameters: readonly Parameter[],
  stream: TokenStream,
  late: LateFaults,
): void {
  const repeated = firstRepeated(parameters);
  if (repeated !== undefined)
    late.python(stream.error(`duplicate argument '${repeated.name}' in function definition`, repeated.at));
}

function firstRepeated<Named extends { readonly name: string }>(all: readonly Named[]): Named | undefined {
  const seen = new Set<string>();
  for (const one of all) {
    if (seen.has(one.name)) return one;
    seen.add(one.name);
  }
  return undefined;
}
