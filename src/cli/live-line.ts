/** A line at the bottom of a terminal that is redrawn in place; anything else printed goes above it. */
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
