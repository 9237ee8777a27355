/**
 * The sign of life under `peel-heartbeat/<peel>`: at each connect and every 10 s. A master that sees one (re)appear sends
 * again what this peel has not acknowledged, so the first one waits until commands can be verified, but not for long.
 * A beat that fails is tried again sooner; masters look at its age, so a lost one does no harm.
 */
import type { AgentBus } from '../../bus/port.ts';
import { wakeLoop } from '../../bus/wake-loop.ts';
import { sleep } from '../../runtime/clock.ts';
import { jitter } from '../../runtime/random.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { stopSource } from '../../runtime/stop-source.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { peelHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import { PROTOCOL_VERSION } from '../../wire/records/job.ts';

const SPREAD = 0.1;
/** A fleet that reconnects must not beat in one instant. */
const CONNECT_SPREAD_MS = 250;
const KEYS_WAIT_MS = 3_000;

export interface HeartbeatParts {
  readonly bus: AgentBus;
  readonly runtime: Runtime;
  readonly peelId: PeelId;
  readonly version: string;
  readonly everyMs: number;
  /** Resolves when commands can be verified. */
  readonly keysKnown: () => Promise<void>;
}

export function startHeartbeat(parts: HeartbeatParts): { stop(): void } {
  const { bus, runtime, peelId, version, everyMs } = parts;
  const { clock, random, log } = runtime;
  const since = nanosFromMs(clock.nowMs());
  const stopped = stopSource();
  let waited = false;

  const loop = wakeLoop(
    runtime,
    async () => {
      if (bus.status() !== 'connected') return;
      if (!waited) await keysOrPatience();
      const beat = { timestamp: nanosFromMs(clock.nowMs()), version, protocol: PROTOCOL_VERSION, since };
      await bus.bucket(BUCKETS.peelHeartbeat.name).put(peelId, peelHeartbeatCodec.encode(beat));
      loop.wakeAfter(jitter(random, everyMs, SPREAD));
    },
    (error) => log.debug('heartbeat not written', { error }),
  );
  const statuses = bus.onStatus((status) => {
    if (status === 'connected') loop.wakeAfter(random.fraction() * CONNECT_SPREAD_MS);
  });
  loop.wake();

  async function keysOrPatience(): Promise<void> {
    waited = true;
    const patience = stopSource();
    const end = () => patience.abort();
    stopped.signal.addEventListener('abort', end, { once: true });
    await Promise.race([
      parts.keysKnown(),
      sleep(clock, KEYS_WAIT_MS, patience.signal).catch(() => undefined),
    ]);
    end();
  }

  return {
    stop() {
      stopped.abort();
      statuses.unsubscribe();
      loop.stop();
    },
  };
}
