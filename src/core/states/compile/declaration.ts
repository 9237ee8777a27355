/**
 * A declaration is one function under one id, as files write it, before anything is looked up. The forms that Salt
 * takes:
 *
 *     nginx: pkg.installed          nginx: [pkg.installed]          nginx:
 *                                                                     pkg.installed: []
 *     nginx:                        nginx:                            service.running:
 *       pkg: installed                pkg:                              - enable: true
 *                                       - installed
 *                                       - version: '1.26'
 */
import { FORBIDDEN_KEY } from '../../../wire/msgpack/wire-value.ts';
import type { YamlEntry, YamlNode, YamlScalar } from '../../yaml/yaml-node.ts';
import { ENGINE_KEYS } from './argument-keys.ts';
import type { ProblemList } from './problem-list.ts';
import { isNull, nodeKind, type StateFile, type Written } from './state-file.ts';
import type { Unread } from './unread.ts';
import { NO_WRITTEN_ARGUMENTS, readArguments, type WrittenArguments } from './written-arguments.ts';

/** What stands below an id: the function, or in an `extend` perhaps only its family. */
export interface FunctionBody extends Written {
  /** `pkg.installed`, or `pkg` where no function is named. */
  readonly module: string;
  readonly args: WrittenArguments;
}

export interface Declaration extends FunctionBody {
  readonly id: string;
}

export function readDeclarations(
  file: StateFile,
  problems: ProblemList,
  unread: Unread,
): readonly Declaration[] {
  const ids = new Set<string>();
  return file.declarations.flatMap(({ key, value }) => {
    const id = key.source;
    if (id === '' || id === FORBIDDEN_KEY || isNull(key)) {
      problems.error(
        file.placeOf(key),
        `${nodeKind(key)} cannot be an id`,
        'give the state a name in quotes',
      );
      return [];
    }
    // `1` and `"1"` are two keys for YAML and one id here.
    if (ids.has(id)) {
      problems.error(file.placeOf(key), `the id ${id} is there twice`, 'put both functions below one id');
      return [];
    }
    ids.add(id);
    return unread.watching(id, () => {
      const bodies = functionsOf(id, key, value, file, problems);
      return bodies.filter((body) => namesFunction(id, body, problems)).map((body) => ({ ...body, id }));
    });
  });
}

function namesFunction(id: string, { module, file, node }: FunctionBody, problems: ProblemList): boolean {
  if (isFunctionName(module)) return true;
  const hint = `write it with one, such as \`${module}.${EXAMPLES.get(module) ?? 'present'}:\``;
  problems.error(file.placeOf(node), `${id}: ${module} says no function`, hint);
  return false;
}

const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ['cmd', 'run'],
  ['file', 'managed'],
  ['pkg', 'installed'],
  ['service', 'running'],
]);

/** The functions below an id; also of an `extend`, where a family alone is enough. */
export function functionsOf(
  id: string,
  key: YamlScalar,
  body: YamlNode,
  file: StateFile,
  problems: ProblemList,
): readonly FunctionBody[] {
  const found = [...bodiesOf(id, key, body, file, problems)];
  const modules = new Set<string>();
  return found.filter(({ module, node }) => {
    if (modules.has(module)) problems.error(file.placeOf(node), `${id}: ${module} is there twice`);
    return !modules.has(module) && modules.add(module);
  });
}

const FORM = 'write the function below the id: `pkg.installed: []`';

function* bodiesOf(
  id: string,
  key: YamlScalar,
  body: YamlNode,
  file: StateFile,
  problems: ProblemList,
): Generator<FunctionBody> {
  if (body.kind === 'mapping') {
    for (const entry of body.entries) {
      const made = functionOf(id, entry, file, problems);
      if (made !== undefined) yield made;
    }
    if (body.entries.length === 0) problems.error(file.placeOf(key), `${id} has no function`, FORM);
    return;
  }
  const items = body.kind === 'sequence' ? body.items : [body];
  for (const item of items) {
    if (item.kind === 'scalar' && isFunctionName(item.source))
      yield { file, node: item, module: item.source, args: NO_WRITTEN_ARGUMENTS };
    else problems.error(file.placeOf(isNull(item) ? key : item), wrongBody(id, item), FORM);
  }
  if (items.length === 0) problems.error(file.placeOf(key), `${id} has no function`, FORM);
}

function wrongBody(id: string, item: YamlNode): string {
  if (isNull(item)) return `${id} has no function`;
  return `${id}: a function such as pkg.installed is expected here, not ${nodeKind(item)}`;
}

function functionOf(
  id: string,
  { key, value }: YamlEntry,
  file: StateFile,
  problems: ProblemList,
): FunctionBody | undefined {
  const name = key.source;
  const refuse = (message: string, hint: string): undefined => {
    problems.error(file.placeOf(key), message, hint);
  };
  if (ENGINE_KEYS.includes(name) || name === 'name')
    return refuse(
      `${id}: ${name} stands beside the functions instead of below one`,
      `move it into the list of its function: \`- ${name}: …\``,
    );
  if (!isFunctionName(name) && !/^\w+$/.test(name))
    return refuse(`${id}: ${nodeKind(key)} is not the name of a function`, FORM);
  const owner = `${name} of ${id}`;
  if (isNull(value)) return { file, node: key, module: name, args: NO_WRITTEN_ARGUMENTS };
  if (value.kind === 'mapping')
    return refuse(
      `${owner}: parameters are a list here, not a mapping`,
      'put a dash before each of them: `- name: value`',
    );
  if (value.kind === 'scalar' && isFunctionName(name))
    return refuse(
      `${owner}: a list of parameters is expected, not ${nodeKind(value)}`,
      'write `- name: value` below it',
    );
  const items = value.kind === 'sequence' ? value.items : [value];
  if (isFunctionName(name))
    return { file, node: key, module: name, args: readArguments(items, owner, file, problems) };
  return shortForm(id, key, items, file, problems);
}

/** `pkg: [installed, {version: '1.26'}]`: the one plain word is the function. */
function shortForm(
  id: string,
  key: YamlScalar,
  items: readonly YamlNode[],
  file: StateFile,
  problems: ProblemList,
): FunctionBody | undefined {
  const isWord = (item: YamlNode) => item.kind === 'scalar' && /^\w+$/.test(item.source) && !isNull(item);
  const [word, second] = items.filter(isWord) as YamlScalar[];
  if (second !== undefined) {
    problems.error(
      file.placeOf(second),
      `${id}: ${key.source} has two functions, ${word?.source} and ${second.source}`,
      'write each with its family: `pkg.installed: []`',
    );
    return undefined;
  }
  const module = word === undefined ? key.source : `${key.source}.${word.source}`;
  const rest = items.filter((item) => !isWord(item));
  return { file, node: key, module, args: readArguments(rest, `${module} of ${id}`, file, problems) };
}

function isFunctionName(text: string): boolean {
  return /^\w+\.\w+$/.test(text);
}

/** Whether a function is meant by its own name or by that of its family: `pkg` means any `pkg.…`. */
export function isOf(written: string, module: string): boolean {
  return written === module || (!written.includes('.') && module.startsWith(`${written}.`));
}
