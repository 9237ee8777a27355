/**
 * The attacker is a peel that was taken over. It has its own grant and nothing more, and uses what NATS lets it do: it
 * answers for jobs that are not its own, and lets the server deliver a command of its making to another peel, through a
 * reply subject that nobody checks. Whatever it does, nothing it wrote may be run or stand in a row.
 */
import { type Connection, NO_HEADERS } from '../../bus/connection.ts';
import type { Headers } from '../../bus/port.ts';
import { newKsuid } from '../../runtime/ids.ts';
import type { Random } from '../../runtime/random.ts';
import { makeCommandProof, proofKeyForPeel } from '../../trust/command-proof.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { GENERATION_HEADER, PROOF_HEADER } from '../../wire/names/headers.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { CLAIMS_UPDATE_SUBJECT } from '../../wire/names/jetstream.ts';
import { basketKey } from '../../wire/names/keys.ts';
import { directGetLastSubject, kvStreamName, kvSubject } from '../../wire/names/store-subjects.ts';
import { commandSubject, jobReturnSubject } from '../../wire/names/subjects.ts';
import { execRequestCodec } from '../../wire/records/exec.ts';
import { FIRST_GENERATION } from '../../wire/records/fleet-key/fleet-keys.ts';
import { returnCodec } from '../../wire/records/job-return.ts';
import { formatProof } from '../../wire/records/proof-header.ts';
import { ACT } from '../world/sim-functions.ts';
import type { SimPeel } from '../world/sim-peel.ts';
import type { SimWorld } from '../world/sim-world.ts';

const SERVER = 'server';
/** How long after it is off the list everybody must refuse the old key. */
const RETIRED_MS = 10_000;
/** After a fault: until a peel is connected again and has read the list. */
const REST_MS = 15_000;
const EVIL = 'peel-evil' as PeelId;

export class SimAttacker {
  private readonly world: SimWorld;
  private readonly random: Random;
  private line: Connection | undefined;
  private system: Connection | undefined;

  constructor(world: SimWorld, random: Random) {
    this.world = world;
    this.random = random;
  }

  strike(dose: number): void {
    this.line ??= this.world.server.connect({ role: 'peel', name: EVIL });
    if (this.line.status() !== 'connected') return;
    if (dose < 0.3) this.forgeReturn(this.line);
    else this.forgeCommand(this.line, dose >= 0.5);
  }

  private forgeReturn(line: Connection): void {
    const jids = [...this.world.observer.records.keys()];
    const jid = jids[Math.floor(this.random.fraction() * jids.length)];
    if (jid === undefined) return;
    const value = returnCodec.create({ jid, peelId: EVIL, success: true });
    line.publish(jobReturnSubject(jid, EVIL), returnCodec.encode(value), { headers: NO_HEADERS });
  }

  /** A command lies in its basket; a question for it is answered to the subject of the victim. */
  private forgeCommand(line: Connection, hasOldKey: boolean): void {
    const { clock, peels } = this.world;
    const victim = peels[Math.floor(this.random.fraction() * peels.length)];
    if (victim === undefined) return;
    const jid = newKsuid(clock, this.random) as Jid;
    const deadline = nanosFromMs(clock.nowMs() + 60_000);
    const request = execRequestCodec.create({
      protocol: 1,
      jid,
      module: ACT,
      args: { jid },
      epoch: 9,
      deadline,
    });
    const { name } = BUCKETS.basket;
    const own = kvSubject(name, basketKey(EVIL, 'command'));
    const payload = execRequestCodec.encode(request);
    line.publish(own, payload, { headers: hasOldKey ? this.provenAnyhow(victim, payload) : NO_HEADERS });
    line.publish(directGetLastSubject(kvStreamName(name), own), new Uint8Array(0), {
      headers: NO_HEADERS,
      reply: commandSubject(victim.id),
    });
  }

  /** With a generation of the fleet key that has leaked, when it must be refused by everybody who is well. */
  private provenAnyhow(victim: SimPeel, payload: Uint8Array): Headers {
    const { rotations, troubles, clock } = this.world;
    const nowMs = clock.monotonicMs();
    const isWell = troubles.wereWell([victim.name, SERVER], nowMs - RETIRED_MS, nowMs, REST_MS);
    const leaked = isWell ? rotations.retiredFor(RETIRED_MS) : undefined;
    const key = leaked && proofKeyForPeel(leaked.curveKey, victim.curveKey.publicKey);
    if (leaked === undefined || key === undefined) return NO_HEADERS;
    this.world.note(EVIL, `has the key of generation ${leaked.generation}`);
    const headers = new Map([[PROOF_HEADER, formatProof(makeCommandProof(key, victim.id, payload))]]);
    return leaked.generation === FIRST_GENERATION
      ? headers
      : headers.set(GENERATION_HEADER, String(leaked.generation));
  }

  /** An account document that was good once, as whoever kept a copy of it can push it. */
  pushOlder(dose: number): void {
    this.system ??= this.world.server.connect({ role: 'system', name: EVIL });
    const { agents } = this.world.accounts;
    const older = agents[Math.floor(dose * (agents.length - 1))];
    if (older === undefined || this.system.status() !== 'connected') return;
    this.world.note(EVIL, 'pushes an older account document');
    this.system.publish(CLAIMS_UPDATE_SUBJECT, Buffer.from(older), { headers: NO_HEADERS });
  }
}
