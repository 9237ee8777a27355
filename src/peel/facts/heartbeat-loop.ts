/**
 * The heartbeat of a peel is put under `peel-heartbeat/<peel>` at each connect and every 10 s. A master that sees one
 * (re)appear sends again what this peel has not acknowledged, so the first one waits until commands can be verified,
 * but not for long. A beat that fails is tried again sooner; masters look at its age, so a lost one does no harm. It also
 * says which published files the peel has, which generation of the fleet key, and which of the agents key signed its credentials, and
 * comes early when that has changed.
 */

import { openAgentTable } from '../../bus/kv/table.ts';
import { within } from '../../runtime/abortable-wait.ts';
import { jitter } from '../../runtime/random.ts';
import { wakeLoop } from '../../runtime/wake-loop.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { PROTOCOL_VERSION } from '../../wire/records/job.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { PeelContext } from '../peel-context.ts';

const SPREAD = 0.1;
/** A fleet that reconnects must not beat in one instant. */
const CONNECT_SPREAD_MS = 250;
const KEYS_WAIT_MS = 3_000;
/** After news of the files: what changes together is told together. */
const NEWS_MS = 200;

type HeartbeatContext = Pick<
  PeelContext,
  'bus' | 'runtime' | 'peelId' | 'version' | 'settings' | 'keys' | 'files' | 'issuerInUse'
>;

export function startPeelHeartbeat(context: HeartbeatContext): { stop(): void } {
  const { bus, runtime, peelId, version, settings, keys, files, issuerInUse } = context;
  const { clock, random, log } = runtime;
  const beats = openAgentTable(bus, TABLES.peelHeartbeats);
  const since = nanosFromMs(clock.nowMs());
  let waited = false;
  let hasNews = false;
  const agentsGeneration = () =>
    keys.agentsKeys().keys.find(({ publicKey }) => publicKey === issuerInUse?.())?.generation ?? 0;

  const loop = wakeLoop(
    runtime,
    async () => {
      if (bus.status() !== 'connected') return;
      if (!waited) await within(clock, KEYS_WAIT_MS, keys.known());
      waited = true;
      if (loop.stopped()) return;
      const beat = {
        timestamp: nanosFromMs(clock.nowMs()),
        version,
        protocol: PROTOCOL_VERSION,
        since,
        ...files.standing(),
        fleetGeneration: keys.generation(),
        agentsGeneration: agentsGeneration(),
      };
      hasNews = false;
      await beats.put(peelId, beat);
      // What came while this one was written is not in it.
      loop.wakeAfter(hasNews ? NEWS_MS : jitter(random, settings.heartbeatMs, SPREAD));
    },
    (error) => log.debug('heartbeat not written', { error }),
  );
  const statuses = bus.onStatus((status) => {
    if (status === 'connected') loop.wakeAfter(random.fraction() * CONNECT_SPREAD_MS);
  });
  const news = () => {
    if (hasNews || !waited) return;
    hasNews = true;
    loop.wakeAfter(NEWS_MS);
  };
  files.onChange(news);
  keys.onChange(news);
  loop.wake();

  return {
    stop() {
      statuses.unsubscribe();
      loop.stop();
    },
  };
}
