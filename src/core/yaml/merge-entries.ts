/** `flattenEntries` resolves the merge keys (`<<`) of a mapping, and checks that no key stands there twice. */
import type { YamlEntry, YamlNode, YamlScalar } from './yaml-node.ts';

export interface OwnEntry {
  /** Undefined for a merge key. */
  readonly key: YamlScalar | undefined;
  readonly value: YamlNode;
  readonly offset: number;
}

type Invalid = (problem: string, offset: number) => Error;

/** As in Python: merged entries come first and own ones win; of a merged list the earlier mapping wins. */
export function flattenEntries(own: readonly OwnEntry[], invalid: Invalid): readonly YamlEntry[] {
  const entries = new Map<string, YamlEntry>();
  for (const { key, value, offset } of own) {
    if (key !== undefined) continue;
    for (const entry of mergedEntries(value, offset, invalid)) put(entries, entry);
  }
  const seen = new Set<string>();
  for (const { key, value, offset } of own) {
    if (key === undefined) continue;
    const name = keyName(key);
    if (seen.has(name)) throw invalid(`the key ${key.source} is there twice`, offset);
    seen.add(name);
    put(entries, { key, value });
  }
  return [...entries.values()];
}

function mergedEntries(value: YamlNode, offset: number, invalid: Invalid): readonly YamlEntry[] {
  if (value.kind === 'mapping') return value.entries;
  if (value.kind === 'scalar') throw invalid('<< takes a mapping or a list of mappings', offset);
  return value.items
    .map((item) => {
      if (item.kind !== 'mapping') throw invalid('<< takes a mapping or a list of mappings', offset);
      return item.entries;
    })
    .reverse()
    .flat();
}

/** A key that is there keeps its place and its own spelling, and gets the new value. */
function put(entries: Map<string, YamlEntry>, entry: YamlEntry): void {
  const name = keyName(entry.key);
  entries.set(name, { key: entries.get(name)?.key ?? entry.key, value: entry.value });
}

/** Equal for keys that are equal in Python: `1`, `1.0` and `true` are one. */
function keyName({ value }: YamlScalar): string {
  switch (value.type) {
    case 'null':
      return 'null';
    case 'str':
      return `text ${value.value}`;
    case 'binary':
      return `bytes ${value.value.join(' ')}`;
    case 'bool':
      return `number ${Number(value.value)}`;
    case 'int':
    case 'float':
      return `number ${value.value}`;
  }
}
