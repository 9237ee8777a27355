/**
 * `includesOf` reads the `include` of a settings file, in the forms that Salt has:
 *
 *     include:
 *       - common              # a name; one that begins with a dot is relative to the folder of the file
 *       - site:
 *           key: sites:shop   # what the file says goes below these keys
 *           defaults:         # variables for its template
 *             port: 8080
 *
 * What cannot be read is a problem at its place. Pure.
 */
import { dataOfYaml } from '../data/data-of-yaml.ts';
import { type DataValue, dataEntries, isDataMap } from '../data/data-value.ts';
import type { ProblemList, SourcePlace } from '../states/compile/problem-list.ts';
import { isNull, nodeKind, type StateFile } from '../states/compile/state-file.ts';
import { absoluteRef } from '../states/compile/state-refs.ts';
import { didYouMean } from '../suggest.ts';
import type { YamlEntry, YamlNode, YamlScalar } from '../yaml/yaml-node.ts';
import { KEY_PARTS_MAX } from './settings-limits.ts';

export interface SettingsInclude {
  /** The whole name; it may have a pattern in it. */
  readonly ref: string;
  readonly place: SourcePlace;
  /** Empty: at the top. */
  readonly keys: readonly string[];
  /** Undefined where the include says nothing of variables: then those of the including file hold. */
  readonly defaults: Readonly<Record<string, DataValue>> | undefined;
}

const FORM = 'write each file on a line of its own: `- common.base`';
const OPTIONS = ['key', 'defaults'] as const;

export function includesOf(file: StateFile, problems: ProblemList): readonly SettingsInclude[] {
  const node = file.directive('include');
  // What a template left empty includes nothing.
  if (node === undefined || isNull(node)) return [];
  if (node.kind !== 'sequence') {
    problems.error(file.placeOf(node), `include takes a list of files, not ${nodeKind(node)}`, FORM);
    return [];
  }
  return node.items.flatMap((item) => includeOf(item, file, problems));
}

function includeOf(item: YamlNode, file: StateFile, problems: ProblemList): readonly SettingsInclude[] {
  if (item.kind === 'scalar' && !isNull(item))
    return named(item, file, problems, { keys: [], defaults: undefined });
  const entry = item.kind === 'mapping' && item.entries.length === 1 ? item.entries[0] : undefined;
  if (entry === undefined || entry.value.kind !== 'mapping') {
    problems.error(
      file.placeOf(item),
      `include takes names of files, not ${nodeKind(item)}`,
      'write `- common.base`, or `- common.base:` and deeper below it `key: name`',
    );
    return [];
  }
  const errorsBefore = problems.errorCount;
  const options = optionsOf(entry.value.entries, file, problems);
  return problems.errorCount > errorsBefore ? [] : named(entry.key, file, problems, options);
}

type Options = Pick<SettingsInclude, 'keys' | 'defaults'>;

function named(
  name: YamlScalar,
  file: StateFile,
  problems: ProblemList,
  options: Options,
): readonly SettingsInclude[] {
  const place = file.placeOf(name);
  const ref = absoluteRef(name.source.replaceAll('/', '.'), file);
  if (ref !== undefined) return [{ ref, place, ...options }];
  problems.error(place, `${name.source} leads out of the tree`, 'use fewer dots at its beginning');
  return [];
}

function optionsOf(entries: readonly YamlEntry[], file: StateFile, problems: ProblemList): Options {
  let keys: readonly string[] = [];
  let defaults: Options['defaults'] = {};
  for (const { key, value } of entries) {
    if (key.source === 'key' && value.kind === 'scalar') keys = keyParts(value, file, problems);
    else if (key.source === 'defaults' && value.kind === 'mapping') defaults = variablesOf(value);
    else if (key.source === 'key' || key.source === 'defaults')
      problems.error(
        file.placeOf(value),
        `${key.source} of an include is ${key.source === 'key' ? 'text' : 'a mapping'}, not ${nodeKind(value)}`,
        key.source === 'key'
          ? 'write `key: sites:shop`'
          : 'write `defaults:` and deeper below it `name: value`',
      );
    else
      problems.error(
        file.placeOf(key),
        `an include has no option ${key.source}`,
        didYouMean(key.source, OPTIONS, `it has only ${OPTIONS.join(' and ')}`),
      );
  }
  return { keys, defaults };
}

function keyParts(value: YamlScalar, file: StateFile, problems: ProblemList): readonly string[] {
  if (isNull(value)) return [];
  const parts = value.source.split(':');
  if (parts.length <= KEY_PARTS_MAX && !parts.includes('')) return parts;
  problems.error(
    file.placeOf(value),
    parts.includes('') ? 'a part of the key is empty' : `a key has at most ${KEY_PARTS_MAX} parts`,
    'write `key: sites:shop`',
  );
  return [];
}

function variablesOf(node: YamlNode): Readonly<Record<string, DataValue>> {
  const data = dataOfYaml(node);
  return Object.fromEntries(
    isDataMap(data) ? dataEntries(data).map(([name, value]) => [String(name), value]) : [],
  );
}
