/** This check of `zester doctor` judges whether the disks of this machine that Zester writes to have room. */
import { bytesText } from './bytes-text.ts';
import { fail, type Judgement, nameSome, ok, unknown, warn } from './finding.ts';

export interface DiskSpace {
  readonly path: string;
  /** What an ordinary user can still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

const MIB = 1_048_576;
const FAIL_BYTES = 256 * MIB;
const WARN_BYTES = 1_024 * MIB;
const WARN_SHARE = 0.05;
const FIX = 'make room there: a full disk stops the store and the records of peels';

export function judgeDiskSpace(disks: readonly DiskSpace[]): Judgement {
  if (disks.length === 0)
    return unknown('no directory of Zester is on this machine', 'run doctor on the servers as well');
  const text = (some: readonly DiskSpace[]) =>
    nameSome(some.map(({ path, freeBytes }) => `${path} ${bytesText(freeBytes)} free`));
  const full = disks.filter(({ freeBytes }) => freeBytes < FAIL_BYTES);
  if (full.length > 0) return fail(text(full), FIX);
  const low = disks.filter(
    ({ freeBytes, totalBytes }) => freeBytes < WARN_BYTES || freeBytes < totalBytes * WARN_SHARE,
  );
  return low.length > 0 ? warn(text(low), FIX) : ok(text(disks));
}
