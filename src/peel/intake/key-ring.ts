/**
 * The key ring keeps the trusted keys: read from disk at the start, so that a peel without NATS, or that restarts while
 * masters are away, still verifies; kept current by watching bucket `secrets`; written back when they change.
 *
 * A hint of change can be forged, what is then read cannot: only masters write that bucket. A key that is deleted or
 * damaged there changes nothing here. If the file cannot be written the keys still hold for this life.
 *
 * A peel that was away may have missed a whole rotation of the fleet key, so after each connect the list of generations is
 * read before anything is judged (`whenFresh`), and once more when something names a generation that is not known, or comes
 * with a certificate that no key has signed (`refresh`). Where the list cannot be read for `FRESH_MS_MAX`, what is known counts: a store that is down must not make
 * peels deaf to direct calls. Bound: one such read at a time, and at most one in `REFRESH_MS`.
 *
 * The same list says which agents keys sign credentials of peels; that is not kept on disk, because only a connected peel needs it.
 */
import type { KvRead, Subscription, Watch } from '../../bus/port.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { Timer } from '../../runtime/clock.ts';
import { type WakeLoop, wakeLoop } from '../../runtime/wake-loop.ts';
import { type ProofKey, proofKeyForMaster } from '../../trust/command-proof.ts';
import { isUsableEd25519PublicKey } from '../../trust/ed25519.ts';
import { isPublicKey } from '../../trust/nkeys.ts';
import { decodeBase64url } from '../../wire/msgpack/base64url.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { COMMAND_KEY, FLEET_KEYS_KEY, MASTER_CURVE_KEY } from '../../wire/names/keys.ts';
import type { AgentsPublicKey } from '../../wire/records/fleet-key/agents-keys.ts';
import { type FleetKeyList, fleetKeyListCodec } from '../../wire/records/fleet-key/fleet-keys.ts';
import { keysPath } from '../data-dir.ts';
import type { PeelContext } from '../peel-context.ts';
import {
  NO_KEYS,
  OVERLAP_MS_MAX,
  type TrustedGeneration,
  type TrustedKeys,
  trustedKeysCodec,
  usableKeys,
  withListed,
  withNewestKey,
} from './trusted-keys.ts';

const KEY_CHARS_MAX = 128;
const FRESH_MS_MAX = 3_000;
const REFRESH_MS = 500;
/** Whatever the list says: credentials must be renewed well before the longest overlap ends. */
const RENEW_SPREAD_MS_MAX = 600_000;

export interface AgentsKeysListed {
  readonly keys: readonly AgentsPublicKey[];
  /** Over how long peels spread their renewal. */
  readonly renewSpreadMs: number;
}

type KeyRingContext = Pick<
  PeelContext,
  'bus' | 'system' | 'runtime' | 'dataDir' | 'curveKey' | 'agentsKeysChanged'
>;

export async function openKeyRing(context: KeyRingContext): Promise<KeyRing> {
  return new KeyRing(context, await readKeys(context));
}

/** Damaged is as good as absent here: the keys are read again from the bucket. */
async function readKeys({ system, dataDir, runtime }: KeyRingContext): Promise<TrustedKeys> {
  const path = keysPath(dataDir);
  const bytes = await system.files.read(path);
  if (bytes === undefined) return NO_KEYS;
  const keys = decoded(trustedKeysCodec, bytes);
  if (keys.isReadable) return keys.value;
  runtime.log.warn('the file of public keys is damaged', { path, problem: keys.problem });
  return NO_KEYS;
}

export class KeyRing {
  private readonly context: KeyRingContext;
  private readonly proofKeys = new Map<string, ProofKey | undefined>();
  private readonly writing: WakeLoop;
  private readonly freshening: WakeLoop;
  private readonly waiters = new Set<() => void>();
  private readonly listeners = new Set<() => void>();
  private readonly watches: Watch[] = [];
  private statuses: Subscription | undefined;
  private giveUp: Timer | undefined;
  private keys: TrustedKeys;
  private issued: AgentsKeysListed = { keys: [], renewSpreadMs: 0 };
  private listRevision = 0;
  private isFresh = false;
  private becomesFresh: Promise<void> | undefined;
  private tellFresh = (): void => undefined;
  private refreshing: Promise<void> | undefined;
  private refreshedMs = Number.NEGATIVE_INFINITY;

  constructor(context: KeyRingContext, keys: TrustedKeys) {
    this.context = context;
    this.keys = keys;
    const { runtime, system, dataDir } = context;
    this.writing = wakeLoop(
      runtime,
      () => system.files.writeAtomic(keysPath(dataDir), trustedKeysCodec.encode(this.keys)),
      (error) => runtime.log.warn('cannot store the public keys', { error }),
    );
    this.freshening = wakeLoop(
      runtime,
      () => this.freshen(),
      (error) => runtime.log.debug('cannot read the generations of the fleet key', { error }),
    );
  }

  start(): void {
    const { bus, runtime } = this.context;
    const secrets = bus.bucket(BUCKETS.secrets.name);
    const trouble = (error: Error) => runtime.log.debug('cannot read the public keys', { error });
    this.watches.push(
      secrets.watchKeys([MASTER_CURVE_KEY, COMMAND_KEY], {
        changed: (read) => this.noteBare(read),
        trouble,
      }),
      // Apart: grants of an older deployment do not have this one.
      secrets.watchKeys([FLEET_KEYS_KEY], {
        changed: (read) => this.noteList(read),
        trouble,
      }),
    );
    this.statuses = bus.onStatus((status) => status === 'connected' && this.stale());
    this.stale();
  }

  /** For commands of masters: of one generation where the command names one, else all that are good. */
  commandProofKeys(generation?: number): readonly ProofKey[] {
    return this.good()
      .filter((each) => generation === undefined || each.generation === generation || each.generation === 0)
      .flatMap(({ curve }) => (curve === '' ? [] : (this.proofKeyOf(curve) ?? [])));
  }

  /** Curve public keys of the masters, the newest first: with them they seal secrets. */
  curveKeys(): readonly string[] {
    return this.good().flatMap(({ curve }) => (curve === '' ? [] : curve));
  }

  /** The keys of the masters are others. The listener only notes it. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** For cancels, and for certificates of operators. */
  commandKeys(): readonly Uint8Array[] {
    return this.good().flatMap(({ command }) => (command === '' ? [] : (decodeBase64url(command) ?? [])));
  }

  /** The newest generation that was listed; 0 where none was. */
  generation(): number {
    return this.keys.generations[0]?.generation ?? 0;
  }

  /** Which keys sign credentials of peels, the newest first; none where they were never rotated. */
  agentsKeys(): AgentsKeysListed {
    return this.issued;
  }

  /** False: it may be newer than what was read last. */
  knowsGeneration(generation: number): boolean {
    const { generations } = this.keys;
    return generations.length === 0 || generations.some((each) => each.generation === generation);
  }

  /** Resolves when there is a key of each kind: only then can a command be verified. */
  known(): Promise<void> {
    if (this.isKnown()) return Promise.resolve();
    return new Promise((resolve) => this.waiters.add(resolve));
  }

  /**
   * Undefined: the generations have been read since the last connect. Otherwise resolves when they have, or cannot be: one
   * promise for all who ask, who bound what waits for it.
   */
  whenFresh(): Promise<void> | undefined {
    if (this.isFresh) return undefined;
    this.becomesFresh ??= new Promise((resolve) => {
      this.tellFresh = resolve;
    });
    return this.becomesFresh;
  }

  /** Reads the generations now. Undefined: that was done a moment ago. Does not throw: what is known then counts. */
  refresh(): Promise<void> | undefined {
    const { clock, log } = this.context.runtime;
    if (this.refreshing !== undefined) return this.refreshing;
    if (clock.monotonicMs() - this.refreshedMs < REFRESH_MS) return undefined;
    this.refreshedMs = clock.monotonicMs();
    this.refreshing = this.readList()
      .catch((error: unknown) => log.debug('cannot read the generations of the fleet key', { error }))
      .finally(() => {
        this.refreshing = undefined;
      });
    return this.refreshing;
  }

  stop(): void {
    for (const watch of this.watches) watch.stop();
    this.statuses?.unsubscribe();
    this.giveUp?.cancel();
    this.freshening.stop();
    this.writing.stop();
  }

  /** A connection has come (back): what is known may be old. */
  private stale(): void {
    const { bus, runtime } = this.context;
    if (bus.status() !== 'connected') return;
    this.isFresh = false;
    this.giveUp?.cancel();
    this.giveUp = runtime.clock.after(FRESH_MS_MAX, () => this.fresh());
    this.freshening.wake();
  }

  private async freshen(): Promise<void> {
    try {
      await this.readList();
    } catch (error) {
      if (!isZesterError(error, 'BUS_DENIED')) throw error;
    }
    this.fresh();
  }

  private fresh(): void {
    this.isFresh = true;
    this.giveUp?.cancel();
    this.tellFresh();
    this.becomesFresh = undefined;
  }

  /** An older answer than what is known comes from a copy that lags. */
  private async readList(): Promise<void> {
    const read = await this.context.bus.bucket(BUCKETS.secrets.name).get(FLEET_KEYS_KEY);
    if (read.revision > this.listRevision) this.noteList(read);
  }

  private noteList(read: KvRead): void {
    if (!read.found) return;
    const { log, clock } = this.context.runtime;
    const list = decoded(fleetKeyListCodec, read.value);
    const listed = list.isReadable ? list.value.keys : [];
    if (
      listed.length === 0 ||
      !listed.every((key) => isPublicKey(key.curve, 'curve') && isCommandKey(key.command))
    ) {
      log.error('what is stored as the public keys of the masters are none', { key: read.key });
      return;
    }
    this.listRevision = read.revision;
    if (list.isReadable) this.noteAgents(list.value);
    const generations = withListed(this.keys.generations, listed, clock.nowMs());
    if (generations === this.keys.generations) return;
    log.info('generations of the fleet key', { good: generations.map(({ generation }) => generation) });
    this.changed({ ...this.keys, generations });
  }

  private noteAgents({ agents, renewSpreadMs }: FleetKeyList): void {
    const keys = agents.filter(({ publicKey }) => isPublicKey(publicKey, 'account'));
    if (JSON.stringify(keys) === JSON.stringify(this.issued.keys)) return;
    this.issued = { keys, renewSpreadMs: Math.min(Math.max(0, renewSpreadMs), RENEW_SPREAD_MS_MAX) };
    const good = keys.map(({ generation }) => generation);
    this.context.runtime.log.info('generations of the agents key', { good });
    for (const listener of this.listeners) listener();
    this.context.agentsKeysChanged?.();
  }

  private noteBare(read: KvRead): void {
    if (!read.found) return;
    const { runtime } = this.context;
    const text = Buffer.from(read.value.subarray(0, KEY_CHARS_MAX)).toString('latin1').trim();
    const kind = read.key === MASTER_CURVE_KEY ? 'curve' : 'command';
    if (!(kind === 'curve' ? isPublicKey(text, 'curve') : isCommandKey(text))) {
      runtime.log.error('what is stored as a public key of the masters is none', { key: read.key });
      return;
    }
    const keys = withNewestKey(this.keys[kind], text, runtime.clock.nowMs());
    if (keys === this.keys[kind]) return;
    runtime.log.info('public key of the masters', { key: read.key, value: text });
    this.changed({ ...this.keys, [kind]: keys });
  }

  private changed(keys: TrustedKeys): void {
    this.keys = keys;
    this.writing.wake();
    for (const listener of this.listeners) listener();
    if (!this.isKnown()) return;
    for (const tell of this.waiters) tell();
    this.waiters.clear();
  }

  private isKnown(): boolean {
    const { generations, curve, command } = this.keys;
    return generations.length > 0 || (curve.length > 0 && command.length > 0);
  }

  /** Bare keys are of generation 0: nobody knows of which they are. */
  private good(): readonly Omit<TrustedGeneration, 'until'>[] {
    const nowMs = this.context.runtime.clock.nowMs();
    const { generations, curve, command } = this.keys;
    if (generations.length > 0) return usableKeys(generations, nowMs, OVERLAP_MS_MAX);
    return [
      ...usableKeys(curve, nowMs).map(({ text }) => ({ generation: 0, curve: text, command: '' })),
      ...usableKeys(command, nowMs).map(({ text }) => ({ generation: 0, curve: '', command: text })),
    ];
  }

  /** Agreeing on a secret is the dear part; it is done once for each key, of which there are few. */
  private proofKeyOf(text: string): ProofKey | undefined {
    if (!this.proofKeys.has(text)) {
      const wanted = new Set(this.curveKeys());
      for (const known of this.proofKeys.keys()) if (!wanted.has(known)) this.proofKeys.delete(known);
      this.proofKeys.set(text, proofKeyForMaster(this.context.curveKey, text));
    }
    return this.proofKeys.get(text);
  }
}

function isCommandKey(text: string): boolean {
  const raw = decodeBase64url(text);
  return raw !== undefined && raw.length === 32 && isUsableEd25519PublicKey(raw);
}
