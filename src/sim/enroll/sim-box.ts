/**
 * A simulated box is a machine that is not a peel yet: it is installed with a wish, joins through the door of a master with a key
 * of its own, and runs the real peel from then on. It may be installed anew at any moment, with another key and another wish.
 *
 * Some are not honest: they ask twice for their credentials, and when they have been revoked and a server lets them in all the
 * same, they answer for every job that names them.
 */
import { openAgentBus } from '../../bus/bus.ts';
import { NO_HEADERS } from '../../bus/connection.ts';
import type { EnrollRequest } from '../../core/enroll/desk/read-request.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import type { EnrollmentDesk } from '../../master/enroll/enrollment-desk.ts';
import { functionRegistry } from '../../modules/registry.ts';
import { checkPeelJwt } from '../../peel/join/peel-jwt.ts';
import { keepCredentials } from '../../peel/join/renew-credentials.ts';
import type { Peel, PeelState } from '../../peel/peel-ports.ts';
import { startPeel } from '../../peel/start-peel.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import type { Creds } from '../../trust/creds.ts';
import { curveKeyOf, newSigningKey, type SigningKey } from '../../trust/nkeys.ts';
import type { EnrollmentId, PeelId } from '../../wire/names/ids.ts';
import { jobReturnSubject } from '../../wire/names/subjects.ts';
import { enrollCredsBytes, enrollProofBytes } from '../../wire/records/enroll/enroll-http.ts';
import { returnCodec } from '../../wire/records/job-return.ts';
import { simFunctions } from '../world/sim-functions.ts';
import type { SimLink } from '../world/sim-link.ts';
import { simMachineFiles } from '../world/sim-machine-files.ts';
import { SimNode } from '../world/sim-node.ts';
import type { SimWorld } from '../world/sim-world.ts';
import type { DoorGuest } from './sim-door.ts';

export interface BoxWish {
  readonly peelId: PeelId;
  readonly token: string | undefined;
  readonly isHonest: boolean;
}

/** So short that they are renewed several times in a run, and expire where that fails. */
export const PEEL_CREDS_MS = 240_000;
const PAUSE_MS = 3_000;
const PAUSE_SPREAD_MS = 4_000;
const RESTART_MS = 1_000;
const ADDRESS = '10.0.0.7';
/** A machine that is told so does not ask again by itself. */
const FINAL = /^ENROLL_(?:ID_TAKEN|TOKEN_|REQUEST_INVALID|TRUST_)/;

export class SimBox extends SimNode {
  private installs = 0;
  private wish: BoxWish | undefined;
  private key: SigningKey;
  private creds: Creds | undefined;
  private inUse: string | undefined;
  private link: SimLink | undefined;
  private peel: Peel | undefined;
  private refused = false;
  private door = 0;
  /** Requests that it sent, for whoever listens in. */
  readonly sent: EnrollRequest[] = [];

  constructor(world: SimWorld, name: string) {
    super(world, name, simMachineFiles(name));
    this.key = newSigningKey('user', this.chance);
  }

  /** `joining`: it is on its way, or waits for somebody to decide. */
  get standing(): 'empty' | 'joining' | 'peel' | 'refused' {
    if (this.wish === undefined) return 'empty';
    if (this.refused) return 'refused';
    return this.creds === undefined ? 'joining' : 'peel';
  }

  get peelId(): PeelId | undefined {
    return this.wish?.peelId;
  }

  get publicKey(): string {
    return this.key.publicKey;
  }

  get issuedAtS(): number | undefined {
    return this.creds?.claims.iat;
  }

  /** Whom a door answers. */
  get guest(): DoorGuest {
    return { name: this.name, life: this.life };
  }

  note(what: string): void {
    this.world.note(this.name, what);
  }

  state(): PeelState | undefined {
    return this.alive && this.standing === 'peel' ? this.peel?.state() : undefined;
  }

  /** From nothing: another disk, another key. */
  install(wish: BoxWish): void {
    this.leave();
    this.installs += 1;
    this.key = newSigningKey('user', this.world.chanceOf(`${this.name} key ${this.installs}`));
    this.creds = undefined;
    this.wish = wish;
    this.begin(`is installed as ${wish.peelId}${wish.token === undefined ? '' : ' with a token'}`);
  }

  /** The same machine asks once more, with the key that it has. */
  askAgain(): void {
    this.leave();
    this.creds = undefined;
    this.begin('asks again with its key');
  }

  protected boot(): void {
    if (this.wish === undefined || this.refused) return;
    if (this.creds !== undefined && this.isGood(this.creds)) this.run(this.wish, this.creds);
    else void this.join(this.wish);
  }

  protected died(): void {
    this.peel = undefined;
    this.link = undefined;
  }

  protected writes(): void {}

  private begin(what: string): void {
    this.refused = false;
    this.world.note(this.name, what);
    this.start();
  }

  private leave(): void {
    const { peelId } = this;
    if (peelId !== undefined && this.world.enroll.book.recordOf(peelId)?.publicKey === this.publicKey)
      this.world.enroll.book.changed(peelId);
    this.kill();
  }

  private isGood({ claims }: Creds): boolean {
    return claims.exp === undefined || claims.exp * 1_000 > this.world.clock.nowMs();
  }

  private async join(wish: BoxWish): Promise<void> {
    const { life } = this;
    const clock = life.clock(this.world.clock, () => 0);
    for (;;) {
      try {
        const id = await this.asked(wish, clock);
        const jwt = id === undefined ? undefined : await this.credentials(wish, id);
        if (jwt !== undefined) {
          this.run(wish, this.take(wish, jwt));
          return;
        }
      } catch (error) {
        if (!isZesterError(error))
          this.world.observer.break('nothing breaks', `${this.name}: ${String(error)}`);
        this.world.note(this.name, `is told: ${(error as Error).message}`);
        if (isZesterError(error) && FINAL.test(error.code)) this.refused = true;
      }
      if (this.refused) return;
      this.door += 1;
      await sleep(clock, PAUSE_MS + this.chance.fraction() * PAUSE_SPREAD_MS);
    }
  }

  /** The enrollment that was approved; undefined: ask anew. */
  private async asked({ peelId, token }: BoxWish, clock: Clock): Promise<EnrollmentId | undefined> {
    const { book } = this.world.enroll;
    const { publicKey } = this.key;
    const { challengeId, challenge } = await this.ask((desk) => desk.challenge(peelId, publicKey));
    const curvePublicKey = curveKeyOf(this.key).publicKey;
    const signature = this.key.sign(enrollProofBytes(challenge, curvePublicKey));
    const words = { hostname: this.name, metadata: {}, trust: undefined, token };
    const request: EnrollRequest = { peelId, publicKey, curvePublicKey, challengeId, signature, ...words };
    this.sent.splice(0, this.sent.length, request);
    let { record } = await this.ask(async (desk) => {
      const submitted = await desk.submit(request, ADDRESS);
      book.submitted(challengeId);
      return submitted;
    });
    while (record.state === 'pending') {
      await sleep(clock, PAUSE_MS + this.chance.fraction() * PAUSE_SPREAD_MS);
      const { id } = record;
      record = await this.ask((desk) => desk.status(id));
    }
    if (record.state === 'rejected' || record.state === 'revoked') this.refused = true;
    return record.state === 'approved' ? record.id : undefined;
  }

  private async credentials({ isHonest }: BoxWish, id: EnrollmentId): Promise<string> {
    const { book } = this.world.enroll;
    const proof = { publicKey: this.publicKey, signature: this.key.sign(enrollCredsBytes(id)) };
    const fetch = async (desk: EnrollmentDesk) => {
      const issued = await desk.issue(id, proof);
      book.handedOut(id);
      return issued.jwt;
    };
    // It must be refused; and if the first answer is lost, the second is not the first.
    if (!isHonest) this.ask(fetch).catch(() => undefined);
    return this.ask(fetch);
  }

  private ask<T>(work: (desk: EnrollmentDesk) => Promise<T>): Promise<T> {
    return this.world.door.ask(this.guest, this.door, work);
  }

  private take({ peelId }: BoxWish, jwt: string): Creds {
    const { world, key } = this;
    const wanted = { source: 'a door', peelId, publicKey: key.publicKey };
    const claims = checkPeelJwt(jwt, wanted, world.clock.nowMs());
    const creds: Creds = { jwt, claims, key };
    this.creds = creds;
    world.note(this.name, `has credentials for ${peelId}`);
    const leftMs = (claims.exp ?? 0) * 1_000 - world.clock.nowMs();
    // The server cuts it off; the service starts anew and joins again with the same key.
    world.clock.after(leftMs, () => {
      if (this.creds !== creds) return;
      world.note(this.name, 'has credentials that have expired');
      this.kill();
      world.clock.after(RESTART_MS, () => this.start());
    });
    return creds;
  }

  private run(wish: BoxWish, { key }: Creds): void {
    const { world, life } = this;
    const { peelId } = wish;
    const runtime = this.runtime();
    const link = this.connect(() => {
      const { jwt, claims } = this.creds ?? { jwt: '', claims: undefined };
      this.inUse = jwt;
      return { role: 'peel', name: peelId, key: key.publicKey, issuedAtS: claims?.iat ?? 0 };
    });
    this.link = link;
    const bus = openAgentBus(link, runtime);
    link.onStatus((status) => {
      if (status === 'connected' && world.enroll.isShutOut(key.publicKey)) this.shout(peelId);
    });
    const where = `${this.name} ${this.installs}`;
    this.peel = startPeel({
      bus,
      system: this.machine.boot(),
      runtime,
      identity: { peelId, curveKey: curveKeyOf(key) },
      dataDir: `/var/lib/zester/peel-${this.installs}`,
      version: '0',
      functions: functionRegistry(simFunctions((jid) => world.observer.effect(peelId, jid, where))),
    });
    this.peel.ready.catch((error: unknown) => {
      if (this.life !== life) return;
      world.note(this.name, `did not start: ${String(error)}`);
      this.kill();
      world.clock.after(RESTART_MS, () => this.start());
    });
    keepCredentials({
      bus,
      runtime,
      peelId,
      readCreds: () => this.creds as Creds,
      writeJwt: (jwt) => void this.take(wish, jwt),
      jwtInUse: () => this.inUse,
      agentsKeys: () => ({ keys: [], renewSpreadMs: 0 }),
      reconnect: () => link.cut(),
    });
  }

  /** A server let a revoked one in: it says whatever it can. */
  private shout(peelId: PeelId): void {
    // A frozen one hears that it is connected when it thaws: it may have been cut off meanwhile.
    if (this.link?.status() !== 'connected') return;
    this.world.note(this.name, `is in again as ${peelId}, which was revoked`);
    for (const { jid, status, targets } of this.world.observer.records.values()) {
      if (isTerminal(status) || !targets.includes(peelId)) continue;
      const value = returnCodec.create({ jid, peelId, success: true });
      this.link?.publish(jobReturnSubject(jid, peelId), returnCodec.encode(value), { headers: NO_HEADERS });
    }
  }
}
