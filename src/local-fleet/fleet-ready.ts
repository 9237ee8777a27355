/**
 * When a local fleet is up: every master and every peel that we started has shown itself, and the masters answer with all
 * of the peels, so that the first `test.ping` reaches everyone. Signs of an earlier life do not count: they stay in the
 * store for a while after a restart.
 *
 * One master answers a question, whichever the server picks, and does not say which it is. So the question is asked
 * several times for each of them; a master that is behind is behind by milliseconds.
 */
import { isTransient } from '../bus/outcome.ts';
import type { Bus } from '../bus/port.ts';
import { sleep } from '../runtime/clock.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { UnixNanos } from '../wire/msgpack/time.ts';
import { BUCKETS } from '../wire/names/buckets.ts';
import { TARGET_RESOLVE_SUBJECT } from '../wire/names/subjects.ts';
import { masterHeartbeatCodec, peelHeartbeatCodec } from '../wire/records/heartbeat.ts';
import { resolveRequestCodec, resolveResponseCodec } from '../wire/records/target-resolve.ts';

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
  say: (line: string) => void,
): Promise<readonly string[]> {
  const startMs = clock.monotonicMs();
  let told = false;
  for (;;) {
    const missing = await missingNow(bus, wanted);
    const waitedMs = clock.monotonicMs() - startMs;
    if (missing.length === 0 || waitedMs > READY_MS_MAX) return missing;
    if (!told && waitedMs > TELL_MS) say(`Waiting for ${missing.join(', ')} …`);
    told ||= waitedMs > TELL_MS;
    await sleep(clock, READY_LOOK_MS, signal);
  }
}

async function missingNow(bus: Bus, wanted: FleetWanted): Promise<readonly string[]> {
  try {
    const masters = await missingMasters(bus, wanted);
    const peels = await missingPeels(bus, wanted);
    if (masters.length > 0 || peels.length > 0) return [...masters, ...peels];
    return await missingInAnswers(bus, wanted);
  } catch (error) {
    // Nobody answers yet, or the server is just being started again.
    if (!isTransient(error)) throw error;
    return [...wanted.masters, ...wanted.peels].map(({ name }) => name);
  }
}

/** A master's id is new with each start; its process is what we know it by. */
async function missingMasters(bus: Bus, { masters }: FleetWanted): Promise<string[]> {
  const entries = await bus.bucket(BUCKETS.masterHeartbeat.name).entries();
  const beats = entries.map(({ value }) => masterHeartbeatCodec.decode(value));
  return masters
    .filter(({ pid }) => !beats.some((beat) => beat.pid === pid && !beat.leaving))
    .map(({ name }) => name);
}

async function missingPeels(bus: Bus, { peels, since }: FleetWanted): Promise<string[]> {
  const beats = await bus.bucket(BUCKETS.peelHeartbeat.name).entries();
  const facts = new Set(await bus.bucket(BUCKETS.facts.name).keys());
  const alive = new Set(
    beats
      .filter(({ value }) => (peelHeartbeatCodec.decode(value).since ?? 0n) >= since)
      .map(({ key }) => key),
  );
  return peels.map(({ name }) => name).filter((name) => !alive.has(name) || !facts.has(name));
}

async function missingInAnswers(bus: Bus, { masters, peels }: FleetWanted): Promise<readonly string[]> {
  if (masters.length === 0 || peels.length === 0) return [];
  const names = peels.map(({ name }) => name);
  const question = resolveRequestCodec.encode({ expr: `L@${names.join(',')}`, type: '', wantFacts: false });
  for (let asked = 0; asked < ASKED_PER_MASTER * masters.length; asked++) {
    const { data } = await bus.request(TARGET_RESOLVE_SUBJECT, question, { timeoutMs: ANSWER_MS });
    const found: readonly string[] = resolveResponseCodec.decode(data).peels;
    const missing = names.filter((name) => !found.includes(name));
    if (missing.length > 0) return missing;
  }
  return [];
}
