/** `dataOfYaml` makes data of YAML nodes: keys and their order as they were written. */
import { YamlFloat } from '../yaml/yaml-data.ts';
import type { YamlNode, YamlScalar } from '../yaml/yaml-node.ts';
import { type DataValue, dataMapOf } from './data-value.ts';

export function dataOfYaml(node: YamlNode): DataValue {
  if (node.kind === 'sequence') return node.items.map(dataOfYaml);
  if (node.kind === 'mapping')
    return dataMapOf(node.entries.map(({ key, value }) => [dataOfScalar(key), dataOfYaml(value)]));
  return dataOfScalar(node);
}

function dataOfScalar({ value }: YamlScalar): DataValue {
  if (value.type === 'null') return null;
  return value.type === 'float' && Number.isSafeInteger(value.value)
    ? new YamlFloat(value.value)
    : value.value;
}
