/** `compareVersions` orders versions of three numbers, `2.10.27`; what follows the numbers (`-RC.1`) does not count. */

/** Negative when `a` is older, 0 when they are the same. What is no version is older than every version. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [numbers(a), numbers(b)];
  for (let i = 0; i < one.length; i++) {
    const difference = (one[i] ?? 0) - (other[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const NO_VERSION: readonly number[] = [-1, 0, 0];

function numbers(version: string): readonly number[] {
  return /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? NO_VERSION;
}
