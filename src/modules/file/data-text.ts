/**
 * These functions write data as the text of a file, JSON or YAML, and read it back. The forms are Salt's: sorted keys,
 * two blanks for each level, a newline at the end, letters outside of ASCII as they are. So a file that Salt wrote
 * stays as it is.
 */
import { type DataValue, dataEntries, isDataMap } from '../../core/data/data-value.ts';
import { parseJson } from '../../core/jinja/library/parse-json.ts';
import { floatText } from '../../core/jinja/values/number/float.ts';
import { yamlOfValue } from '../../core/templates/yaml-values.ts';
import { dumpYaml } from '../../core/yaml/dump-yaml.ts';
import { loadYaml } from '../../core/yaml/load-yaml.ts';
import { sortedKeys } from '../../core/yaml/sort-keys.ts';
import { type YamlData, YamlFloat, yamlData } from '../../core/yaml/yaml-data.ts';
import { formatRfc3339, WireTime } from '../../wire/msgpack/time.ts';
import { badArguments } from './edit/edit-arguments.ts';

export const SERIALIZERS = ['json', 'yaml'] as const;
export type Serializer = (typeof SERIALIZERS)[number];

export function dataText(data: YamlData, serializer: Serializer): string {
  const text = serializer === 'json' ? jsonText(data, '\n') : dumpYaml(data, { allowUnicode: true });
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Null for an empty file. Undefined for what is no JSON; YAML throws with the place where it is wrong. */
export function parseDataText(text: string, serializer: Serializer, path: string): YamlData | undefined {
  if (text.trim() === '') return null;
  if (serializer === 'yaml') return yamlData(loadYaml(text, { name: path }).root);
  const value = parseJson(text);
  return value === undefined ? undefined : yamlOfValue(value);
}

/** What came in a state or a setting. A number that is no exact integer is a float: larger ones come as bigint. */
export function yamlOfData(value: DataValue): YamlData {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : new YamlFloat(value);
  if (value instanceof YamlFloat) return value;
  if (value instanceof WireTime) return formatRfc3339(value.unixNanos);
  if (Array.isArray(value)) return (value as readonly DataValue[]).map(yamlOfData);
  if (!isDataMap(value)) return value as YamlData;
  return new Map(dataEntries(value).map(([key, item]) => [yamlOfData(key), yamlOfData(item)]));
}

/** Maps are merged at every depth; anything else is replaced. What `over` does not name stays, in its place. */
export function mergeData(under: YamlData, over: YamlData): YamlData {
  if (!isMap(under) || !isMap(over)) return over;
  const merged = new Map(under);
  for (const [key, value] of over)
    merged.set(key, merged.has(key) ? mergeData(merged.get(key) ?? null, value) : value);
  return merged;
}

export function isMap(data: YamlData | undefined): data is ReadonlyMap<YamlData, YamlData> {
  return data instanceof Map;
}

/** `line` starts a new line at the level of the value's own brackets. */
function jsonText(data: YamlData, line: string): string {
  const inner = `${line}  `;
  if (Array.isArray(data)) {
    const items = (data as readonly YamlData[]).map((item) => jsonText(item, inner));
    return items.length === 0 ? '[]' : `[${inner}${items.join(`,${inner}`)}${line}]`;
  }
  if (isMap(data)) {
    const keys = sortedKeys([...data.keys()]);
    const pairs = keys.map((key) => `${keyText(key)}: ${jsonText(data.get(key) ?? null, inner)}`);
    return pairs.length === 0 ? '{}' : `{${inner}${pairs.join(`,${inner}`)}${line}}`;
  }
  return scalarText(data);
}

function keyText(key: YamlData): string {
  return typeof key === 'string' ? JSON.stringify(key) : JSON.stringify(scalarText(key));
}

function scalarText(data: YamlData): string {
  if (typeof data === 'string') return JSON.stringify(data);
  if (typeof data === 'bigint') return String(data);
  if (data instanceof YamlFloat && Number.isFinite(data.value)) return floatText(data.value);
  if (data === null || typeof data === 'boolean' || typeof data === 'number') return String(data);
  const what = data instanceof YamlFloat ? String(data.value) : 'bytes';
  throw badArguments('file.serialize', `JSON cannot hold ${what}`);
}
