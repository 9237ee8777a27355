/** These checks find values in a rendered state file that Salt reads differently. Pure. */
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { Rendered } from '../../core/states/compile/compile-input.ts';
import type { StateProblem } from '../../core/states/state-problem.ts';
import { loadYaml } from '../../core/yaml/load-yaml.ts';
import { isSexagesimal } from '../../core/yaml/resolve-plain.ts';
import type { YamlNode, YamlScalar } from '../../core/yaml/yaml-node.ts';

export function sexagesimalTexts({ text, place }: Rendered, path: string): readonly StateProblem[] {
  return sexagesimalScalars(text, path).map(({ source, at }) => ({
    message: `${source} is text here; Salt reads it as a number with the base 60`,
    at: place(at.line, at.column),
    chain: [],
    hint: `write '${source}': in quotes it is text for both`,
    severity: 'warning',
  }));
}

export function sexagesimalScalars(text: string, name: string): readonly YamlScalar[] {
  // Files without one are the rule, and reading takes longer than looking.
  if (!/\d:[0-5]?\d/.test(text)) return [];
  return scalarsOf(rootOf(text, name)).filter(({ plain, source }) => plain && isSexagesimal(source));
}

/** A file that cannot be read is told by the compiler. */
function rootOf(text: string, name: string): YamlNode | undefined {
  try {
    return loadYaml(text, { name }).root;
  } catch (error) {
    if (isZesterError(error)) return undefined;
    throw error;
  }
}

function scalarsOf(node: YamlNode | undefined): readonly YamlScalar[] {
  if (node === undefined) return [];
  if (node.kind === 'scalar') return [node];
  if (node.kind === 'sequence') return node.items.flatMap(scalarsOf);
  return node.entries.flatMap(({ key, value }) => [key, ...scalarsOf(value)]);
}
