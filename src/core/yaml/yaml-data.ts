/**
 * These types are plain data for YAML in both directions. Whole numbers are numbers or bigints; a float is its own
 * class, because JavaScript cannot tell 1.0 from 1. A mapping is a Map, since its keys need not be text.
 */
import type { YamlNode, YamlScalar } from './yaml-node.ts';

export type YamlData =
  | null
  | boolean
  | number
  | bigint
  | string
  | YamlFloat
  | YamlUnknown
  | Uint8Array
  | readonly YamlData[]
  | ReadonlyMap<YamlData, YamlData>;

export class YamlFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** What YAML has no form for, such as a function. Salt's dumper writes `NULL` for it, in capitals. */
export class YamlUnknown {
  readonly text = 'NULL';
}

/** The data of a node. Nodes that are one stay one. */
export function yamlData(root: YamlNode | undefined): YamlData {
  const made = new Map<YamlNode, YamlData>();
  const convert = (node: YamlNode): YamlData => {
    const known = made.get(node);
    if (known !== undefined) return known;
    const data = fresh(node);
    made.set(node, data);
    return data;
  };
  const fresh = (node: YamlNode): YamlData => {
    if (node.kind === 'scalar') return scalarData(node);
    if (node.kind === 'sequence') return node.items.map(convert);
    return new Map(node.entries.map(({ key, value }) => [scalarData(key), convert(value)]));
  };
  return root === undefined ? null : convert(root);
}

function scalarData({ value }: YamlScalar): YamlData {
  if (value.type === 'null') return null;
  return value.type === 'float' ? new YamlFloat(value.value) : value.value;
}
