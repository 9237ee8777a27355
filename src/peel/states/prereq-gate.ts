/**
 * The prereq gate: `prereq: B` on A lets A run only if B is going to change something, which is found out by planning B
 * now, before A.
 *
 * A target that cannot be planned yet, because its directory or its user is made later in the same run, may well change
 * something: then A runs, and its result says why. To prepare in vain is the smaller harm.
 */
import type { CompiledState } from '../../core/states/compiled-state.ts';
import type { Before, Strategy } from './attempt.ts';

export interface GateAnswer {
  /** One of the targets is going to change something, or nobody can say. */
  readonly open: boolean;
  /** Dry run: the answer may be another one when it counts. */
  readonly guessed: boolean;
  /** Why the gate is open although no target is known to change anything. */
  readonly note: string | undefined;
}

/** One after another, and none after the first that opens the gate. */
export async function askPrereqs(
  targets: readonly CompiledState[],
  before: Before,
  strategy: Pick<Strategy, 'foresee'>,
): Promise<GateAnswer> {
  let guessed = false;
  for (const target of targets) {
    const foreseen = await strategy.foresee(target, { forced: false, guessed: false, before });
    guessed ||= foreseen.inDoubt;
    // A later target that surely changes could still settle it; nothing is lost by not looking.
    if (foreseen.error !== undefined)
      return {
        open: true,
        guessed,
        note: `runs to be safe: ${target.name} cannot be planned yet: ${foreseen.error}`,
      };
    if (foreseen.changed) return { open: true, guessed, note: undefined };
  }
  return { open: false, guessed, note: undefined };
}
