/** `didYouMean` words the hint for a name that is not there. */
import { nearestWord } from '../../suggest.ts';

export function didYouMean(word: string, known: Iterable<string>, otherwise?: string): string | undefined {
  const near = nearestWord(word, known);
  return near === undefined ? otherwise : `did you mean ${near}?`;
}
