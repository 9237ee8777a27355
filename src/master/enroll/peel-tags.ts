/**
 * The tag keeper publishes what operators say of peels, for the peels themselves: `peel-tags/<peel>` is derived from the enrollment that
 * holds the id, rewritten when it differs, and removed when operators say nothing or the peel is not in any more. Facts are sealed
 * to the peel's approved curve key. The master that holds the lease facts-secrets does it, at once for a peel of which there is
 * news, and for all when it wins the lease, when the fleet key is another, and every `CHECK_MS`.
 *
 * The lease saves double work and nothing hangs on it: what is published is read first, then the enrollment by the word of its leader,
 * and written by compare-and-set. So who slept in between does not win, and to do it twice changes nothing. A box is never the same
 * twice, so it is opened to compare. What fails is tried again after `RETRY_MS`. Bound: one pass at a time, `PEELS_AT_ONCE` in
 * it; peels that come meanwhile wait in a set, which has each of them once.
 */
import { openTable, type TableRead } from '../../bus/kv/table.ts';
import { assert } from '../../core/assert.ts';
import { isLive } from '../../core/enroll/desk/enrollment-state.ts';
import { hasWords } from '../../core/target/operator-words.ts';
import { concurrentMap } from '../../runtime/concurrent-map.ts';
import { type Periodic, periodic } from '../../runtime/periodic.ts';
import { wakeLoop } from '../../runtime/wake-loop.ts';
import { type BoxKey, boxKey } from '../../trust/sealed-box.ts';
import { encodeSortedValue } from '../../wire/msgpack/msgpack-encode.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { Enrollment } from '../../wire/records/enroll/enrollment.ts';
import type { PeelTags } from '../../wire/records/enroll/peel-tags.ts';
import { factsCodec } from '../../wire/records/facts.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { MasterContext } from '../master-context.ts';
import { EnrollmentStore } from './enrollment-store.ts';

const CHECK_MS = 300_000;
const LOOK_MS = 2_000;
const RETRY_MS = 2_000;
const SPREAD = 0.1;
const PEELS_AT_ONCE = 16;

export interface PeelTagKeeper {
  start(): void;
  /** There is news of what operators say of it. */
  changed(peel: PeelId): void;
  /** There is another fleet key: everything is sealed anew. */
  rotated(): void;
  /** Resolves when nothing is being written any more. */
  stop(): Promise<void>;
}

export function peelTagKeeper(context: MasterContext, isLeader: () => boolean): PeelTagKeeper {
  const { runtime, bus, life, enrollments, operatorFacts } = context;
  const { log } = runtime;
  const records = openTable(bus, TABLES.peelTags);
  const store = new EnrollmentStore(context);
  const waiting = new Set<PeelId>();
  let isFleetDue = true;
  let wasLeader = false;
  let isStopped = false;
  let timers: readonly Periodic[] = [];
  let working: Promise<void> = Promise.resolve();

  const loop = wakeLoop(
    runtime,
    () => {
      working = step();
      return working;
    },
    (error) => {
      if (!life.aborted) log.warn('tags of peels cannot be published for the moment', { error });
    },
  );

  async function step(): Promise<void> {
    const leads = isLeader();
    if (leads && !wasLeader) isFleetDue = true;
    wasLeader = leads;
    if (!leads || isStopped || life.aborted) {
      waiting.clear();
      return;
    }
    if (isFleetDue) for (const peel of await everybody()) waiting.add(peel);
    isFleetDue = false;
    const peels = [...waiting];
    waiting.clear();
    await concurrentMap(peels, PEELS_AT_ONCE, async (peel) => {
      try {
        if (!isStopped && !(await publish(peel))) again(peel);
      } catch (error) {
        if (life.aborted) return;
        log.warn('tags of a peel not published', { peel, error });
        again(peel);
      }
    });
  }

  /** Those that should have a record, and those that have one. */
  async function everybody(): Promise<readonly PeelId[]> {
    const tagged = [...enrollments.view.peels()].filter((peel) => {
      const record = enrollments.view.liveOf(peel);
      return record !== undefined && saysAnything(record);
    });
    return [...tagged, ...(await records.ids())];
  }

  function again(peel: PeelId): void {
    waiting.add(peel);
    loop.wakeAfter(RETRY_MS);
  }

  /** Whether it is as it should be now; false: somebody wrote in between. */
  async function publish(peel: PeelId): Promise<boolean> {
    const read = await records.getLatest(peel);
    const current = (await store.currentOf(peel))?.record;
    const isDue = current !== undefined && isLive(current.state) && saysAnything(current);
    if (!isDue) return read.is === 'absent' || (await records.remove(peel, { revision: read.revision })).won;
    const facts = operatorFacts.of(current);
    if (facts === undefined) return false;
    const key = sealingKey(current);
    if (isSame(read, current, facts, key)) return true;
    const wanted = recordOf(current, facts, key);
    const { won } =
      read.is === 'absent'
        ? await records.create(peel, wanted)
        : await records.update(peel, wanted, read.revision);
    return won;
  }

  function sealingKey({ peelId: peel, curvePublicKey }: Enrollment): SealingKey | undefined {
    const [fleetKey] = context.keys.fleet;
    assert(fleetKey !== undefined, 'a master has a fleet key');
    const box = boxKey(fleetKey.curveKey, curvePublicKey);
    if (box !== undefined) return { box, generation: fleetKey.generation };
    log.warn('the curve key of a peel cannot be used, so it gets no facts', { peel });
    return undefined;
  }

  function recordOf({ id, tags }: Enrollment, facts: WireMap, key: SealingKey | undefined): PeelTags {
    if (Object.keys(facts).length === 0 || key === undefined)
      return { enrollment: id, tags, sealedFacts: '', generation: 0 };
    const sealedFacts = key.box.seal(factsCodec.encode(facts), runtime.random);
    return { enrollment: id, tags, sealedFacts, generation: key.generation };
  }

  return {
    start() {
      timers = [
        periodic(runtime, { what: 'publishing of tags', everyMs: CHECK_MS, spread: SPREAD }, () => {
          isFleetDue = true;
          loop.wake();
        }),
        periodic(runtime, { what: 'who publishes tags', everyMs: LOOK_MS, spread: 0 }, () => {
          if (isLeader() !== wasLeader) loop.wake();
        }),
      ];
      loop.wake();
    },
    changed(peel) {
      if (!isLeader()) return;
      waiting.add(peel);
      loop.wake();
    },
    rotated() {
      isFleetDue = true;
      loop.wake();
    },
    async stop() {
      isStopped = true;
      for (const timer of timers) timer.stop();
      loop.stop();
      await working.catch((error: unknown) => log.debug('publishing of tags was stopped', { error }));
    },
  };
}

/** What facts of one peel are sealed with. */
interface SealingKey {
  readonly box: BoxKey;
  readonly generation: number;
}

function saysAnything({ tags, facts, sealedFacts }: Enrollment): boolean {
  return hasWords({ tags, facts }) || Object.keys(sealedFacts).length > 0;
}

function isSame(
  read: TableRead<PeelId, PeelTags>,
  { id, tags }: Enrollment,
  facts: WireMap,
  key: SealingKey | undefined,
): boolean {
  if (read.is !== 'found') return false;
  const { enrollment, tags: published, sealedFacts, generation } = read.value;
  if (enrollment !== id || !areEqual(encodeSortedValue(published), encodeSortedValue(tags))) return false;
  const wantsFacts = Object.keys(facts).length > 0 && key !== undefined;
  if (sealedFacts === '' || !wantsFacts) return sealedFacts === '' && !wantsFacts;
  const plain = generation === key.generation ? key.box.open(sealedFacts) : undefined;
  return plain !== undefined && areEqual(plain, factsCodec.encode(facts));
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
