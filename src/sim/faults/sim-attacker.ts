/**
 * The attacker is a peel that was taken over. It has its own grant and nothing more, and uses what NATS lets it do: it
 * answers for jobs that are not its own, and lets the server deliver a command of its making to another peel, through a
 * reply subject that nobody checks. Whatever it does, nothing it wrote may be run or stand in a row.
 */
import { type Connection, NO_HEADERS } from '../../bus/connection.ts';
import { newKsuid } from '../../runtime/ids.ts';
import type { Random } from '../../runtime/random.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { basketKey } from '../../wire/names/keys.ts';
import { directGetLastSubject, kvStreamName, kvSubject } from '../../wire/names/store-subjects.ts';
import { commandSubject, jobReturnSubject } from '../../wire/names/subjects.ts';
import { execRequestCodec } from '../../wire/records/exec.ts';
import { returnCodec } from '../../wire/records/job-return.ts';
import { ACT } from '../world/sim-functions.ts';
import type { SimWorld } from '../world/sim-world.ts';

const EVIL = 'peel-evil' as PeelId;

export class SimAttacker {
  private readonly world: SimWorld;
  private readonly random: Random;
  private line: Connection | undefined;

  constructor(world: SimWorld, random: Random) {
    this.world = world;
    this.random = random;
  }

  strike(dose: number): void {
    this.line ??= this.world.server.connect({ role: 'peel', name: EVIL });
    if (this.line.status() !== 'connected') return;
    if (dose < 0.5) this.forgeReturn(this.line);
    else this.forgeCommand(this.line);
  }

  private forgeReturn(line: Connection): void {
    const jids = [...this.world.observer.records.keys()];
    const jid = jids[Math.floor(this.random.fraction() * jids.length)];
    if (jid === undefined) return;
    const value = returnCodec.create({ jid, peelId: EVIL, success: true });
    line.publish(jobReturnSubject(jid, EVIL), returnCodec.encode(value), { headers: NO_HEADERS });
  }

  /** A command lies in its basket; a question for it is answered to the subject of the victim. */
  private forgeCommand(line: Connection): void {
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
    line.publish(own, execRequestCodec.encode(request), { headers: NO_HEADERS });
    line.publish(directGetLastSubject(kvStreamName(name), own), new Uint8Array(0), {
      headers: NO_HEADERS,
      reply: commandSubject(victim.id),
    });
  }
}
