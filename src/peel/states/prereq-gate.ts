/**
 * `prereq: B` on A: A runs only if B is going to change something. Nobody can know but by planning B now, before A. A
 * target whose plan fails counts as one that will not change anything, and the result of A says so.
 */
import type { CompiledState } from '../../core/states/compiled-state.ts';
import type { Before, Hands } from './attempt.ts';

export interface GateAnswer {
  /** One of the targets is going to change something. */
  readonly open: boolean;
  /** Dry run: the answer may be another one when it counts. */
  readonly guessed: boolean;
  /** Targets whose plan failed, and why; one line each. */
  readonly notes: readonly string[];
}

/** One after another, and none after the first that opens the gate. */
export async function askPrereqs(
  targets: readonly CompiledState[],
  before: Before,
  hands: Pick<Hands, 'foresee'>,
): Promise<GateAnswer> {
  const notes: string[] = [];
  let guessed = false;
  for (const target of targets) {
    const foreseen = await hands.foresee(target, { forced: false, guessed: false, before });
    guessed ||= foreseen.inDoubt;
    if (foreseen.error !== undefined)
      notes.push(`${target.name} cannot be planned and counts as unchanged: ${foreseen.error}`);
    // A later target that surely changes could still settle it; nothing is lost by not looking.
    if (foreseen.changed) return { open: true, guessed, notes };
  }
  return { open: false, guessed, notes };
}
