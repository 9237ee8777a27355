/** `showRuns` prints the runs of the undo journal for `state.runs`. */
import { type RunOnRecord, revertedShare, type StateOnRecord } from '../../core/states/revert-choice.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';
import type { WireValue } from '../../wire/msgpack/wire-value.ts';

export function showRuns(runs: readonly RunOnRecord[]): WireValue {
  return runs.map((run) => ({
    jid: run.jid,
    time: formatRfc3339(nanosFromMs(run.atMs)),
    reverted: shareText(run),
    states: Object.fromEntries(run.states.map((state) => [state.name, undoText(state)])),
  }));
}

/** What a program did cannot be undone: it stays, also where the rest of the run was reverted. */
function shareText(run: RunOnRecord): string {
  const share = revertedShare(run);
  return share === 'all' && run.states.some(({ kept }) => kept.length > 0) ? 'all that can be undone' : share;
}

/** What a revert could still do about it. */
function undoText({ isUndoable, reverted, kept }: StateOnRecord): string {
  const stays = kept.join('; ');
  if (reverted !== undefined)
    return stays === ''
      ? `reverted by job ${reverted.by}`
      : `reverted by job ${reverted.by}, except: ${stays}`;
  if (!isUndoable) return `cannot be undone: ${stays}`;
  return stays === '' ? 'can be undone' : `can be undone, except: ${stays}`;
}
