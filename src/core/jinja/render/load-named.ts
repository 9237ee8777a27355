/** `loadNamed` finds the template that a statement names with a value. */
import type { CompiledTemplate } from '../compile/compiled-template.ts';
import { each } from '../values/container/iterate.ts';
import { hashKey } from '../values/hash.ts';
import { str } from '../values/print.ts';
import { textOf } from '../values/text/markup.ts';
import { truthy } from '../values/truthy.ts';
import { PythonError, type Value } from '../values/value.ts';
import type { RenderPass } from './render-pass.ts';
import { isUndefined } from './undefined.ts';

/** One template by its name. */
export function loadNamed(name: Value, pass: RenderPass, parent: CompiledTemplate): CompiledTemplate {
  if (isUndefined(name)) name.fail();
  // Python looks the name up in a dict first, which refuses a list.
  hashKey(name);
  return pass.load(str(name), parent);
}

/** A name, or the first of several that exists. */
export function loadNamedOrFirst(names: Value, pass: RenderPass, parent: CompiledTemplate): CompiledTemplate {
  if (isUndefined(names) || textOf(names) !== undefined) return loadNamed(names, pass, parent);
  if (!truthy(names)) throw notFound('Tried to select from an empty list of templates.');
  const tried: string[] = [];
  for (const name of each(names)) {
    pass.steps.charge(1);
    const found = isUndefined(name) ? undefined : pass.find(str(name), parent);
    if (found !== undefined) return found;
    tried.push(isUndefined(name) ? name.message : str(name));
  }
  throw notFound(`none of the templates given were found: ${tried.join(', ')}`);
}

function notFound(message: string): PythonError {
  return new PythonError('TemplatesNotFound', message);
}

/** Whether an error says that a template does not exist, which `ignore missing` forgives. */
export function isNotFound(error: unknown): boolean {
  return error instanceof PythonError && /^Templates?NotFound$/.test(error.type);
}
