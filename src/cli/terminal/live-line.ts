/** A live line is a line at the bottom of a terminal that is redrawn in place; anything else printed goes above it. */
export interface LiveLine {
  show(text: string): void;
  /** Takes the line away, so that something else can be printed. */
  clear(): void;
}

const CLEAR = '\r\u001b[2K';

export function liveLine(write: (text: string) => void, columns: () => number): LiveLine {
  let shown = false;
  return {
    show(text) {
      write(`${CLEAR}${text.slice(0, Math.max(10, columns() - 1))}`);
      shown = true;
    },
    clear() {
      if (shown) write(CLEAR);
      shown = false;
    },
  };
}

/**
 * A writer for everything that goes to the terminal of such a line: it takes the line away before anything else is
 * printed, so that a warning does not stand behind half of it. The next tick shows it again.
 */
export function aboveLiveLine(write: (text: string) => void): (text: string) => void {
  let stands = false;
  return (text) => {
    const isOfLine = text.startsWith(CLEAR);
    if (stands && !isOfLine) write(CLEAR);
    stands = isOfLine && text !== CLEAR;
    write(text);
  };
}
