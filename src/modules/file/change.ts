/** A file change is steps with the words for them. What a module finds missing, piece by piece, becomes one plan. */
import { DIFF_BYTES_MAX } from '../../core/diff/unified-diff.ts';
import type { FileStep } from '../../system/file-steps.ts';
import { NOTHING_TO_DO, type Plan } from '../state-contract.ts';

export interface FileChange {
  readonly steps: readonly FileStep[];
  /** Each one line for a facet, or a whole diff. None without steps. */
  readonly words: readonly string[];
}

export const NO_FILE_CHANGE: FileChange = { steps: [], words: [] };

export function allOf(changes: readonly FileChange[]): FileChange {
  return { steps: changes.flatMap(({ steps }) => steps), words: changes.flatMap(({ words }) => words) };
}

export function planOfChange(
  { steps, words }: FileChange,
  details: Readonly<Record<string, string>> = {},
): Plan {
  return steps.length === 0 ? NOTHING_TO_DO : { steps, diff: cappedWords(words), details };
}

/** For what lies below the path of a state: the lines say which file they are about. */
export function underName(name: string, change: FileChange): FileChange {
  return {
    ...change,
    words: change.words.map((word) => (word.startsWith('---') ? word : `${name}: ${word}`)),
  };
}

/** Room for one whole diff and the lines around it. */
export const WORDS_BYTES_MAX = 2 * DIFF_BYTES_MAX;

function cappedWords(words: readonly string[]): string {
  let bytes = 0;
  const shown = words.findIndex((word) => {
    bytes += Buffer.byteLength(word) + 1;
    return bytes > WORDS_BYTES_MAX;
  });
  if (shown < 0) return words.join('\n');
  return [...words.slice(0, shown), `[${words.length - shown} more changes are not shown]`].join('\n');
}
