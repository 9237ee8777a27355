/**
 * `settingsPaths` finds the files of a settings tree by their names: `common.base` is `common/base.zy` or
 * `common/base/init.zy`, each also as `.sls`. A name with `*`, `?` or `[…]` in it means every file whose name it fits, sorted,
 * as in Salt. The top file and the merge rule are no files of settings. Pure.
 */
import { pathsOfRef, refMeantByPath, refOfPath } from '../states/compile/state-refs.ts';
import { nearestWord } from '../suggest.ts';
import { compileGlob, isGlobFault } from '../target/glob.ts';
import { MERGE_RULE_PATH } from './merge-rule.ts';

export const SETTINGS_TOP_PATHS = ['top.zy', 'top.sls'] as const;
const RESERVED: readonly string[] = [...SETTINGS_TOP_PATHS, MERGE_RULE_PATH];

export interface SettingsPaths {
  /** The files of settings, sorted by path. */
  readonly files: readonly string[];
  /** The names that a name with a pattern in it means; any other one means itself. */
  named(ref: string): readonly string[];
  /** Where the file of a name is. */
  find(ref: string): { readonly path: string } | PathProblem;
}

export interface PathProblem {
  readonly problem: string;
  readonly hint: string;
  /** There is no such file, as against one that cannot be told. */
  readonly isMissing: boolean;
}

export function settingsPaths(paths: Iterable<string>): SettingsPaths {
  const files = [...paths].filter(isSettingsPath).sort();
  const known = new Set(files);
  const refs = [...new Set(files.map((path) => refOfPath(path) ?? ''))].sort();
  return {
    files,
    named(ref) {
      if (!/[*?[]/.test(ref)) return [ref];
      const fits = compileGlob(ref);
      const found = isGlobFault(fits) ? [] : refs.filter(fits);
      return found.length === 0 ? [ref] : found;
    },
    find: (ref) => findPath(ref, known, refs),
  };
}

/** Whether a path of the tree can be reached by a name. */
export function isSettingsPath(path: string): boolean {
  return !RESERVED.includes(path) && refOfPath(path) !== undefined;
}

function findPath(
  ref: string,
  known: ReadonlySet<string>,
  refs: readonly string[],
): { readonly path: string } | PathProblem {
  const paths = pathsOfRef(ref);
  if (paths === undefined) {
    const meant = refMeantByPath(ref);
    const hint = meant === undefined ? 'write names with dots between them: common.base' : `write ${meant}`;
    return { problem: `"${ref}" cannot be the name of a settings file`, hint, isMissing: false };
  }
  const [path, second] = paths.filter((each) => known.has(each));
  if (second !== undefined)
    return {
      problem: `${ref} is both ${path} and ${second}`,
      hint: 'remove or rename one of them',
      isMissing: false,
    };
  if (path !== undefined) return { path };
  const reserved = paths.find((each) => RESERVED.includes(each));
  if (reserved !== undefined)
    return {
      problem: `${reserved} has a meaning of its own, so ${ref} cannot be a settings file`,
      hint: 'give the file another name',
      isMissing: false,
    };
  const near = nearestWord(ref, refs);
  const hint = near === undefined ? `looked for ${paths.join(', ')}` : `did you mean ${near}?`;
  return { problem: `there is no settings file ${ref}`, hint, isMissing: true };
}
