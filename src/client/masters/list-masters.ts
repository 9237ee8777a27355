/**
 * `listMasters` tells how the masters stand, and looks again where an election spoils the look: while a bucket has no
 * leader nobody can write a heartbeat, so that the living look stale, or gone, until they have shown themselves anew.
 * Such a look is known by two signs: it had to wait, or no master is alive by it and yet one answers. Then it is
 * repeated after a moment.
 *
 * Bound: `SETTLE_MS_MAX`; after it what was seen last is told as it is.
 */
import { isZesterError } from '../../core/errors/zester-error.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { sleep } from '../../runtime/clock.ts';
import { ask, QUESTIONS } from '../ask.ts';
import type { ClientContext } from '../client-context.ts';
import { type MasterStanding, masterStandings } from './master-standing.ts';
import { readMasters } from './read-masters.ts';

const SETTLE_MS_MAX = 15_000;
/** A look that took longer may have waited for an election. */
const SLOW_MS = 2_000;
/** A master that could not write its heartbeat tries again within this time. */
const SHOW_MS = 3_000;
const ANSWER_MS = 2_000;

export async function listMasters(client: ClientContext): Promise<MasterStanding[]> {
  const { signal } = client;
  const { clock } = client.runtime;
  const endMs = clock.monotonicMs() + SETTLE_MS_MAX;
  for (;;) {
    const begunMs = clock.monotonicMs();
    const masters = masterStandings(await unlessAborted(readMasters(client), signal));
    const nowMs = clock.monotonicMs();
    const isSpoilt =
      nowMs - begunMs > SLOW_MS ||
      (!masters.some(({ state }) => state === 'alive') &&
        (await unlessAborted(someMasterAnswers(client), signal)));
    if (!isSpoilt || nowMs > endMs) return masters;
    await sleep(clock, SHOW_MS, signal);
  }
}

/** Whatever it answers: somebody serves the subject. */
async function someMasterAnswers({ bus }: ClientContext): Promise<boolean> {
  try {
    await ask(bus, QUESTIONS.resolve, { expr: 'L@', type: '', wantFacts: false }, ANSWER_MS);
    return true;
  } catch (error) {
    if (isZesterError(error, 'BUS_BAD_DATA')) return true;
    if (isZesterError(error, 'BUS_NO_RESPONDERS') || isZesterError(error, 'BUS_TIMEOUT')) return false;
    throw error;
  }
}
