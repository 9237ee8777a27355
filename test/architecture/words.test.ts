/** House rules about words that a machine can see: headers, names with one meaning, one style of private members. */
import { describe, expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files.ts';

const files = sourceFiles();
/** A file with no more lines may have its header as the doc comment of what it exports, below the imports. */
const SMALL_FILE_LINES_MAX = 15;

/** Today's offenders in rooms that are being rebuilt, by file name; to be emptied. */
const WITHOUT_HEADER: readonly string[] = [
  'attempt.ts',
  'kv-read.ts',
  'listeners.ts',
  'message-id.ts',
  'outcome.ts',
  'seeded-random.ts',
  'system-clock.ts',
  'system-random.ts',
];

/** Today's names with two meanings in those rooms; to be emptied. */
const WITH_TWO_MEANINGS: readonly string[] = [
  'ABSENT',
  'Ending',
  'Image',
  'Life',
  'MasterHeartbeat',
  'Patience',
  'RevertParts',
  'STATES_DIR',
  'Stored',
  'UndoRecord',
  'Verdict',
  'errorText',
  'optional',
  'responseOf',
  'startHeartbeat',
];

describe('words', () => {
  it('a file begins with a comment that says what it is', () => {
    const without = files.filter((file) => !hasHeader(file)).map(({ path }) => path);
    expect(without.filter((path) => !WITHOUT_HEADER.includes(path.split('/').at(-1) ?? ''))).toEqual([]);
  });

  it('an exported name is declared in one file only, so that it has one meaning', () => {
    const declaredIn = new Map<string, string[]>();
    for (const file of files)
      for (const name of exportedNames(file))
        declaredIn.set(name, [...(declaredIn.get(name) ?? []), file.path]);
    const twice = [...declaredIn].filter(([, paths]) => paths.length > 1);
    const wrong = twice.filter(([name]) => !WITH_TWO_MEANINGS.includes(name));
    expect(wrong.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([]);
  });

  it('private members are written `private x`: no `#x`, no `_x`', () => {
    const pattern =
      /\bthis\.[#_]|\.#[a-z]|^\s+(?:private |static |readonly |async |get |set )*#[a-z]|\bprivate (?:readonly )?_/;
    const wrong = files.flatMap(({ path, code }) =>
      code
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    );
    expect(wrong).toEqual([]);
  });
});

function hasHeader({ text }: SourceFile): boolean {
  if (text.startsWith('/**')) return true;
  const isSmall = text.trimEnd().split('\n').length <= SMALL_FILE_LINES_MAX;
  return isSmall && /^(?:import [^;]*;\s*)*\/\*\*/.test(text);
}

/** Declared here. What is only passed on (`export { … }`) keeps the meaning it has where it is declared. */
function exportedNames({ code }: SourceFile): ReadonlySet<string> {
  const declaration =
    /^export (?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;
  return new Set([...code.matchAll(declaration)].map(([, name = '']) => name));
}
