/**
 * `readSettingsTop` reads the top file of settings, which says which files belong to which peel. It is no template: the
 * masters, who seal secrets for the peels that it names, and every peel must read the same from it.
 *
 *     base:
 *       '*':
 *         - common
 *       'web*':
 *         - ignore_missing: true
 *         - web
 *
 * Environments are only headings, all of them count, in file order. Pure.
 */
import type { SourcePosition } from '../errors/zester-error.ts';
import type { AskedRef, MatchPattern } from '../states/compile/compile-input.ts';
import type { ProblemList } from '../states/compile/problem-list.ts';
import { parseFile, verbatim } from '../states/compile/read-state-file.ts';
import { type TopForm, type TopLine, topHint, topLines } from '../states/top/top-lines.ts';
import { SETTINGS_TOP_PATHS } from './settings-paths.ts';

/** A text file of a settings tree. */
export interface SettingsText {
  readonly path: string;
  readonly text: string;
}

const SETTINGS_TOP: TopForm = { files: 'settings files', knowsIgnoreMissing: true };
const TOP_FILE_FORM = {
  name: 'the top file of settings',
  tree: 'the tree of settings',
  content: 'a mapping of environments',
  beginning: topHint(SETTINGS_TOP),
};

/** `where`: the place of the whole tree, for messages. What is wrong goes to `problems`. */
export function readSettingsTop(
  files: readonly SettingsText[],
  where: string,
  problems: ProblemList,
): readonly TopLine[] {
  const [file, second] = files.filter(({ path }) => (SETTINGS_TOP_PATHS as readonly string[]).includes(path));
  const nowhere = { at: { file: where }, chain: [] };
  if (second !== undefined) {
    problems.error(nowhere, 'there are top.zy and top.sls', 'remove one of them');
    return [];
  }
  if (file === undefined) {
    problems.error(nowhere, 'there is no top.zy', `make one: ${topHint(SETTINGS_TOP)}`);
    return [];
  }
  const mark = templateMark(file.text);
  if (mark !== undefined) {
    problems.error(
      { at: { file: file.path, ...mark }, chain: [] },
      'the top file of settings is not a template',
      'write the patterns out; one can ask for facts, as G@os:Debian does',
    );
    return [];
  }
  const read = parseFile(
    { ...file, sls: 'top', chain: [], includers: [] },
    verbatim(file),
    problems,
    TOP_FILE_FORM,
  );
  return read === undefined ? [] : topLines(read, SETTINGS_TOP, problems);
}

/** Where a template would begin. In a comment it is only words. */
function templateMark(text: string): Pick<SourcePosition, 'line' | 'column'> | undefined {
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const found = /\{[{%]/.exec(line.replace(/(?:^|\s)#.*$/, ''));
    if (found !== null) return { line: index + 1, column: found.index + 1 };
  }
  return undefined;
}

/** A file that the top file gives to a peel. */
export interface TopRef extends AskedRef {
  readonly pattern: string;
}

export interface TopRefs {
  /** In file order, none twice. */
  readonly refs: readonly TopRef[];
  /** Names of files that need not be there: of every line that says so, whomever it means, as in Salt. */
  readonly mayBeMissing: ReadonlySet<string>;
}

/** What the lines give to the peel that `matches` means. A pattern that cannot be read is a problem, whomever it means. */
export function topRefs(lines: readonly TopLine[], matches: MatchPattern, problems: ProblemList): TopRefs {
  const refs = new Map<string, TopRef>();
  const mayBeMissing = new Set<string>();
  for (const { pattern, type, at, refs: named, ignoresMissing } of lines) {
    if (ignoresMissing) for (const { ref } of named) mayBeMissing.add(ref);
    const verdict = matches(pattern, type);
    if (typeof verdict !== 'boolean') problems.error({ at, chain: [] }, verdict.message, verdict.hint);
    else if (verdict)
      for (const asked of named) if (!refs.has(asked.ref)) refs.set(asked.ref, { ...asked, pattern });
  }
  return { refs: [...refs.values()], mayBeMissing };
}
