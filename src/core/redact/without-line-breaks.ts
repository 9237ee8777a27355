/**
 * `withoutLineBreaks` takes the line breaks out of a text, and the indentation behind them, so that what a program broke over
 * lines (base64, hexadecimal) is found in one piece; `placeOf` leads back to the text as it was. Pure.
 */
const LINE_BREAK = /\r?\n[ \t]*/g;

export interface JoinedText {
  readonly text: string;
  /** Where a character of the joined text stands in the original. */
  placeOf(index: number): number;
}

export function withoutLineBreaks(original: string): JoinedText {
  /** For each break: its place in the joined text, and how many characters are gone up to there. */
  const places: number[] = [];
  const gone: number[] = [];
  let removed = 0;
  const text = original.replace(LINE_BREAK, (lineBreak, offset: number) => {
    places.push(offset - removed);
    removed += lineBreak.length;
    gone.push(removed);
    return '';
  });
  return {
    text,
    placeOf(index) {
      let low = 0;
      let high = places.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((places[middle] ?? 0) <= index) low = middle + 1;
        else high = middle;
      }
      return index + (gone[low - 1] ?? 0);
    },
  };
}
