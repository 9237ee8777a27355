/**
 * `dataAsWritten` gives the values of parameters that take maps or data with the keys and the order of the file. An
 * argument is read as a wire value first, whose keys are text: that is what is checked, shown and sent.
 */
import { dataOfYaml } from '../../data/data-of-yaml.ts';
import { type DataValue, dataEntries, dataMapOf, isDataMap } from '../../data/data-value.ts';
import { type Params, paramNames } from '../../params/params.ts';
import type { YamlNode } from '../../yaml/yaml-node.ts';
import type { WrittenArgument } from './written-arguments.ts';

/** Only the parameters that it knows better than `values`. */
export function dataAsWritten(
  params: Params,
  values: Readonly<Record<string, unknown>>,
  written: ReadonlyMap<string, WrittenArgument>,
): Readonly<Record<string, DataValue>> {
  const asWritten: Record<string, DataValue> = {};
  for (const [name, spec] of Object.entries(params)) {
    if (spec.type !== 'data' && spec.type !== 'map') continue;
    const key = paramNames(name, spec).find((each) => written.has(each));
    const node = key === undefined ? undefined : written.get(key)?.node;
    const value = values[name] as DataValue | undefined;
    // A scalar is a value that was not given, or a JSON text that has been read.
    if (node !== undefined && node.kind !== 'scalar' && value !== undefined)
      asWritten[name] = withWritten(value, node);
  }
  return asWritten;
}

/** What the value has besides what was written stays in it. */
function withWritten(value: DataValue, node: YamlNode): DataValue {
  const data = dataOfYaml(node);
  if (node.kind !== 'mapping' || !isDataMap(value) || !isDataMap(data)) return data;
  const written = new Set<DataValue>(node.entries.map(({ key }) => key.source));
  return dataMapOf([...dataEntries(value).filter(([key]) => !written.has(key)), ...dataEntries(data)]);
}
