/**
 * `keepCredentials` renews the credentials of a running peel over the bus before they expire, and connects anew with them, without a
 * restart. The file is the truth: every connection attempt reads it, so a peel that was joined again while it runs takes
 * that up in the same way.
 *
 * They are due at two thirds of their life, and soon when masters sign with another agents key than theirs was (decision 46).
 *
 *   due → ask a master → check → write the file → at a moment of its own, connect anew → the old ones are not used any more
 *
 * What runs goes on meanwhile: returns wait for the connection, and what masters sent into the gap they send again. A master
 * that refuses, or none that answers, is asked again with growing pauses; what it hands out is written only if it is for this key and
 * this name. Asked twice, both answers are good and the later stays.
 */
import type { AgentBus } from '../../bus/port.ts';
import { backoffMs } from '../../core/backoff.ts';
import {
  type CredentialsLife,
  reconnectDueMs,
  renewalDueMs,
  renewalPauses,
} from '../../core/enroll/renewal-plan.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { wakeLoop } from '../../runtime/wake-loop.ts';
import type { Creds } from '../../trust/creds.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { renewCredentialsSubject } from '../../wire/names/subjects.ts';
import { renewReplyCodec, renewRequestCodec } from '../../wire/records/enroll/credentials-renewal.ts';
import type { AgentsKeysListed } from '../intake/key-ring.ts';
import { checkPeelJwt } from './peel-jwt.ts';

export interface RenewalPorts {
  readonly bus: AgentBus;
  readonly runtime: Runtime;
  readonly peelId: PeelId;
  readonly readCreds: () => Creds;
  readonly writeJwt: (jwt: string, creds: Creds) => void;
  /** With which the present connection was made; undefined before the first. */
  readonly jwtInUse: () => string | undefined;
  /** Which keys sign credentials, the newest first; none where they were never rotated. */
  readonly agentsKeys: () => AgentsKeysListed;
  readonly reconnect: () => void;
}

const ANSWER_MS = 10_000;
/** The wall clock may jump: it is looked at again at least this often. */
const LOOK_MS_MAX = 60_000;

export interface KeptCredentials {
  /** The agents keys are others. */
  look(): void;
  stop(): void;
}

export function keepCredentials(ports: RenewalPorts): KeptCredentials {
  const { bus, runtime, readCreds, jwtInUse, agentsKeys, reconnect } = ports;
  const { clock, random, log } = runtime;
  let failures = 0;
  /** Drawn once for each credentials, or every look would draw an earlier moment. */
  let drawn: { readonly jwt: string; readonly chance: number } | undefined;
  let rekey: { readonly jwt: string; readonly key: string; readonly dueMs: number } | undefined;
  let reconnectAtMs: { readonly jwt: string; readonly atMs: number } | undefined;
  /** Life of the credentials that were in the file when the connection was made. */
  const lives = new LivesInUse();

  const lookAgain = (atMs: number) =>
    loop.wakeAfter(Math.min(Math.max(atMs - clock.nowMs(), 0), LOOK_MS_MAX));

  /** Undefined: nothing to do but to wait. */
  async function renewIfDue(creds: Creds, life: CredentialsLife): Promise<number> {
    if (drawn?.jwt !== creds.jwt) drawn = { jwt: creds.jwt, chance: random.fraction() };
    const dueMs = Math.min(renewalDueMs(life, drawn.chance), rekeyDueMs(creds, drawn.chance));
    if (clock.nowMs() < dueMs) return dueMs;
    if (bus.status() === 'connected' && (await renewed(creds))) return clock.nowMs();
    failures += 1;
    return clock.nowMs() + backoffMs(renewalPauses(life), failures);
  }

  /** Credentials by an older agents key are renewed as soon as that is heard, spread over the fleet. */
  function rekeyDueMs({ jwt, claims }: Creds, chance: number): number {
    const { keys, renewSpreadMs } = agentsKeys();
    const [newest] = keys;
    if (newest === undefined || newest.publicKey === claims.iss) return Number.POSITIVE_INFINITY;
    if (rekey?.jwt !== jwt || rekey.key !== newest.publicKey)
      rekey = { jwt, key: newest.publicKey, dueMs: clock.nowMs() + renewSpreadMs * chance };
    return rekey.dueMs;
  }

  async function renewed(creds: Creds): Promise<boolean> {
    try {
      await renew(ports, creds);
      failures = 0;
      return true;
    } catch (error) {
      log.warn('the credentials could not be renewed; trying again', { error });
      return false;
    }
  }

  /** When the connection is to be made anew; undefined when it stands on the credentials of the file. */
  function reconnectIfDue(creds: Creds): number | undefined {
    const used = jwtInUse();
    const life = used === undefined ? undefined : lives.of(used);
    if (used === undefined || used === creds.jwt || life === undefined) return undefined;
    if (reconnectAtMs?.jwt !== creds.jwt) {
      const chance = random.fraction();
      const dueMs = reconnectDueMs(life, clock.nowMs(), chance);
      // Servers cut off what hangs on an older agents key when that ends.
      const soonMs = clock.nowMs() + agentsKeys().renewSpreadMs * chance;
      const isRekeyed = lives.issuerOf(used) !== creds.claims.iss;
      reconnectAtMs = { jwt: creds.jwt, atMs: isRekeyed ? Math.min(soonMs, dueMs) : dueMs };
    }
    if (clock.nowMs() < reconnectAtMs.atMs) return reconnectAtMs.atMs;
    if (bus.status() !== 'connected') return clock.nowMs() + ANSWER_MS;
    log.info('connecting anew with the renewed credentials');
    reconnect();
    return clock.nowMs() + ANSWER_MS;
  }

  const loop = wakeLoop(
    runtime,
    async () => {
      const creds = readCreds();
      lives.note(creds);
      const life = lifeOf(creds);
      const renewMs = life === undefined ? Number.POSITIVE_INFINITY : await renewIfDue(creds, life);
      const now = readCreds();
      lives.note(now);
      lookAgain(Math.min(renewMs, reconnectIfDue(now) ?? Number.POSITIVE_INFINITY));
    },
    (error) => log.warn('the credentials cannot be read', { error }),
  );
  const statuses = bus.onStatus((status) => {
    if (status === 'connected') loop.wake();
  });
  loop.wake();
  return {
    look: () => loop.wake(),
    stop() {
      statuses.unsubscribe();
      loop.stop();
    },
  };
}

async function renew({ bus, runtime, peelId, writeJwt }: RenewalPorts, creds: Creds): Promise<void> {
  const { publicKey } = creds.key;
  const asked = renewRequestCodec.encode({ publicKey });
  const answer = await bus.request(renewCredentialsSubject(peelId), asked, { timeoutMs: ANSWER_MS });
  const { jwt, error, code } = renewReplyCodec.decode(answer.data);
  if (error !== '')
    throw zesterError(
      'JOIN_REFUSED',
      { url: 'the bus', what: 'new credentials', reason: printableLine(error) },
      { reasonCode: code },
    );
  checkPeelJwt(jwt, { source: 'a master', peelId, publicKey }, runtime.clock.nowMs());
  writeJwt(jwt, creds);
  runtime.log.info('credentials renewed', { peel: peelId });
}

/** Undefined: they do not expire. */
function lifeOf({ claims }: Creds): CredentialsLife | undefined {
  return claims.exp === undefined
    ? undefined
    : { issuedAtMs: claims.iat * 1000, expiresAtMs: claims.exp * 1000 };
}

/** Of the last few credentials, by their text. */
class LivesInUse {
  private readonly lives = new Map<string, CredentialsLife & { readonly issuer: string }>();

  note(creds: Creds): void {
    const life = lifeOf(creds);
    if (life === undefined || this.lives.has(creds.jwt)) return;
    this.lives.set(creds.jwt, { ...life, issuer: creds.claims.iss });
    const [oldest] = this.lives.keys();
    if (this.lives.size > LIVES_MAX && oldest !== undefined) this.lives.delete(oldest);
  }

  of(jwt: string): CredentialsLife | undefined {
    return this.lives.get(jwt);
  }

  issuerOf(jwt: string): string | undefined {
    return this.lives.get(jwt)?.issuer;
  }
}

const LIVES_MAX = 4;
