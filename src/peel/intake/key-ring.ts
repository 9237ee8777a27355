/**
 * The key ring keeps the trusted keys: read from disk at the start, so that a peel without NATS, or that restarts while
 * masters are away, still verifies; kept current by watching bucket `secrets`; written back when they change.
 *
 * A hint of change can be forged, what is then read cannot: only masters write that bucket. A key that is deleted or
 * damaged there changes nothing here. If the file cannot be written the keys still hold for this life.
 */
import type { KvRead, Watch } from '../../bus/port.ts';
import { type WakeLoop, wakeLoop } from '../../runtime/wake-loop.ts';
import { type ProofKey, proofKeyForMaster } from '../../trust/command-proof.ts';
import { isUsableEd25519PublicKey } from '../../trust/ed25519.ts';
import { isPublicKey } from '../../trust/nkeys.ts';
import { decodeBase64url } from '../../wire/msgpack/base64url.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { COMMAND_KEY, MASTER_CURVE_KEY } from '../../wire/names/keys.ts';
import { keysPath } from '../data-dir.ts';
import type { PeelContext } from '../peel-context.ts';
import { NO_KEYS, type TrustedKeys, trustedKeysCodec, usableKeys, withNewestKey } from './trusted-keys.ts';

const KEY_CHARS_MAX = 128;

type KeyRingContext = Pick<PeelContext, 'bus' | 'system' | 'runtime' | 'dataDir' | 'curveKey'>;

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
  private readonly waiters = new Set<() => void>();
  private readonly curveListeners = new Set<() => void>();
  private watch: Watch | undefined;
  private keys: TrustedKeys;

  constructor(context: KeyRingContext, keys: TrustedKeys) {
    this.context = context;
    this.keys = keys;
    const { runtime, system, dataDir } = context;
    this.writing = wakeLoop(
      runtime,
      () => system.files.writeAtomic(keysPath(dataDir), trustedKeysCodec.encode(this.keys)),
      (error) => runtime.log.warn('cannot store the public keys', { error }),
    );
  }

  start(): void {
    const { bus, runtime } = this.context;
    this.watch = bus.bucket(BUCKETS.secrets.name).watchKeys([MASTER_CURVE_KEY, COMMAND_KEY], {
      changed: (read) => this.noteRead(read),
      trouble: (error) => runtime.log.debug('cannot read the public keys', { error }),
    });
  }

  /** For commands of masters. */
  commandProofKeys(): readonly ProofKey[] {
    return this.usable('curve').flatMap((text) => this.proofKeyOf(text) ?? []);
  }

  /** Curve public keys of the masters, the newest first: with them they seal secrets. */
  curveKeys(): readonly string[] {
    return this.usable('curve');
  }

  /** A curve key of the masters is new. The listener only notes it. */
  onCurveKey(listener: () => void): void {
    this.curveListeners.add(listener);
  }

  /** For cancels, and for certificates of operators. */
  commandKeys(): readonly Uint8Array[] {
    return this.usable('command').flatMap((text) => decodeBase64url(text) ?? []);
  }

  /** Resolves when there is a key of each kind: only then can a command be verified. */
  known(): Promise<void> {
    if (this.isKnown()) return Promise.resolve();
    return new Promise((resolve) => this.waiters.add(resolve));
  }

  stop(): void {
    this.watch?.stop();
    this.writing.stop();
  }

  private noteRead(read: KvRead): void {
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
    this.keys = { ...this.keys, [kind]: keys };
    this.writing.wake();
    if (kind === 'curve') for (const listener of this.curveListeners) listener();
    if (!this.isKnown()) return;
    for (const tell of this.waiters) tell();
    this.waiters.clear();
  }

  private isKnown(): boolean {
    return this.keys.curve.length > 0 && this.keys.command.length > 0;
  }

  private usable(kind: keyof TrustedKeys): readonly string[] {
    return usableKeys(this.keys[kind], this.context.runtime.clock.nowMs()).map((key) => key.text);
  }

  /** Agreeing on a secret is the dear part; it is done once for each key, of which there are few. */
  private proofKeyOf(text: string): ProofKey | undefined {
    if (!this.proofKeys.has(text)) {
      const wanted = new Set(this.keys.curve.map((key) => key.text));
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
