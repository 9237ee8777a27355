/**
 * The facts loop keeps the facts of this machine and publishes them under `facts/<peel>`. They are collected at the
 * start, the machine's every five minutes and the operator's file every half minute; they are put when they changed,
 * again when a put failed, and once after each connect, because the store behind a new connection may have lost them or
 * dropped them when the peel was revoked.
 */

import { openAgentTable } from '../../bus/kv/table.ts';
import type { FactsAccess } from '../../modules/contract.ts';
import { type Periodic, periodic } from '../../runtime/periodic.ts';
import { wakeLoop } from '../../runtime/wake-loop.ts';
import { PROTOCOL_VERSION } from '../../wire/records/job.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { PeelContext } from '../peel-context.ts';
import { type CollectorName, CUSTOM_REFRESH_MS } from './collect-facts.ts';
import { factsDigest } from './facts-digest.ts';
import { factsStore } from './facts-store.ts';

const SPREAD = 0.2;
const CONNECT_SPREAD_MS = 1_000;

type FactsContext = Pick<
  PeelContext,
  'bus' | 'system' | 'runtime' | 'peelId' | 'curveKey' | 'version' | 'settings' | 'secrets' | 'words'
>;

export interface FactsLoop extends FactsAccess {
  /** Resolves when the machine has been looked at once. Before that there are no facts, which is not the same as none. */
  known(): Promise<void>;
  /** Looks whether what is published should be told otherwise: a secret is known now that a fact repeats. */
  publishAgain(): void;
  start(): void;
  stop(): void;
}

export function factsLoop({
  bus,
  system,
  runtime,
  settings,
  secrets,
  words,
  ...peel
}: FactsContext): FactsLoop {
  const own = { version: peel.version, protocol: PROTOCOL_VERSION, curvePublicKey: peel.curveKey.publicKey };
  const { random, log } = runtime;
  const published = openAgentTable(bus, TABLES.facts);
  const collections: Periodic[] = [];
  let putDigest: string | undefined;
  let tellKnown = () => {};
  const known = new Promise<void>((resolve) => {
    tellKnown = resolve;
  });

  const store = factsStore(system, {
    log,
    own,
    customFile: settings.customFactsFile,
    secrets,
    words: () => words.current(),
    onFacts: () => publisher.wake(),
  });
  const publisher = wakeLoop(
    runtime,
    async () => {
      // A custom fact may repeat a secret; every master and operator reads what is published.
      const facts = secrets.redactValue(store.own());
      if (bus.status() !== 'connected' || Object.keys(facts).length === 0) return;
      const digest = factsDigest(facts);
      if (digest === putDigest) return;
      await published.put(peel.peelId, facts);
      putDigest = digest;
    },
    (error) => log.debug('facts not written', { error }),
  );
  const statuses = bus.onStatus((status) => {
    if (status !== 'connected') return;
    putDigest = undefined;
    publisher.wakeAfter(random.fraction() * CONNECT_SPREAD_MS);
  });

  function collect(everyMs: number, only?: readonly CollectorName[]): void {
    const period = { what: 'collecting facts', everyMs, spread: SPREAD };
    collections.push(periodic(runtime, period, () => store.refresh(only)));
  }

  return {
    ...store,
    known: () => known,
    publishAgain: () => publisher.wake(),
    start() {
      void store.refresh().then(tellKnown);
      collect(settings.factsEveryMs);
      collect(CUSTOM_REFRESH_MS, ['custom']);
    },
    stop() {
      statuses.unsubscribe();
      publisher.stop();
      for (const collection of collections) collection.stop();
    },
  };
}
