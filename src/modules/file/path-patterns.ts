/**
 * These functions match `include_pat` and `exclude_pat`: globs over a relative path, in which `*` also takes slashes,
 * or `E@` and a regular expression.
 */
import { compileGlob, isGlobFault } from '../../core/target/glob.ts';
import { compileRegex, isRegexFault } from '../../core/target/regex.ts';
import { badArguments } from './edit/edit-arguments.ts';

export type PathTest = (path: string) => boolean;

const REGEX_MARK = 'E@';

/** Whether one of the patterns fits. Throws for a pattern that is none, naming the parameter. */
export function anyPattern(
  patterns: readonly string[],
  where: { readonly functionName: string; readonly param: string },
): PathTest {
  const tests = patterns.map((pattern) => {
    const test = testOf(pattern);
    if (typeof test === 'function') return test;
    throw badArguments(where.functionName, `${where.param} ${pattern}: ${test.problem}`);
  });
  return (path) => tests.some((test) => test(path));
}

function testOf(pattern: string): PathTest | { readonly problem: string } {
  if (!pattern.startsWith(REGEX_MARK)) {
    const glob = compileGlob(pattern);
    return isGlobFault(glob) ? { problem: glob.problem } : glob;
  }
  const regex = compileRegex(pattern.slice(REGEX_MARK.length));
  return isRegexFault(regex) ? { problem: regex.problem } : regex.test;
}
