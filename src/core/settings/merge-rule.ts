/**
 * A merge rule says how files of settings are laid on one another: Salt's strategies, which there are options of the
 * master. Here they stand in the file `_merge.zy` at the root of the settings, because peels merge, and all of them must
 * merge a revision alike. Without the file: `smart`, and lists are replaced. Results are those of Salt (recorded). Pure.
 *
 *     strategy: recurse     # smart, recurse: maps key by key at every depth. overwrite, aggregate: whole keys at the top
 *     lists: append         # replace, append: what is new in the later list is added to the earlier one
 */
import type { DataMap } from '../data/data-value.ts';
import type { ProblemList } from '../states/compile/problem-list.ts';
import { type FileForm, parseFile, verbatim } from '../states/compile/read-state-file.ts';
import { nodeKind, type StateFile } from '../states/compile/state-file.ts';
import { deepMerge, type MergeDepth } from '../states/template/deep-merge.ts';
import { didYouMean } from '../suggest.ts';
import type { YamlEntry } from '../yaml/yaml-node.ts';

export const MERGE_RULE_PATH = '_merge.zy';

const STRATEGIES = ['smart', 'recurse', 'aggregate', 'overwrite'] as const;
const LISTS = ['replace', 'append'] as const;

export interface MergeRule {
  readonly strategy: (typeof STRATEGIES)[number];
  readonly lists: (typeof LISTS)[number];
}

export const DEFAULT_MERGE_RULE: MergeRule = { strategy: 'smart', lists: 'replace' };

export function mergeByRule(under: DataMap, over: DataMap, rule: MergeRule): DataMap {
  return deepMerge(under, over, depthOf(rule));
}

/** What Salt calls aggregate only differs from overwrite for the tags of its yamlex renderer, which is not here. */
export function depthOf({ strategy, lists }: MergeRule): MergeDepth {
  const isWhole = strategy === 'overwrite' || strategy === 'aggregate';
  return { levels: isWhole ? 1 : Number.POSITIVE_INFINITY, lists };
}

const MERGE_FORM: FileForm = {
  name: 'the file of the merge rule',
  tree: 'the tree of settings',
  content: 'a mapping',
  beginning: 'write `strategy: recurse`, or `lists: append`',
};

/** `text`: of `_merge.zy`; undefined where there is no such file. What is wrong with it goes to `problems`. */
export function readMergeRule(text: string | undefined, problems: ProblemList): MergeRule {
  if (text === undefined) return DEFAULT_MERGE_RULE;
  const path = MERGE_RULE_PATH;
  const file = parseFile(
    { path, text, sls: path, chain: [], includers: [] },
    verbatim({ path, text }),
    problems,
    MERGE_FORM,
  );
  let rule = DEFAULT_MERGE_RULE;
  for (const entry of file?.allEntries ?? [])
    rule = { ...rule, ...readEntry(entry, file as StateFile, problems) };
  return rule;
}

function readEntry({ key, value }: YamlEntry, file: StateFile, problems: ProblemList): Partial<MergeRule> {
  const known: Readonly<Record<keyof MergeRule, readonly string[]>> = { strategy: STRATEGIES, lists: LISTS };
  const choices = Object.hasOwn(known, key.source) ? known[key.source as keyof MergeRule] : undefined;
  if (choices === undefined) {
    const names = Object.keys(known);
    const hint = didYouMean(key.source, names, `it has only ${names.join(' and ')}`);
    problems.error(file.placeOf(key), `the merge rule has no key ${key.source}`, hint);
    return {};
  }
  if (value.kind === 'scalar' && choices.includes(value.source)) return { [key.source]: value.source };
  const said = value.kind === 'scalar' ? value.source : '';
  const hint = didYouMean(said, choices, 'see the settings guide for what each of them does');
  problems.error(
    file.placeOf(value),
    `${key.source} is one of ${choices.join(', ')}, not ${nodeKind(value)}`,
    hint,
  );
  return {};
}
