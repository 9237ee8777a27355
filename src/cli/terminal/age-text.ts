/** `ageText` tells how long ago something was, as people say it: one unit, `5s ago`, `3m ago`, `7h ago`, `12d ago`. */
const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** A bigger unit only from two of it on: `90m ago` says more than `1h ago`. A clock that is behind says `0s ago`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  for (const [unit, size] of UNITS) {
    if (seconds >= 2 * size) return `${Math.floor(seconds / size)}${unit} ago`;
  }
  return `${seconds}s ago`;
}
