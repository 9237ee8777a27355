/**
 * These functions turn YAML's data into values of a template, and back. What is one object stays one object, in both
 * directions.
 */

import { Dict } from '../jinja/values/container/dict.ts';
import { PySet } from '../jinja/values/container/set.ts';
import { Tuple } from '../jinja/values/container/tuple.ts';
import { Float } from '../jinja/values/number/float.ts';
import { Bytes } from '../jinja/values/text/bytes.ts';
import { PythonError, type Value } from '../jinja/values/value.ts';
import { type YamlData, YamlFloat, YamlUnknown } from '../yaml/yaml-data.ts';

export function templateValueOfYaml(data: YamlData): Value {
  return new ValueMaker().make(data);
}

class ValueMaker {
  private readonly made = new Map<object, Value>();

  make(data: YamlData): Value {
    if (typeof data !== 'object' || data === null) return data;
    if (data instanceof YamlFloat) return new Float(data.value);
    if (data instanceof Uint8Array) return new Bytes(data);
    if (data instanceof YamlUnknown) return null;
    return this.made.get(data) ?? this.collection(data);
  }

  private collection(data: readonly YamlData[] | ReadonlyMap<YamlData, YamlData>): Value {
    if (Array.isArray(data)) {
      const list: Value[] = [];
      this.made.set(data, list);
      for (const item of data as readonly YamlData[]) list.push(this.make(item));
      return list;
    }
    const dict = new Dict();
    this.made.set(data, dict);
    for (const [key, value] of data as ReadonlyMap<YamlData, YamlData>)
      dict.set(this.make(key), this.make(value));
    return dict;
  }
}

/** What YAML cannot hold, such as a function, is unknown there. */
export function yamlOfValue(value: Value): YamlData {
  return new YamlMaker().make(value);
}

const DEPTH_MAX = 500;

class YamlMaker {
  private readonly made = new Map<object, YamlData>();
  private depth = 0;

  make(value: Value): YamlData {
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Float) return new YamlFloat(value.value);
    if (value instanceof Bytes) return value.bytes;
    return this.made.get(value) ?? this.collection(value);
  }

  private collection(value: Exclude<Value, null | boolean | number | bigint | string>): YamlData {
    if (++this.depth > DEPTH_MAX) throw new PythonError('RecursionError', 'the data nests too deep for YAML');
    const data = this.fresh(value);
    this.depth--;
    return data;
  }

  private fresh(value: Exclude<Value, null | boolean | number | bigint | string>): YamlData {
    if (value instanceof Dict) {
      const map = new Map<YamlData, YamlData>();
      this.made.set(value, map);
      for (const [key, each] of value.entries()) map.set(this.make(key), this.make(each));
      return map;
    }
    const items = Array.isArray(value) ? value : value instanceof Tuple ? value.items : undefined;
    if (value instanceof PySet)
      throw new PythonError('RepresenterError', 'a set cannot be written as YAML; make a list of it: |list');
    if (items === undefined) return new YamlUnknown();
    const list: YamlData[] = [];
    this.made.set(value, list);
    for (const item of items) list.push(this.make(item));
    return list;
  }
}
