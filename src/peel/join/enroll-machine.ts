/**
 * `enrollMachine` makes this machine a peel: it proves to a master that it holds its key, waits until somebody has approved it, and
 * fetches its credentials, once.
 *
 *   trust → key → challenge → request ─┬→ pending → decision ─┬→ approved → credentials → files
 *                                      └──────────────────────┘
 *
 * It may be run again at any point: with the same key a pending request is the same one, and one that was approved before is
 * approved again, so that credentials whose answer was lost are simply fetched anew. What a master says is checked before any of it
 * is written: it must be about this peel and this key.
 */
import { parseNatsUrl } from '../../bus/nats/nats-url.ts';
import {
  readCredentials,
  readNonce,
  readRefusal,
  readStatus,
  type StatusRead,
} from '../../core/enroll/door-answers.ts';
import type { DoorUrl } from '../../core/enroll/door-url.ts';
import { type ZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { VERSION } from '../../runtime/version.ts';
import { curveKeyOf, keyFingerprint, type SigningKey } from '../../trust/nkeys.ts';
import { ENROLL_NONCE_PATH, ENROLL_PATH, enrollCredsPath } from '../../wire/names/enroll-routes.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import {
  type EnrollRequestBody,
  enrollCredsBytes,
  enrollProofBytes,
  enrollTrustBytes,
} from '../../wire/records/enroll/enroll-http.ts';
import { awaitDecision, enrollmentStatus, type WaitTimes } from './await-decision.ts';
import { type SettledTrust, settleTrust, type TrustMeans } from './door-trust.ts';
import { type DoorSaid, Doors, type JoinLine } from './doors.ts';
import { keyOfMachine, peelCredsPath, pinName, writeBegun, writeCredsFile } from './peel-auth-dir.ts';
import { checkPeelJwt } from './peel-jwt.ts';

export interface MachineEnrollment {
  readonly dir: string;
  readonly doors: readonly DoorUrl[];
  readonly peelId: PeelId;
  readonly hostname: string;
  readonly means: TrustMeans;
  readonly token?: string | undefined;
  /** One that was begun: it is asked about first, and a no is not asked for again. */
  readonly begun?: EnrollmentId | undefined;
  /** Undefined: as long as it takes. */
  readonly approvalMs: number | undefined;
  readonly times?: WaitTimes;
}

export interface JoinedMachine {
  readonly enrollmentId: EnrollmentId;
  readonly natsUrls: readonly string[];
  readonly expiresAtMs: number | undefined;
}

/** A challenge that was used up by a request whose answer was lost is asked for anew. */
const CHALLENGES_MAX = 3;
/** From the request to the credentials, and again where they were handed out to nobody. */
const ROUNDS_MAX = 5;
const HTTP_UNAUTHORIZED = 401;
/** The enrollment moved on while we asked: it is looked at again. */
const MOVED_ON: readonly number[] = [403, 404, 409];
const CHALLENGE = 'the question for a challenge';
const REQUEST = 'the request to join';
const CREDENTIALS = 'the question for credentials';

export async function enrollMachine(plan: MachineEnrollment, line: JoinLine): Promise<JoinedMachine> {
  const doors = new Doors(plan.doors, line);
  const trust = await settleTrust(doors, plan.means, line);
  // Whoever stands in between would have the token, and could use it.
  if (trust.rung === 'first-use' && plan.token !== undefined)
    throw zesterError('JOIN_TOKEN_UNPINNED', { url: doors.current.url });
  sayTrust(trust, line);
  const natsUrls = checkedUrls(trust, doors);
  const key = keyOfMachine(plan.dir, plan.peelId, line.random);
  const machine = new Machine(plan, line, doors, trust, key);
  let status = plan.begun === undefined ? await machine.request() : await machine.goOn(plan.begun);
  // Not before: a name that another machine has is refused, and this one can be given another.
  pinName(plan.dir, plan.peelId);
  for (let rounds = 1; rounds <= ROUNDS_MAX; rounds++) {
    machine.noteBegun(status.id, natsUrls);
    const decided = status.state === 'pending' ? await machine.decision(status) : status;
    if (decided?.state === 'rejected' || decided?.state === 'revoked') throw refusal(decided, plan.peelId);
    const expiresAtMs = decided?.state === 'approved' ? await machine.fetchCredentials(decided.id) : 'again';
    if (expiresAtMs !== 'again') return { enrollmentId: status.id, natsUrls, expiresAtMs };
    status = await machine.request();
  }
  throw zesterError('JOIN_BAD_ANSWER', {
    url: doors.current.url,
    what: CREDENTIALS,
    problem: `an approved request has got none in ${ROUNDS_MAX} tries`,
  });
}

/** How an enrollment stands that was begun here; undefined when the masters do not know it. Writes nothing. */
export async function askHowItStands(
  { doors: urls, peelId, means }: Pick<MachineEnrollment, 'doors' | 'peelId' | 'means'>,
  id: EnrollmentId,
  line: JoinLine,
): Promise<StatusRead | undefined> {
  const doors = new Doors(urls, line);
  const trust = await settleTrust(doors, means, line);
  return enrollmentStatus(doors, { id, peelId, trust });
}

class Machine {
  private readonly plan: MachineEnrollment;
  private readonly line: JoinLine;
  private readonly doors: Doors;
  private readonly trust: SettledTrust;
  private readonly key: SigningKey;

  constructor(plan: MachineEnrollment, line: JoinLine, doors: Doors, trust: SettledTrust, key: SigningKey) {
    this.plan = plan;
    this.line = line;
    this.doors = doors;
    this.trust = trust;
    this.key = key;
  }

  /** Proves the key and asks to join. */
  async request(): Promise<StatusRead> {
    for (let tries = 1; ; tries++) {
      const answer = await this.doors.ask(
        { path: ENROLL_PATH, body: await this.signedRequest() },
        this.trust,
      );
      if (answer.status === HTTP_UNAUTHORIZED && tries < CHALLENGES_MAX) continue;
      if (answer.status !== 200 && answer.status !== 201) throw refused(answer, REQUEST);
      return readOr(answer, REQUEST, (body) => readStatus(body, this.plan.peelId));
    }
  }

  /** How an enrollment stands that was begun earlier; asked for anew when nobody knows it any more. */
  async goOn(id: EnrollmentId): Promise<StatusRead> {
    const asked = { id, peelId: this.plan.peelId, trust: this.trust };
    return (await enrollmentStatus(this.doors, asked)) ?? (await this.request());
  }

  async decision({ id, message }: StatusRead): Promise<StatusRead | undefined> {
    const { peelId, approvalMs, times } = this.plan;
    const { publicKey } = this.key;
    if (message !== '') this.line.say(message);
    this.line.say(`enrollment ${id} of ${peelId} waits for approval; its key is ${publicKey}`);
    this.line.say(
      `compare the fingerprint of the key with \`zester enroll show ${id}\`: ${keyFingerprint(publicKey)}`,
    );
    this.line.say(`approve it with \`zester enroll approve ${id}\`; this goes on by itself then`);
    const waiting = { id, peelId, trust: this.trust, approvalMs, ...(times === undefined ? {} : { times }) };
    return awaitDecision(this.doors, waiting, this.line);
  }

  /** Writes them; answers when they expire, or that the enrollment is another one by now. */
  async fetchCredentials(id: EnrollmentId): Promise<number | undefined | 'again'> {
    const { dir, peelId } = this.plan;
    const signature = Buffer.from(this.key.sign(enrollCredsBytes(id))).toString('base64url');
    const authorization = `Nkey ${this.key.publicKey}:${signature}`;
    const answer = await this.doors.ask({ path: enrollCredsPath(id), authorization }, this.trust);
    if (MOVED_ON.includes(answer.status)) return 'again';
    if (answer.status !== 200) throw refused(answer, CREDENTIALS);
    const jwt = readOr(answer, CREDENTIALS, (body) => readCredentials(body, peelId));
    const wanted = { source: answer.door.url, peelId, publicKey: this.key.publicKey };
    const { exp } = checkPeelJwt(jwt, wanted, this.line.clock.nowMs());
    writeCredsFile(peelCredsPath(dir, peelId), jwt, this.key);
    return exp === undefined ? undefined : exp * 1000;
  }

  noteBegun(enrollmentId: EnrollmentId, natsUrls: readonly string[]): void {
    const { dir, doors, peelId } = this.plan;
    const { rung, anchors, bootstrap } = this.trust;
    const masters = doors.map(({ url }) => url);
    writeBegun(
      dir,
      { peelId, enrollmentId, masters, natsUrls, trust: rung, caPin: bootstrap.root.pin },
      { doorCas: anchors === 'system' ? undefined : anchors, natsCa: bootstrap.root.pem },
    );
  }

  private async signedRequest(): Promise<string> {
    const { peelId, hostname, token } = this.plan;
    const { publicKey } = this.key;
    const query = `?peel_id=${encodeURIComponent(peelId)}&public_key=${encodeURIComponent(publicKey)}`;
    const answer = await this.doors.ask({ path: `${ENROLL_NONCE_PATH}${query}` }, this.trust);
    if (answer.status !== 200) throw refused(answer, CHALLENGE);
    const { challengeId, challenge } = readOr(answer, CHALLENGE, readNonce);
    const curvePublicKey = curveKeyOf(this.key).publicKey;
    const signed = (data: Uint8Array) => Buffer.from(this.key.sign(data)).toString('base64');
    const { pin } = this.trust.bootstrap.root;
    const body: EnrollRequestBody = {
      peel_id: peelId,
      public_key: publicKey,
      curve_public_key: curvePublicKey,
      hostname,
      challenge_id: challengeId,
      signature: signed(enrollProofBytes(challenge, curvePublicKey)),
      metadata: { version: VERSION },
      trusted_ca_spki: pin,
      trust_signature: signed(enrollTrustBytes(challenge, pin)),
      ...(token === undefined ? {} : { token }),
    };
    return JSON.stringify(body);
  }
}

function sayTrust({ rung, bootstrap }: SettledTrust, { say }: JoinLine): void {
  const { pin } = bootstrap.root;
  if (rung === 'first-use') {
    say(`nothing said which CA to trust, so the first one that was shown is: ${pin}`);
    say('compare it with `zester ca fingerprint` on a master before you approve this machine');
  } else say(`the master's certificate is good; the CA of the fleet is ${pin}`);
}

/** Addresses that could not be dialled are no use to anybody. */
function checkedUrls({ bootstrap }: SettledTrust, doors: Doors): readonly string[] {
  try {
    return bootstrap.natsUrls.map((url) => parseNatsUrl(url).url);
  } catch (cause) {
    const problem = 'it names a NATS server that is no tls:// address';
    throw zesterError(
      'JOIN_BAD_ANSWER',
      { url: doors.current.url, what: 'the question for the CA', problem },
      { cause },
    );
  }
}

function readOr<T>(
  { door, body }: DoorSaid,
  what: string,
  read: (body: string) => { readonly value: T } | { readonly problem: string },
): T {
  const result = read(body);
  if ('value' in result) return result.value;
  throw zesterError('JOIN_BAD_ANSWER', { url: door.url, what, problem: result.problem });
}

function refused({ door, status, body }: DoorSaid, what: string): ZesterError {
  const { reason, code } = readRefusal(body);
  const said = reason || `its status is ${status}`;
  return zesterError('JOIN_REFUSED', { url: door.url, what, reason: said }, { reasonCode: code });
}

export function refusal({ id, state, message }: StatusRead, peel: PeelId): ZesterError {
  return zesterError('JOIN_REJECTED', { id, peel, state, reason: message || 'no reason was given' });
}
