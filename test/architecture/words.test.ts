/**
 * House rules about words that a machine can see: headers, names with one meaning, one style of private members. No
 * exceptions.
 */
import { describe, expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files.ts';

const files = sourceFiles();
/** Those that are no product code are read as often. */
const all = [...files, ...sourceFiles('test'), ...sourceFiles('bench')];
/** A file with no more lines may have its header as the doc comment of what it exports, below the imports. */
const SMALL_FILE_LINES_MAX = 15;

/** A header that begins so is a riddle or half a sentence: the file is its subject, and it does something. */
const FRAGMENT = /^(?:What|Who|Whose|When|Where|How|Whether|Which|Why)\b/;

describe('words', () => {
  it('a file begins with a comment that says what it is', () => {
    expect(all.filter((file) => headerOf(file) === undefined).map(({ path }) => path)).toEqual([]);
  });

  it('its first sentence is a sentence: it does not begin with what, who, when, how', () => {
    const wrong = all.filter((file) => FRAGMENT.test(headerOf(file) ?? ''));
    expect(wrong.map((file) => `${file.path}: ${headerOf(file)}`)).toEqual([]);
  });

  it('a header that begins with a name names what the file declares', () => {
    const wrong = all.filter((file) => {
      const name = /^`(\w+)` /.exec(headerOf(file) ?? '')?.[1];
      const declares = new RegExp(`\\b(?:function\\*?|class|const|interface|type) ${name}\\b`);
      return name !== undefined && !declares.test(file.code);
    });
    expect(wrong.map((file) => `${file.path}: ${headerOf(file)}`)).toEqual([]);
  });

  it('an exported name is declared in one file only, so that it has one meaning; in test/harness too', () => {
    const declaredIn = new Map<string, string[]>();
    for (const file of [...files, ...sourceFiles('test/harness')])
      for (const name of exportedNames(file))
        declaredIn.set(name, [...(declaredIn.get(name) ?? []), file.path]);
    const twice = [...declaredIn].filter(([, paths]) => paths.length > 1);
    expect(twice.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([]);
  });

  it('private members are written `private x`: no `#x`, no `_x`', () => {
    const pattern =
      /\bthis\.[#_]|\.#[a-z]|^\s+(?:private |static |readonly |async |get |set )*#[a-z]|\bprivate (?:readonly )?_/;
    const wrong = all.flatMap(({ path, code }) =>
      code
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    );
    expect(wrong).toEqual([]);
  });
});

/** Its first line of text. */
function headerOf({ text }: SourceFile): string | undefined {
  const isSmall = text.trimEnd().split('\n').length <= SMALL_FILE_LINES_MAX;
  const imports = isSmall ? '(?:import [^;]*;\\s*)*' : '';
  return new RegExp(`^${imports}/\\*\\*[\\s*]*([^\\n]+)`).exec(text)?.[1];
}

/** Declared here. What is only passed on (`export { … }`) keeps the meaning it has where it is declared. */
function exportedNames({ code }: SourceFile): ReadonlySet<string> {
  const declaration =
    /^export (?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;
  return new Set([...code.matchAll(declaration)].map(([, name = '']) => name));
}
