/** These functions make a layer of a settings file that was read: its data, and from each key back to where it is set. Pure. */
import { FORBIDDEN_KEY } from '../../wire/msgpack/wire-value.ts';
import { dataIdentity } from '../data/data-identity.ts';
import { dataOfYaml } from '../data/data-of-yaml.ts';
import { type DataValue, isDataMap } from '../data/data-value.ts';
import { forbiddenKey } from '../params/yaml-arguments.ts';
import type { Rendered } from '../states/compile/compile-input.ts';
import type { ProblemList } from '../states/compile/problem-list.ts';
import type { StateFile } from '../states/compile/state-file.ts';
import type { YamlMapping, YamlNode, YamlPosition } from '../yaml/yaml-node.ts';
import type { SettingsLayer } from './resolved-settings.ts';

/** How a file came into the resolve. */
export type SettingsOrigin = Pick<SettingsLayer, 'broughtBy' | 'chain' | 'pattern'>;

/** Undefined: the file says what it must not, and `problems` says what. */
export function settingsLayer(
  file: StateFile,
  origin: SettingsOrigin,
  problems: ProblemList,
): SettingsLayer | undefined {
  const own: YamlMapping = {
    kind: 'mapping',
    at: { line: 1, column: 1 },
    entries: file.allEntries.filter(({ key }) => key.source !== 'include'),
  };
  const forbidden = forbiddenKey(own);
  if (forbidden !== undefined) {
    problems.error(file.placeOf(forbidden), `${FORBIDDEN_KEY} cannot be a key`, 'choose another name');
    return undefined;
  }
  return mappingLayer(own, {
    ref: file.sls,
    file: file.path,
    ...origin,
    place: (line, column) => file.placeOf({ at: { line, column } }).at,
  });
}

type LayerFacts = Omit<SettingsLayer, 'data' | 'placeOf'> & Pick<Rendered, 'place'>;

export function mappingLayer(root: YamlMapping, { place, ...facts }: LayerFacts): SettingsLayer {
  const data = dataOfYaml(root);
  return {
    ...facts,
    data: isDataMap(data) ? data : {},
    placeOf(path) {
      const at = positionOf(root, path);
      return at && place(at.line, at.column);
    },
  };
}

/** Of a key where it is written; of an item of a list where it begins. */
function positionOf(root: YamlNode, path: readonly DataValue[]): YamlPosition | undefined {
  let node: YamlNode | undefined = root;
  let at = root.at;
  for (const key of path) {
    const child: Child | undefined = childOf(node, key);
    if (child === undefined) return undefined;
    node = child.node;
    at = child.at;
  }
  return at;
}

interface Child {
  readonly node: YamlNode;
  readonly at: YamlPosition;
}

function childOf(node: YamlNode | undefined, key: DataValue): Child | undefined {
  if (node?.kind === 'sequence') {
    const item = typeof key === 'number' ? node.items[key] : undefined;
    return item === undefined ? undefined : { node: item, at: item.at };
  }
  if (node?.kind !== 'mapping') return undefined;
  const wanted = dataIdentity(key);
  const entry = node.entries.find((each) => dataIdentity(dataOfYaml(each.key)) === wanted);
  return entry === undefined ? undefined : { node: entry.value, at: entry.key.at };
}
