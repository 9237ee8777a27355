/**
 * `topLines` reads what a top file says, of states or of settings: which pattern gives out which files. Whom a pattern
 * means is decided by whoever asks.
 *
 *     base:
 *       'web*':
 *         - match: glob        # what the pattern is; usually the pattern itself tells
 *         - web
 */
import type { SourcePosition } from '../../errors/zester-error.ts';
import type { YamlEntry, YamlNode } from '../../yaml/yaml-node.ts';
import type { AskedRef } from '../compile/compile-input.ts';
import type { ProblemList } from '../compile/problem-list.ts';
import { isNull, nodeKind, type StateFile } from '../compile/state-file.ts';

/** One pattern with what it gives out. */
export interface TopLine {
  readonly environment: string;
  readonly pattern: string;
  /** What `- match:` says; empty without it. */
  readonly type: string;
  /** Of the pattern. */
  readonly at: SourcePosition;
  readonly refs: readonly AskedRef[];
  /** `- ignore_missing: true`: a file that is not there is no mistake. Only in top files of settings. */
  readonly ignoresMissing: boolean;
}

/** What differs between the top file of states and that of settings. */
export interface TopForm {
  /** What it gives out, in the plural. */
  readonly files: string;
  readonly knowsIgnoreMissing: boolean;
}

export function topLines(file: StateFile, form: TopForm, problems: ProblemList): readonly TopLine[] {
  return file.allEntries.flatMap(({ key, value }) =>
    environmentLines(key.source, value, file, form, problems),
  );
}

/** How a top file is written, as a hint. */
export function topHint({ files }: TopForm): string {
  return `write \`base:\`, below it a pattern such as \`'web*':\`, and below that a list of ${files}`;
}

function environmentLines(
  environment: string,
  node: YamlNode,
  file: StateFile,
  form: TopForm,
  problems: ProblemList,
): readonly TopLine[] {
  if (isNull(node)) return [];
  if (node.kind === 'mapping')
    return node.entries.flatMap((entry) => lineOf(environment, entry, file, form, problems));
  problems.error(
    file.placeOf(node),
    `an environment is a mapping of patterns, not ${nodeKind(node)}`,
    topHint(form),
  );
  return [];
}

function lineOf(
  environment: string,
  { key, value }: YamlEntry,
  file: StateFile,
  form: TopForm,
  problems: ProblemList,
): readonly TopLine[] {
  const line = { environment, pattern: key.source, at: file.placeOf(key).at };
  if (value.kind !== 'sequence') {
    if (!isNull(value))
      problems.error(
        file.placeOf(value),
        `${key.source} takes a list of ${form.files}, not ${nodeKind(value)}`,
        topHint(form),
      );
    return [];
  }
  const refs: AskedRef[] = [];
  let type = '';
  let ignoresMissing = false;
  for (const item of value.items) {
    const option = item.kind === 'mapping' && item.entries.length === 1 ? item.entries[0] : undefined;
    if (item.kind === 'scalar' && !isNull(item)) refs.push({ ref: item.source, at: file.placeOf(item).at });
    else if (option?.key.source === 'match' && option.value.kind === 'scalar') type = option.value.source;
    else if (form.knowsIgnoreMissing && option !== undefined && isFlag(option))
      ignoresMissing = flagOf(option);
    else
      problems.error(
        file.placeOf(item),
        `${key.source} takes names of ${form.files}, not ${nodeKind(item)}`,
        'write `- web`, or `- match: grain` to say what the pattern is',
      );
  }
  return [{ ...line, type, refs, ignoresMissing }];
}

function isFlag({ key, value }: YamlEntry): boolean {
  return key.source === 'ignore_missing' && value.kind === 'scalar' && value.value.type === 'bool';
}

function flagOf({ value }: YamlEntry): boolean {
  return value.kind === 'scalar' && value.value.type === 'bool' && value.value.value;
}
