/** The execution functions `sys.*` tell what this peel can do. */

import { optional } from '../../core/params/params.ts';
import { type ExecutionFunction, familyOf, type QueryContext, query } from '../contract.ts';
import { namesOutcome } from '../names-outcome.ts';
import { unknownFunction } from '../unknown-function.ts';
import { type Callable, functionDoc, functionIndex } from './function-doc.ts';

const listFunctions = query({
  name: 'sys.list_functions',
  summary: 'Answers with the names of the functions, one on a line.',
  params: {
    pattern: optional('string', {
      primary: true,
      doc: 'Only names that begin with this, or fit it where it has a *. Default: all.',
    }),
  },
  examples: ['zester web-01 sys.list_functions', "zester web-01 sys.list_functions '*.get'"],
  run: async ({ pattern = '' }, context) => ({
    changed: false,
    ...namesOutcome(namesLike(pattern.includes('*') ? pattern : `${pattern}*`, context)),
  }),
});

const doc = query({
  name: 'sys.doc',
  summary: 'Explains a function, the functions of a family, or lists all.',
  params: {
    function: optional('string', {
      primary: true,
      doc: 'A function, cmd.run, or a family, cmd. Default: a list of all.',
    }),
  },
  examples: ['zester web-01 sys.doc', 'zester web-01 sys.doc cmd.run', 'zester web-01 sys.doc test'],
  run: async ({ function: name }, context) => ({ changed: false, result: docText(name, callables(context)) }),
});

/** Execution functions and states in one list; where two have one name the execution function comes first. */
function callables({ functions, stateModules }: QueryContext): readonly Callable[] {
  return [...functions.all, ...stateModules.all].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  );
}

function docText(name: string | undefined, all: readonly Callable[]): string {
  if (name === undefined) return functionIndex(all);
  const family = all.filter((fn) => familyOf(fn.name) === name);
  const meant = family.length > 0 ? family : all.filter((fn) => fn.name === name);
  if (meant.length === 0) throw unknownFunction(name, [...new Set(all.map((fn) => fn.name))]);
  return meant.map(functionDoc).join('\n\n');
}

function namesLike(pattern: string, context: QueryContext): string[] {
  const names = new Set(callables(context).map(({ name }) => name));
  return [...names].filter((name) => fits(name, pattern));
}

/** The parts between the stars occur in their order, the first at the start and the last at the end. */
function fits(name: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop() ?? '';
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

export const SYS_FUNCTIONS: readonly ExecutionFunction[] = [doc, listFunctions];
