/** Paint is colours for a terminal, or none. */
export interface Paint {
  good(text: string): string;
  bad(text: string): string;
  change(text: string): string;
  dim(text: string): string;
}

const wrap = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
const plain = (text: string) => text;

export function paintFor(isWanted: boolean): Paint {
  return isWanted
    ? { good: wrap(32), bad: wrap(91), change: wrap(33), dim: wrap(2) }
    : { good: plain, bad: plain, change: plain, dim: plain };
}
