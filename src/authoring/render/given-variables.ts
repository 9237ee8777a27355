/** These functions read the variables of a render from the command line: those of a file, changed by single ones. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { parseJson } from '../../core/jinja/library/parse-json.ts';
import { Dict } from '../../core/jinja/values/container/dict.ts';
import { typeName } from '../../core/jinja/values/type-name.ts';
import { type Host, PythonError, type Value } from '../../core/jinja/values/value.ts';

type ReadYaml = NonNullable<Host['loadYaml']>;

export interface VariablesFile {
  readonly path: string;
  readonly text: string;
}

/** `assignments` are `name=value` or `name.key=value`; the value is read as YAML. */
export function givenVariables(
  file: VariablesFile | undefined,
  assignments: readonly string[],
  readYaml: ReadYaml,
): Readonly<Record<string, Value>> {
  const variables = file === undefined ? new Dict() : readFile(file, readYaml);
  for (const assignment of assignments) assign(variables, assignment, readYaml);
  return Object.fromEntries([...variables.entries()].map(([name, value]) => [String(name), value]));
}

function readFile({ path, text }: VariablesFile, readYaml: ReadYaml): Dict {
  const data = path.endsWith('.json') ? parseJson(text) : yamlOf(path, text, readYaml);
  if (data === undefined) throw zesterError('TEMPLATE_CONTEXT', { path, problem: 'it is no JSON' });
  // An empty file is no variables.
  if (data === null) return new Dict();
  if (!(data instanceof Dict) || ![...data.keys()].every((key) => typeof key === 'string'))
    throw zesterError('TEMPLATE_CONTEXT', {
      path,
      problem: `it is a ${typeName(data)}, not a mapping of names to values`,
    });
  return data;
}

function yamlOf(path: string, text: string, readYaml: ReadYaml): Value {
  try {
    return readYaml(text);
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    throw zesterError('TEMPLATE_CONTEXT', { path, problem: error.message }, { cause: error });
  }
}

function assign(variables: Dict, assignment: string, readYaml: ReadYaml): void {
  const [, path, text] = /^([^=]+)=([\s\S]*)$/.exec(assignment) ?? [];
  if (path === undefined || text === undefined)
    throw zesterError('CLI_OPTION_VALUE', { option: '--set', problem: `is name=value, not ${assignment}` });
  const names = path.split('.');
  const last = names.pop() ?? path;
  let dict = variables;
  for (const name of names) {
    const inner = dict.get(name);
    const next = inner instanceof Dict ? inner : new Dict();
    dict.set(name, next);
    dict = next;
  }
  dict.set(last, yamlOf('--set', text, readYaml));
}
