/**
 * `mirrorSet` keeps a directory of this machine in step with a published file set: it watches the revision, fetches what
 * has changed, and swaps the whole tree.
 *
 *   revision changed ── this peel's share of the spread ──▶ pass: head ──▶ files that differ ──▶ tree store ──▶ told
 *
 * Safety: a pass takes exactly what one manifest lists, each file with the hash listed there, or nothing; so whoever reads
 * gets one revision, never a mix (decisions 24 and 48). Nothing published, or no NATS, leaves what is there. An older head
 * than ours is a copy of the bucket that lags, until it has stayed so for `LAG_MS_MAX`: then the store has lost writes, and
 * what it says is the truth.
 *
 * Liveness: one pass at a time; a revision that comes meanwhile, a failure (after 1 to 30 s), and a new connection bring
 * another one. After a hint that a pass could not see, because another copy answered, it looks again a few times.
 *
 * A tree whose files somebody changed on this machine is fetched again: that is looked at before every run and now and then.
 *
 * If we die: see tree-store.ts. Twice the same revision: nothing to do. Bounds: those of the manifest; one tree at work.
 */

import type { FileSetHead, FileSetRevision } from '../bus/file-set/file-set.ts';
import { fetchFile, readFileSetHead, readFileSetRevision } from '../bus/file-set/read-file-set.ts';
import { watchFileSet } from '../bus/file-set/watch-file-set.ts';
import type { AgentBus, Subscription, Watch } from '../bus/port.ts';
import { type Backoff, backoffMs } from '../core/backoff.ts';
import { isZesterError, zesterError } from '../core/errors/zester-error.ts';
import { DEFAULT_SPREAD_MS, fetchWaitMs } from '../core/files/fetch-spread.ts';
import type { ListedFile } from '../core/files/file-manifest.ts';
import { within } from '../runtime/abortable-wait.ts';
import { type Periodic, periodic } from '../runtime/periodic.ts';
import { jitter } from '../runtime/random.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { wakeLoop } from '../runtime/wake-loop.ts';
import type { Files } from '../system/files.ts';
import type { FileSetSpec } from '../wire/records/file-set.ts';
import type { FilesDifference } from '../wire/records/fileserver.ts';
import { mirrorDifference } from './mirror-difference.ts';
import { openTreeStore, type PinnedTree, type TreeStore } from './tree-store.ts';

export interface MirrorOptions {
  readonly bus: AgentBus;
  readonly files: Files;
  readonly runtime: Runtime;
  readonly spec: FileSetSpec;
  /** Where the mirror is; absolute. What else is there goes aside or goes. */
  readonly cache: string;
  /** Who mirrors: decides when within the spread. */
  readonly id: string;
  /** Revision or problem is another. Only notes it. */
  readonly changed?: () => void;
}

export interface MirrorSet {
  /** Resolves when it is known what the disk has, or that this cannot be told for now. */
  start(): Promise<void>;
  stop(): void;
  state(): MirrorState;
  /** Undefined when there is no tree that may be used. */
  pin(): Promise<PinnedTree | undefined>;
  /** From what is published to what is on this disk. Throws where one of them cannot be read. */
  difference(): Promise<FilesDifference>;
  /** Looks now, for whoever misses something that should be there. Resolves when it has looked, whatever came of it. */
  lookNow(): Promise<void>;
  /**
   * For whoever is about to read: asks which revision is published now and fetches it if it is not here, without this
   * peel's share of the spread. So a run that is sent after a publish was told uses what was published. Resolves within
   * `CATCH_UP_MS` with the reason why the newest may not be here; empty when it is, and when there is nobody to ask.
   */
  catchUp(): Promise<string>;
}

export interface MirrorState {
  /** Of the tree that readers get; 0 when there is none. */
  readonly revision: number;
  /** The bucket as it was last seen; undefined before. */
  readonly published: FileSetHead['is'] | undefined;
  /** Why it does not have the newest revision; empty when nothing is wrong. */
  readonly problem: string;
}

const RETRIES: Backoff = { firstMs: 1_000, maxMs: 30_000 };
const RETRY_SPREAD = 0.5;
/** A copy of the bucket may lag this long. */
const LAG_MS_MAX = 5_000;
const LOOK_AGAIN_MS = 500;
/** After a hint that showed nothing new. */
const LOOKS_AGAIN_MAX = 4;
/** How often a mirror that nobody reads is looked at, in case somebody changed it. */
const CHECK_MS = 600_000;
const CHECK_SPREAD = 0.2;
/** Whoever waits for this wants to run something: what takes longer is told with its result. */
export const CATCH_UP_MS = 5_000;

export function mirrorSet(options: MirrorOptions): MirrorSet {
  const { bus, files, runtime, spec, cache, id } = options;
  const { clock, random } = runtime;
  const log = runtime.log.with({ set: spec.name });
  let store: TreeStore | undefined;
  let published: MirrorState['published'];
  let problem = '';
  let spreadMs = DEFAULT_SPREAD_MS;
  let failures = 0;
  let looksLeft = 0;
  /** Since when every head has been older than our tree. */
  let olderSinceMs: number | undefined;
  /** Somebody has changed files of our tree. */
  let isDamaged = false;
  /** When the next pass is due. */
  let dueMs: number | undefined;
  /** That pass waits for this peel's share of the spread, and for nothing else. */
  let isSpread = false;
  let watch: Watch | undefined;
  let statuses: Subscription | undefined;
  let checks: Periodic | undefined;
  let waiting: (() => void)[] = [];

  const loop = wakeLoop(runtime, turn, undefined);

  async function turn(): Promise<void> {
    dueMs = undefined;
    isSpread = false;
    const waiters = waiting;
    waiting = [];
    try {
      await pass();
      failures = 0;
      tell('');
    } catch (error) {
      failed(error);
    }
    for (const done of waiters) done();
  }

  function failed(error: unknown): void {
    if (loop.stopped()) return;
    failures += 1;
    wakeWithin(jitter(random, backoffMs(RETRIES, failures), RETRY_SPREAD));
    // That there is no connection is told elsewhere, and nothing is wrong with the files.
    if (store !== undefined && bus.status() !== 'connected') return;
    if (!isZesterError(error)) log.error('a mirror of published files broke', { error });
    tell(error instanceof Error ? error.message : String(error));
  }

  async function pass(): Promise<void> {
    store ??= await openTreeStore({ files, log, cache, released: () => wakeIfWaiting() });
    if (bus.status() !== 'connected') return;
    const head = await readFileSetHead(bus, spec);
    published = head.is;
    if (head.is === 'torn') throw zesterError('MIRROR_TORN', { set: spec.name, problem: head.problem });
    const current = store.current();
    const isHere = head.is === 'whole' && head.identity === current?.identity && !isDamaged;
    if (head.is === 'empty' || isHere) {
      olderSinceMs = undefined;
      if (looksLeft > 0) wakeWithin(LOOK_AGAIN_MS);
      looksLeft -= 1;
      return;
    }
    if (head.revision < (current?.revision ?? 0) && mayLag()) {
      wakeWithin(LOOK_AGAIN_MS);
      return;
    }
    olderSinceMs = undefined;
    await store.install(head, fetch);
    isDamaged = false;
    log.info('published files are here', { revision: head.revision, files: head.files.length });
    options.changed?.();
  }

  function mayLag(): boolean {
    olderSinceMs ??= clock.monotonicMs();
    return clock.monotonicMs() - olderSinceMs < LAG_MS_MAX;
  }

  async function fetch(file: ListedFile): Promise<Uint8Array> {
    const fetched = await fetchFile(bus, spec, file);
    if (fetched.is === 'found') return fetched.bytes;
    throw zesterError('MIRROR_TORN', { set: spec.name, problem: fetched.problem });
  }

  function tell(now: string): void {
    if (now === problem) return;
    problem = now;
    if (now === '') log.info('the mirror of published files is in order again');
    else log.warn('published files cannot be mirrored; those from before stay in use', { problem: now });
    options.changed?.();
  }

  function lookNow(): Promise<void> {
    return new Promise((resolve) => {
      if (loop.stopped()) return resolve();
      waiting.push(resolve);
      loop.wake();
    });
  }

  async function catchUp(): Promise<string> {
    if (bus.status() !== 'connected') return '';
    let missing: FileSetRevision | undefined;
    const look = async () => {
      const newest = await readFileSetRevision(bus, spec);
      if (newest === undefined || (isHere(newest) && !(await noticeDamage()))) return;
      missing = newest;
      await lookNow();
    };
    try {
      const isDone = await within(
        clock,
        CATCH_UP_MS,
        look().then(() => true),
      );
      if (missing !== undefined && isDamaged) return damagedText(missing, problem);
      if (missing !== undefined && !isHere(missing)) return lateText(missing, problem);
      return isDone === true || missing !== undefined ? '' : unaskedText('no answer');
    } catch (error) {
      return unaskedText(error instanceof Error ? error.message : String(error));
    }
  }

  /** True when the tree is to be fetched again. */
  async function noticeDamage(): Promise<boolean> {
    if (isDamaged || (await store?.isIntact()) !== false) return isDamaged;
    isDamaged = true;
    log.warn('somebody has changed mirrored files; they are fetched again', { path: cache });
    return true;
  }

  async function check(): Promise<void> {
    if (bus.status() === 'connected' && (await noticeDamage())) await lookNow();
  }

  /** Or a newer one: the answer may be of a copy that lags. */
  function isHere({ revision, identity }: FileSetRevision): boolean {
    const current = store?.current();
    return current !== undefined && (current.identity === identity || current.revision > revision);
  }

  function lateText({ revision }: FileSetRevision, why: string): string {
    return `revision ${revision} of the ${spec.name} is published and not here yet${why === '' ? '' : `: ${why}`}`;
  }

  function damagedText({ revision }: FileSetRevision, why: string): string {
    return `somebody has changed files of revision ${revision} of the ${spec.name} here, and they could not be fetched again${why === '' ? '' : `: ${why}`}`;
  }

  function unaskedText(why: string): string {
    return `whether these are the newest ${spec.name} could not be asked: ${why}`;
  }

  /** A tree that can only be replaced where it is waits for its readers. */
  function wakeIfWaiting(): void {
    if (failures > 0) loop.wake();
  }

  /** Never later than an earlier call said. */
  function wakeWithin(delayMs: number): void {
    const atMs = clock.monotonicMs() + delayMs;
    if (dueMs !== undefined && dueMs <= atMs) return;
    dueMs = atMs;
    isSpread = false;
    loop.wakeAfter(delayMs);
  }

  function wakeWithinSpread(): void {
    const before = dueMs;
    wakeWithin(fetchWaitMs(id, spreadMs));
    if (dueMs !== before) isSpread = true;
  }

  /** Right after a start the revision may be told before the spread: whoever waits for its share waits anew. */
  function noteSpread(ms: number): void {
    spreadMs = ms;
    if (!isSpread) return;
    dueMs = undefined;
    wakeWithinSpread();
  }

  return {
    async start() {
      try {
        store = await openTreeStore({ files, log, cache, released: () => wakeIfWaiting() });
      } catch (error) {
        failed(error);
      }
      checks = periodic(
        runtime,
        { what: 'look at mirrored files', everyMs: CHECK_MS, spread: CHECK_SPREAD },
        check,
      );
      statuses = bus.onStatus((status) => {
        if (status === 'connected') wakeWithinSpread();
      });
      watch = watchFileSet(bus, spec, {
        changed: () => {
          looksLeft = LOOKS_AGAIN_MAX;
          wakeWithinSpread();
        },
        spread: noteSpread,
        trouble: (error) => log.debug('cannot see the revision of published files', { error }),
      });
    },
    stop() {
      watch?.stop();
      checks?.stop();
      statuses?.unsubscribe();
      loop.stop();
      for (const done of waiting) done();
    },
    state: () => ({ revision: store?.current()?.revision ?? 0, published, problem }),
    async pin() {
      const wasThere = store?.current() !== undefined;
      const pinned = await store?.pin();
      // Somebody removed it: it is fetched again.
      if (wasThere && pinned === undefined) loop.wake();
      return pinned;
    },
    async difference() {
      const pinned = await store?.pin();
      try {
        return await mirrorDifference({ bus, files, spec, cache, pinned });
      } finally {
        pinned?.release();
      }
    },
    lookNow,
    catchUp,
  };
}
