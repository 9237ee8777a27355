/**
 * `expandNames` makes several states of one declaration that has `names`. They keep its id, and each name goes into the
 * primary parameter, whatever stood there. A name that stands there twice is one state. An entry may bring arguments
 * that are only its own:
 *
 *     names:
 *       - /srv/a
 *       - /srv/b:
 *         - mode: 700
 */
import { FORBIDDEN_KEY } from '../../../wire/msgpack/wire-value.ts';
import { paramNames } from '../../params/params.ts';
import type { YamlNode, YamlScalar } from '../../yaml/yaml-node.ts';
import type { StateSchema } from '../state-schema.ts';
import { NAMES_KEY } from './argument-keys.ts';
import { NAMES_MAX } from './compile-limits.ts';
import type { Declaration } from './declaration.ts';
import type { ProblemList } from './problem-list.ts';
import { isNull, nodeKind, type StateFile } from './state-file.ts';
import {
  mergeArguments,
  NO_WRITTEN_ARGUMENTS,
  readArguments,
  type WrittenArgument,
  type WrittenArguments,
} from './written-arguments.ts';

export interface NamedDeclaration extends Declaration {
  /** The entry of `names` that it is for. */
  readonly entry: string | undefined;
}

export function expandNames(
  declaration: Declaration,
  schema: StateSchema,
  problems: ProblemList,
): readonly NamedDeclaration[] {
  const written = declaration.args.byKey.get(NAMES_KEY);
  if (written === undefined || isNull(written.node)) return [{ ...declaration, entry: undefined }];
  const { file, node } = written;
  const items = node.kind === 'sequence' ? node.items : [node];
  const owner = `${declaration.module} of ${declaration.id}`;
  if (items.length > NAMES_MAX) {
    problems.error(file.placeOf(node), `${owner}: names has more than ${NAMES_MAX} entries`);
    return [];
  }
  // As in Salt: no names are as good as none given.
  if (items.length === 0) return [{ ...declaration, entry: undefined }];
  const byName = new Map<string, NamedDeclaration>();
  for (const item of items) {
    const entry = entryOf(item, owner, file, problems);
    if (entry === undefined) continue;
    const { source } = entry.name;
    if (byName.has(source))
      problems.warn(file.placeOf(item), `${owner}: names has ${source} twice, and the first one counts`);
    else {
      const named = withName(declaration.args, entry.name, file, schema);
      byName.set(source, { ...declaration, args: mergeArguments(named, entry.own), entry: source });
    }
  }
  return [...byName.values()];
}

interface NamesEntry {
  readonly name: YamlScalar;
  readonly own: WrittenArguments;
}

function entryOf(
  item: YamlNode,
  owner: string,
  file: StateFile,
  problems: ProblemList,
): NamesEntry | undefined {
  if (item.kind === 'scalar' && isName(item)) return { name: item, own: NO_WRITTEN_ARGUMENTS };
  const [entry, second] = item.kind === 'mapping' ? item.entries : [];
  if (entry === undefined || second !== undefined || !isName(entry.key)) {
    const hint = 'write each name as `- name`, or as `- name:` with a list of arguments below';
    problems.error(file.placeOf(item), `${owner}: names takes names, not ${nodeKind(item)}`, hint);
    return undefined;
  }
  const { key, value } = entry;
  if (isNull(value)) return { name: key, own: NO_WRITTEN_ARGUMENTS };
  const items = value.kind === 'sequence' ? value.items : [value];
  return { name: key, own: readArguments(items, `${owner}, ${key.source}`, file, problems) };
}

function isName(node: YamlScalar): boolean {
  return !isNull(node) && node.source !== '' && node.source !== FORBIDDEN_KEY;
}

/** A function without a primary parameter gets no argument from the name, unless it takes any: then `name`. */
function withName(
  args: WrittenArguments,
  name: YamlScalar,
  file: StateFile,
  { params, open }: StateSchema,
): WrittenArguments {
  const primary = Object.entries(params).find(([, spec]) => spec.primary);
  const keys = primary === undefined ? ['name'] : paramNames(...primary);
  const byKey = new Map<string, WrittenArgument>(args.byKey);
  for (const key of [...keys, NAMES_KEY]) byKey.delete(key);
  if (primary !== undefined || open) byKey.set(keys[0] ?? 'name', { file, key: name, node: name });
  return { byKey, requisites: args.requisites };
}
