/**
 * `whenReady` waits until a local fleet is up: every master and every peel that we started has shown itself, the masters
 * answer with all of the peels, and the peels have the published files, so that the first `test.ping` reaches everyone and
 * the first `state.apply` finds its states. Signs of an earlier life do not count: they stay in the store for a while after
 * a restart.
 *
 * One master answers a question, whichever the server picks, and does not say which it is. So the question is asked
 * several times for each of them; a master that is behind is behind by milliseconds.
 */

import { isTransient } from '../bus/failed-call.ts';
import { openTable } from '../bus/kv/table.ts';
import type { Bus } from '../bus/port.ts';
import { ask, QUESTIONS } from '../client/ask.ts';
import { sleep } from '../runtime/clock.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { UnixNanos } from '../wire/msgpack/time.ts';
import { TABLES } from '../wire/records/tables.ts';
import type { FleetEvent } from './fleet-event.ts';
import { peelsWithoutFiles } from './fleet-files.ts';

const READY_MS_MAX = 60_000;
const READY_LOOK_MS = 100;
/** Whoever waits longer than this wants to know for whom. */
const TELL_MS = 5_000;
const ANSWER_MS = 2_000;
const ASKED_PER_MASTER = 3;

export interface FleetWanted {
  readonly masters: readonly { readonly name: string; readonly pid: number }[];
  readonly peels: readonly { readonly name: string }[];
  /** When the first of them was started. */
  readonly since: UnixNanos;
}

/** Resolves when all are there; with the names of those who are not when the time is up. */
export async function whenReady(
  bus: Bus,
  wanted: FleetWanted,
  { clock }: Runtime,
  signal: AbortSignal,
  onEvent: (event: FleetEvent) => void,
): Promise<readonly string[]> {
  const startMs = clock.monotonicMs();
  let told = false;
  for (;;) {
    const missing = await missingNow(bus, wanted);
    const waitedMs = clock.monotonicMs() - startMs;
    if (missing.length === 0 || waitedMs > READY_MS_MAX) return missing;
    if (!told && waitedMs > TELL_MS) onEvent({ kind: 'waiting', missing });
    told ||= waitedMs > TELL_MS;
    await sleep(clock, READY_LOOK_MS, signal);
  }
}

async function missingNow(bus: Bus, wanted: FleetWanted): Promise<readonly string[]> {
  try {
    const masters = await missingMasters(bus, wanted);
    const peels = await missingPeels(bus, wanted);
    if (masters.length > 0 || peels.length > 0) return [...masters, ...peels];
    const unknown = await missingInAnswers(bus, wanted);
    if (unknown.length > 0 || wanted.masters.length === 0 || wanted.peels.length === 0) return unknown;
    return await peelsWithoutFiles(
      bus,
      wanted.peels.map(({ name }) => name),
    );
  } catch (error) {
    // Nobody answers yet, or the server is just being started again.
    if (!isTransient(error)) throw error;
    return [...wanted.masters, ...wanted.peels].map(({ name }) => name);
  }
}

/** A master's id is new with each start; its process is what we know it by. */
async function missingMasters(bus: Bus, { masters }: FleetWanted): Promise<string[]> {
  const entries = await openTable(bus, TABLES.masterHeartbeats).entries();
  const beats = entries.flatMap((entry) => (entry.is === 'found' ? [entry.value] : []));
  return masters
    .filter(({ pid }) => !beats.some((beat) => beat.pid === pid && !beat.leaving))
    .map(({ name }) => name);
}

async function missingPeels(bus: Bus, { peels, since }: FleetWanted): Promise<string[]> {
  const beats = await openTable(bus, TABLES.peelHeartbeats).entries();
  const facts = new Set<string>(await openTable(bus, TABLES.facts).ids());
  const alive = new Set<string>(
    beats.flatMap((beat) => (beat.is === 'found' && (beat.value.since ?? 0n) >= since ? [beat.id] : [])),
  );
  return peels.map(({ name }) => name).filter((name) => !alive.has(name) || !facts.has(name));
}

async function missingInAnswers(bus: Bus, { masters, peels }: FleetWanted): Promise<readonly string[]> {
  if (masters.length === 0 || peels.length === 0) return [];
  const names = peels.map(({ name }) => name);
  const question = { expr: `L@${names.join(',')}`, type: '', wantFacts: false };
  for (let asked = 0; asked < ASKED_PER_MASTER * masters.length; asked++) {
    const { peels: found } = await ask(bus, QUESTIONS.resolve, question, ANSWER_MS);
    const missing = names.filter((name) => !found.some((peel) => peel === name));
    if (missing.length > 0) return missing;
  }
  return [];
}
