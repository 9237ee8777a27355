/**
 * These functions read arguments from YAML by the type of their parameter. A text or a file mode is what was written:
 * `version: 1.10` is "1.10" and not the number 1.1, `mode: 0644` is the text that everybody reads as octal (decision
 * 15). Everything else is the value that YAML makes of it.
 */
import { FORBIDDEN_KEY, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';
import type { YamlNode, YamlScalar } from '../yaml/yaml-node.ts';
import type { ParamType } from './params.ts';

export function argumentOfYaml(node: YamlNode, type: ParamType): WireValue {
  switch (type) {
    case 'string':
    case 'mode':
      return node.kind === 'scalar' ? writtenText(node) : valueOfYaml(node);
    case 'string-list':
      if (node.kind === 'sequence') return node.items.map((item) => argumentOfYaml(item, 'string'));
      return argumentOfYaml(node, 'string');
    case 'string-map':
      if (node.kind === 'mapping') return mapOfYaml(node.entries, (value) => argumentOfYaml(value, 'string'));
      if (node.kind === 'sequence') return node.items.map((item) => argumentOfYaml(item, 'string-map'));
      return argumentOfYaml(node, 'string');
    default:
      return valueOfYaml(node);
  }
}

/** Keys become text as they were written, also those that YAML reads as numbers. */
export function valueOfYaml(node: YamlNode): WireValue {
  if (node.kind === 'sequence') return node.items.map(valueOfYaml);
  if (node.kind === 'mapping') return mapOfYaml(node.entries, valueOfYaml);
  return node.value.type === 'null' ? null : node.value.value;
}

/** A key that no map on the wire can have. Whoever takes a node from a file looks for it first. */
export function forbiddenKey(node: YamlNode): YamlScalar | undefined {
  if (node.kind === 'scalar') return undefined;
  if (node.kind === 'sequence') return firstFound(node.items);
  const own = node.entries.find(({ key }) => key.source === FORBIDDEN_KEY)?.key;
  return own ?? firstFound(node.entries.map(({ value }) => value));
}

function firstFound(nodes: readonly YamlNode[]): YamlScalar | undefined {
  for (const node of nodes) {
    const found = forbiddenKey(node);
    if (found !== undefined) return found;
  }
  return undefined;
}

function writtenText({ value, source }: YamlScalar): WireValue {
  if (value.type === 'null') return null;
  return value.type === 'binary' ? value.value : source;
}

function mapOfYaml(
  entries: readonly { readonly key: YamlScalar; readonly value: YamlNode }[],
  convert: (node: YamlNode) => WireValue,
): WireMap {
  return Object.fromEntries(entries.map(({ key, value }) => [key.source, convert(value)]));
}
