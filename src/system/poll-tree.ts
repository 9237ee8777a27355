/**
 * `pollTree` looks at a whole tree every second and tells when it is not as it was at the look before: what `watchTree` does
 * where the kernel cannot watch. Names, kinds, sizes, times and numbers of files are compared, not contents. A tree that
 * cannot be read counts as one more way to be, so its trouble is told once and its end as well. Bound: that of `walk`.
 */
import { isZesterError } from '../core/errors/zester-error.ts';
import type { Clock, Timer } from '../runtime/clock.ts';
import type { ReadFiles, WalkOptions } from './files.ts';

export const POLL_MS = 1_000;

export interface PollParts {
  readonly files: Pick<ReadFiles, 'realPath' | 'walk'>;
  readonly clock: Clock;
}

/** Nothing is told of the first look: there is none before it. */
export function pollTree(
  { files, clock }: PollParts,
  root: string,
  options: WalkOptions,
  changed: () => void,
): { stop(): void } {
  let isStopped = false;
  let timer: Timer | undefined;
  let before: string | undefined;

  async function look(): Promise<void> {
    const now = await pictureOf(files, root, options);
    if (isStopped) return;
    if (before !== undefined && now !== before) changed();
    before = now;
    timer = clock.after(POLL_MS, () => void look());
  }

  void look();
  return {
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}

async function pictureOf(files: PollParts['files'], root: string, options: WalkOptions): Promise<string> {
  try {
    const real = await files.realPath(root);
    const entries = real === undefined ? undefined : await files.walk(real, options);
    const lines = (entries ?? []).map(({ path, stat }) =>
      [path, stat.kind, stat.size, stat.mtimeMs, stat.mode, stat.ino].join('\0'),
    );
    return [real ?? '', ...lines].join('\n');
  } catch (error) {
    if (!isZesterError(error)) throw error;
    return error.message;
  }
}
