/**
 * `dataAsWritten` gives the values of parameters that take maps or data with the keys and the order of the file. An
 * argument is read as a wire value first, whose keys are text: that is what is checked, shown and sent.
 */
import { dataOfYaml } from '../../data/data-of-yaml.ts';
import { type DataValue, dataEntries, dataMapOf, isDataMap } from '../../data/data-value.ts';
import { paramNames } from '../../params/params.ts';
import type { YamlNode } from '../../yaml/yaml-node.ts';
import type { StateSchema } from '../state-schema.ts';
import { isNull } from './state-file.ts';
import type { WrittenArgument } from './written-arguments.ts';

type Written = ReadonlyMap<string, WrittenArgument>;

/** Only the parameters that it knows better than `values`. `passed` are variables of a template (passed-on.ts). */
export function dataAsWritten(
  { params, passesOn }: StateSchema,
  values: Readonly<Record<string, unknown>>,
  written: Written,
  passed: Written,
): Readonly<Record<string, DataValue>> {
  const asWritten: Record<string, DataValue> = {};
  for (const [name, spec] of Object.entries(params)) {
    if (spec.type !== 'data' && spec.type !== 'map') continue;
    const key = paramNames(name, spec).find((each) => written.has(each));
    const given = key === undefined ? undefined : written.get(key)?.node;
    const value = values[name] as DataValue | undefined;
    const variables: Written = passesOn?.into === name ? passed : new Map();
    const node = given === undefined || isNull(given) ? undefined : given;
    if (value === undefined || (node === undefined && variables.size === 0)) continue;
    // A scalar is a JSON text that has been read.
    if (node?.kind !== 'scalar') asWritten[name] = withWritten(value, node, variables);
  }
  return asWritten;
}

/** What the value has besides what was written stays in it. */
function withWritten(value: DataValue, node: YamlNode | undefined, variables: Written): DataValue {
  const data = node === undefined ? {} : dataOfYaml(node);
  if (!isDataMap(value) || !isDataMap(data)) return data;
  const written = new Set<DataValue>(
    node?.kind === 'mapping' ? node.entries.map(({ key }) => key.source) : [],
  );
  const others = dataEntries(value)
    .filter(([key]) => !written.has(key))
    .map(([key, each]): readonly [DataValue, DataValue] => {
      const variable = variables.get(String(key));
      return [key, variable === undefined ? each : dataOfYaml(variable.node)];
    });
  return dataMapOf([...others, ...dataEntries(data)]);
}
