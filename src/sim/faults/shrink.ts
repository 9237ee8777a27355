/**
 * `shrink` makes a failing list of faults short: it leaves out halves, quarters, single ones, as long as the same rule
 * still breaks. What is left is not always the least there is, but short enough to read.
 */

/** `fails` runs the list; true when it still breaks the same rule. At most `runsMax` runs. */
export async function shrink<T>(
  list: readonly T[],
  fails: (shorter: readonly T[]) => Promise<boolean>,
  runsMax: number,
): Promise<readonly T[]> {
  let best = list;
  let runs = 0;
  for (let size = Math.ceil(best.length / 2); size >= 1 && runs < runsMax; ) {
    let isShorter = false;
    for (let from = 0; from < best.length && runs < runsMax; ) {
      const without = [...best.slice(0, from), ...best.slice(from + size)];
      runs += 1;
      if (await fails(without)) {
        best = without;
        isShorter = true;
      } else {
        from += size;
      }
    }
    if (!isShorter && size === 1) break;
    size = isShorter ? Math.min(size, Math.max(1, Math.ceil(best.length / 2))) : Math.floor(size / 2);
  }
  return best;
}
