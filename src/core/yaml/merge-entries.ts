/** `resolveMerges` resolves the merge keys (`<<`) of a mapping, and checks that no key stands there twice. */
import type { YamlEntry, YamlPosition, YamlScalar } from './yaml-node.ts';
import { type YamlProblem, yamlProblem } from './yaml-problem.ts';

type Invalid = (problem: YamlProblem, at: YamlPosition) => Error;
/** Hears how many entries are about to be copied, and throws where they are too many. */
type CountCopies = (count: number, at: YamlPosition) => void;

/**
 * As Salt has it: merged entries come first, a list of mappings from its end on; those whose key the mapping has itself
 * are left out, and what is there twice after that is an error, also where it came from two merges.
 */
export function resolveMerges(
  written: readonly YamlEntry[],
  invalid: Invalid,
  countCopies: CountCopies,
): readonly YamlEntry[] {
  const merges = written.filter(({ key }) => isMergeKey(key));
  if (merges.length === 0) {
    checkTwins(written, 0, invalid);
    return written;
  }
  const own = written.filter(({ key }) => !isMergeKey(key));
  // Salt compares the texts of the keys here, not what they mean.
  const ownTexts = new Set(own.map(({ key }) => key.source));
  const merged = merges
    .flatMap((entry) => {
      const parts = mergedParts(entry, invalid);
      countCopies(
        parts.reduce((sum, part) => sum + part.length, 0),
        entry.key.at,
      );
      return parts.flat();
    })
    .filter(({ key }) => !ownTexts.has(key.source));
  const entries = [...merged, ...own];
  checkTwins(entries, merged.length, invalid);
  return entries;
}

function isMergeKey({ plain, source }: YamlScalar): boolean {
  return plain && source === '<<';
}

/** The entries of each mapping that a merge key names, in the order in which they are merged. */
function mergedParts({ key, value }: YamlEntry, invalid: Invalid): readonly (readonly YamlEntry[])[] {
  const parts = value.kind === 'sequence' ? value.items.toReversed() : [value];
  return parts.map((part) => {
    if (part.kind !== 'mapping') throw invalid(yamlProblem`<< takes a mapping or a list of mappings`, key.at);
    return part.entries;
  });
}

function checkTwins(entries: readonly YamlEntry[], mergedCount: number, invalid: Invalid): void {
  if (entries.length < 2) return;
  const seen = new Set<string>();
  for (const [index, { key }] of entries.entries()) {
    const name = keyName(key);
    if (seen.has(name))
      throw invalid(
        index < mergedCount
          ? yamlProblem`the key ${key.source} comes twice through <<; give it in the mapping itself`
          : yamlProblem`the key ${key.source} is there twice`,
        key.at,
      );
    seen.add(name);
  }
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
