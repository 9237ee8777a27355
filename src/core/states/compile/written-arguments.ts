/**
 * The list below a function is taken apart here: parameters and attributes by key, requisites one by one. Nothing is
 * looked up yet. Of a key that stands twice in one list the later one counts, as in Salt; only the inverse requisites add
 * up. What `extend` or another file says of the same requisite is added.
 */
import { FORBIDDEN_KEY } from '../../../wire/msgpack/wire-value.ts';
import type { YamlEntry, YamlNode, YamlScalar } from '../../yaml/yaml-node.ts';
import { REQUISITE_KEYS, type RequisiteKey } from './argument-keys.ts';
import type { ProblemList } from './problem-list.ts';
import { isNull, nodeKind, type StateFile, type Written } from './state-file.ts';

export interface WrittenArguments {
  readonly byKey: ReadonlyMap<string, WrittenArgument>;
  readonly requisites: readonly WrittenRequisite[];
}

export interface WrittenArgument {
  readonly file: StateFile;
  readonly key: YamlScalar;
  readonly node: YamlNode;
}

/** `- pkg: nginx` has a family; `- nginx` and `- pkg.installed:nginx` have none. */
export interface WrittenRequisite extends Written, RequisiteKey {
  /** As it was written: `listen_in`. */
  readonly key: string;
  readonly family: string | undefined;
  readonly target: string;
}

export const NO_WRITTEN_ARGUMENTS: WrittenArguments = { byKey: new Map(), requisites: [] };

/** What `later` says is added to and wins over what `earlier` says. */
export function mergeArguments(earlier: WrittenArguments, later: WrittenArguments): WrittenArguments {
  return {
    byKey: new Map([...earlier.byKey, ...later.byKey]),
    requisites: [...earlier.requisites, ...later.requisites],
  };
}

/** `owner` is what the arguments belong to, for messages: `pkg.installed of nginx`. */
export function readArguments(
  items: readonly YamlNode[],
  owner: string,
  file: StateFile,
  problems: ProblemList,
): WrittenArguments {
  const byKey = new Map<string, WrittenArgument>();
  const requisites = new Map<string, readonly WrittenRequisite[]>();
  const warnOfTwice = (name: string, key: YamlScalar) =>
    problems.warn(file.placeOf(key), `${owner}: ${name} stands there twice, and the later one counts`);
  for (const { key, value } of items.flatMap((item) => entriesOf(item, owner, file, problems))) {
    const name = key.source;
    if (name === '' || name === FORBIDDEN_KEY || isNull(key)) {
      problems.error(file.placeOf(key), `${owner}: ${nodeKind(key)} cannot be the name of a parameter`);
      continue;
    }
    const requisite = REQUISITE_KEYS.get(name);
    if (requisite !== undefined) {
      if (/^listen/.test(name))
        problems.warn(
          file.placeOf(key),
          `${owner}: ${name} is ${name.replace('listen', 'watch')} here; in Salt it waits for the end of the run`,
        );
      if (!requisite.inverse && requisites.has(name)) warnOfTwice(name, key);
      const targets = targetsOf({ name, ...requisite }, value, owner, file, problems);
      const written = targets.map((target) => ({ ...requisite, key: name, file, ...target }));
      requisites.set(name, requisite.inverse ? [...(requisites.get(name) ?? []), ...written] : written);
      continue;
    }
    if (byKey.has(name)) warnOfTwice(name, key);
    byKey.set(name, { file, key, node: value });
  }
  return { byKey, requisites: [...requisites.values()].flat() };
}

function entriesOf(
  item: YamlNode,
  owner: string,
  file: StateFile,
  problems: ProblemList,
): readonly YamlEntry[] {
  if (item.kind === 'mapping') return item.entries;
  const hint =
    item.kind === 'scalar' && /^\w+:\S/.test(item.source)
      ? `a blank is missing after the colon: \`- ${item.source.replace(':', ': ')}\``
      : 'write parameters as `- name: value`';
  problems.error(file.placeOf(item), `${owner}: a parameter is expected here, not ${nodeKind(item)}`, hint);
  return [];
}

/** What one entry of a requisite names, and where. */
export type RequisiteTarget = Pick<WrittenRequisite, 'family' | 'target' | 'node'>;

const TARGET_FORMS = 'write `- pkg: nginx`, `- pkg.installed:nginx`, `- sls: web` or the id alone';

export function targetsOf(
  { name: key, inverse }: Pick<RequisiteKey, 'inverse'> & { readonly name: string },
  value: YamlNode,
  owner: string,
  file: StateFile,
  problems: ProblemList,
): readonly RequisiteTarget[] {
  if (isNull(value)) return [];
  // The inverse forms take a mapping as well, as in Salt.
  if (value.kind !== 'sequence' && !(inverse && value.kind === 'mapping')) {
    const hint = `write it as a list: \`- ${key}:\` and below it \`- pkg: nginx\``;
    problems.error(
      file.placeOf(value),
      `${owner}: ${key} takes a list of states, not ${nodeKind(value)}`,
      hint,
    );
    return [];
  }
  const items = value.kind === 'sequence' ? value.items : [value];
  return items.flatMap((item): readonly RequisiteTarget[] => {
    if (item.kind === 'mapping')
      return item.entries.flatMap((entry) => pairTarget(key, entry, owner, file, problems));
    if (item.kind === 'scalar' && !isNull(item) && item.source !== '')
      return [{ family: undefined, target: item.source, node: item }];
    problems.error(file.placeOf(item), `${owner}: ${key} names states, not ${nodeKind(item)}`, TARGET_FORMS);
    return [];
  });
}

function pairTarget(
  key: string,
  entry: YamlEntry,
  owner: string,
  file: StateFile,
  problems: ProblemList,
): readonly RequisiteTarget[] {
  const { key: family, value } = entry;
  if (value.kind === 'scalar' && !isNull(value) && value.source !== '' && !isNull(family))
    return [{ family: family.source, target: value.source, node: family }];
  problems.error(
    file.placeOf(family),
    `${owner}: ${key} on ${family.source} needs the id of one state, not ${nodeKind(value)}`,
    value.kind === 'sequence' ? `write one line for each: \`- ${family.source}: id\`` : TARGET_FORMS,
  );
  return [];
}
