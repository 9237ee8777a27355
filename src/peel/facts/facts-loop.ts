/**
 * Facts under `facts/<peel>`: collected at the start, the machine every five minutes and the operator's file every half
 * minute; put when they changed, again when a put failed, and once after each connect, because the store behind a new
 * connection may have lost them or dropped them when the peel was revoked.
 */
import type { AgentBus } from '../../bus/port.ts';
import { wakeLoop } from '../../bus/wake-loop.ts';
import type { Timer } from '../../runtime/clock.ts';
import { jitter } from '../../runtime/random.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { System } from '../../system/system.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { factsCodec } from '../../wire/records/facts.ts';
import { type CollectorName, CUSTOM_REFRESH_MS, type OwnFacts } from './collect-facts.ts';
import { factsDigest } from './facts-digest.ts';
import { type FactsStore, factsStore } from './facts-store.ts';

const SPREAD = 0.2;
const CONNECT_SPREAD_MS = 1_000;

export interface FactsParts {
  readonly bus: AgentBus;
  readonly system: System;
  readonly runtime: Runtime;
  readonly peelId: PeelId;
  readonly own: OwnFacts;
  readonly customFile: string;
  readonly everyMs: number;
}

export interface FactsLoop {
  readonly store: FactsStore;
  /** Resolves when the machine has been looked at once. Before that there are no facts, which is not the same as none. */
  known(): Promise<void>;
  start(): void;
  stop(): void;
}

export function factsLoop({ bus, system, runtime, peelId, own, customFile, everyMs }: FactsParts): FactsLoop {
  const { clock, random, log } = runtime;
  const timers = new Map<string, Timer>();
  let putDigest: string | undefined;
  let stopped = false;
  let tellKnown = () => {};
  const known = new Promise<void>((resolve) => {
    tellKnown = resolve;
  });

  const store = factsStore(system, { log, own, customFile, onFacts: () => publisher.wake() });
  const publisher = wakeLoop(
    runtime,
    async () => {
      const facts = store.all();
      if (bus.status() !== 'connected' || Object.keys(facts).length === 0) return;
      const digest = factsDigest(facts);
      if (digest === putDigest) return;
      await bus.bucket(BUCKETS.facts.name).put(peelId, factsCodec.encode(facts));
      putDigest = digest;
    },
    (error) => log.debug('facts not written', { error }),
  );
  const statuses = bus.onStatus((status) => {
    if (status !== 'connected') return;
    putDigest = undefined;
    publisher.wakeAfter(random.fraction() * CONNECT_SPREAD_MS);
  });

  function repeat(name: string, periodMs: number, only?: readonly CollectorName[]): void {
    const again = () => {
      if (!stopped) repeat(name, periodMs, only);
    };
    const refresh = () => void store.refresh(only).then(again);
    timers.set(name, clock.after(jitter(random, periodMs, SPREAD), refresh));
  }

  return {
    store,
    known: () => known,
    start() {
      void store.refresh().then(tellKnown);
      repeat('machine', everyMs);
      repeat('custom', CUSTOM_REFRESH_MS, ['custom']);
    },
    stop() {
      stopped = true;
      statuses.unsubscribe();
      publisher.stop();
      for (const timer of timers.values()) timer.cancel();
    },
  };
}
