/**
 * Starts a peel: the agent that takes commands of masters and operators, runs each once, and says what became of it.
 *
 *   message → door (proof) → intake (judge, record, ack) → queue (two lanes) → function → book (return) → outbox → stream
 *
 * It needs no NATS to start: whatever has to do with it waits for a connection. What it needs is its own records.
 */
import { SecretBook } from '../core/redact/secret-book.ts';
import { redactedLog } from '../runtime/log.ts';
import { openPeelContext } from './peel-context.ts';
import { PeelLife } from './peel-life.ts';
import type { Peel, PeelPorts, PeelState } from './peel-ports.ts';

export function startPeel(given: PeelPorts): Peel {
  const ports = redactingPorts(given);
  const { log } = ports.runtime;
  let phase: PeelState['phase'] = 'starting';
  let life: PeelLife | undefined;

  const ready = begin();
  // Whoever does not wait for it finds the failure in the state.
  ready.catch(() => undefined);
  let stopping: Promise<void> | undefined;

  async function begin(): Promise<void> {
    try {
      life = new PeelLife(await openPeelContext(ports));
      if (phase !== 'starting') return;
      await life.start();
      if (phase === 'starting') phase = 'ready';
      log.info('peel ready', { peel: ports.identity.peelId, version: ports.version });
    } catch (error) {
      phase = 'failed';
      log.error('the peel cannot start', { error });
      throw error;
    }
  }

  async function stop(): Promise<void> {
    if (phase !== 'failed') phase = 'stopping';
    // Before the start is over there is no telling what has been started.
    await ready.catch(() => undefined);
    await life?.stop();
    if (phase !== 'failed') phase = 'stopped';
  }

  return {
    ready,
    stop: () => (stopping ??= stop()),
    agentsKeys: () => life?.agentsKeys() ?? { keys: [], renewSpreadMs: 0 },
    state: () => ({ phase, connection: ports.bus.status(), ...(life?.state() ?? NOTHING_YET) }),
  };
}

/** Whatever is logged, by whichever part, goes without the secrets of the settings. */
function redactingPorts(given: PeelPorts): PeelPorts & { readonly secrets: SecretBook } {
  const { secrets = new SecretBook(), runtime } = given;
  const log = redactedLog(runtime.log, (text) => secrets.redact(text));
  return { ...given, secrets, runtime: { ...runtime, log } };
}

const NOTHING_YET: Omit<PeelState, 'phase' | 'connection'> = {
  queued: 0,
  running: 0,
  spooled: 0,
  counts: {
    accepted: 0,
    repeated: 0,
    answeredUnrun: 0,
    turnedAway: 0,
    direct: 0,
    canceled: 0,
    returned: 0,
    refused: 0,
    overBudget: 0,
  },
};
