/**
 * A scripted peel speaks the wire as a real one does: it checks proofs, accepts a job once, acknowledges again what it
 * knows, and has everything confirmed by the stream. Its script says where it misbehaves.
 */
import type { AgentBus, Message } from '../../../src/bus/port.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { proofKeyForMaster, verifyCommandProof } from '../../../src/trust/command-proof.ts';
import { curveKeyOf, newSigningKey, type SigningKey } from '../../../src/trust/nkeys.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import { PROOF_HEADER } from '../../../src/wire/names/headers.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import { FLEET_KEYS_KEY } from '../../../src/wire/names/keys.ts';
import {
  commandSubject,
  jobAckSubject,
  jobCancelSubject,
  jobReturnSubject,
} from '../../../src/wire/names/subjects.ts';
import { type ExecRequest, execRequestCodec } from '../../../src/wire/records/exec.ts';
import { FACT_KEYS, factsCodec } from '../../../src/wire/records/facts.ts';
import { type FleetPublicKey, fleetKeyListCodec } from '../../../src/wire/records/fleet-key/fleet-keys.ts';
import { peelHeartbeatCodec } from '../../../src/wire/records/heartbeat.ts';
import { ackCodec, type Row, rowCodec } from '../../../src/wire/records/job-return.ts';
import { parseProof } from '../../../src/wire/records/proof-header.ts';

const RETRY_MS = 300;

/** Where it lives: the account of its masters, a clock, chance. */
export interface PeelHome {
  readonly runtime: Runtime;
  readonly account: SigningKey;
}

export interface PeelScript {
  /** Drops requests for this many times, as a line that was cut. */
  readonly deaf?: number;
  /** Runs, but its acks get lost. */
  readonly ackless?: boolean;
  /** Accepts and never returns by itself. */
  readonly returns?: boolean;
  readonly runMs?: number;
  readonly success?: boolean;
  readonly withoutKey?: boolean;
  /** Of its enrollment; otherwise one of its own. */
  readonly key?: SigningKey;
  readonly withoutHeartbeat?: boolean;
  /** Goes by the generations of the fleet key that masters list; otherwise it knows the first one only. */
  readonly rotates?: boolean;
  /** False: it reads them, and its heartbeats do not say so. */
  readonly confirms?: boolean;
}

export class ScriptedPeel {
  readonly id: PeelId;
  readonly bus: AgentBus;
  readonly script: PeelScript;
  /** Every request that came, in order, with what it looked like. */
  readonly heard: { readonly request: ExecRequest; readonly data: Uint8Array; readonly verified: boolean }[] =
    [];
  readonly canceled: Jid[] = [];
  /** Jobs whose ack, whose return the stream has confirmed. */
  readonly acked = new Set<Jid>();
  readonly returned = new Set<Jid>();
  /** Generations of the fleet key that it accepts, and every list of them that it has read. */
  good: readonly FleetPublicKey[] = [];
  readonly seenGood: (readonly number[])[] = [];
  private readonly home: PeelHome;
  readonly key;
  private readonly accepted = new Map<Jid, Row | undefined>();
  private deaf: number;

  constructor(home: PeelHome, bus: AgentBus, id: PeelId, script: PeelScript = {}) {
    this.home = home;
    this.bus = bus;
    this.id = id;
    this.script = script;
    this.deaf = script.deaf ?? 0;
    this.key = curveKeyOf(script.key ?? newSigningKey('user', home.runtime.random));
  }

  /** Requests that it will still drop. */
  get deafTo(): number {
    return this.deaf;
  }

  get ran(): Jid[] {
    return [...this.accepted.keys()];
  }

  async start(): Promise<void> {
    await this.bus.connected();
    await this.bus.subscribe(commandSubject(this.id), (message) => void this.receive(message));
    await this.bus.subscribe(jobCancelSubject('*'), ({ subject, headers }) => {
      if (headers.has(PROOF_HEADER)) this.canceled.push(subject.split('.')[2] as Jid);
    });
    if (this.script.rotates) this.followKeys();
    await this.putFacts(this.script.withoutKey ? {} : { [FACT_KEYS.curvePublicKey]: this.key.publicKey });
    if (!this.script.withoutHeartbeat) await this.beat();
  }

  async putFacts(facts: Record<string, string>): Promise<void> {
    await this.bus.bucket(BUCKETS.facts.name).put(this.id, factsCodec.encode(facts));
  }

  publishKey(): Promise<void> {
    return this.putFacts({ [FACT_KEYS.curvePublicKey]: this.key.publicKey });
  }

  async beat(since = 1n): Promise<void> {
    const fleetGeneration = this.script.confirms === false ? 1 : (this.good[0]?.generation ?? 0);
    const beat = peelHeartbeatCodec.create({ timestamp: this.now(), since, fleetGeneration });
    await this.bus.bucket(BUCKETS.peelHeartbeat.name).put(this.id, peelHeartbeatCodec.encode(beat));
  }

  /** Also with what only masters may say: it is a peel that lies, then. */
  async returnNow(jid: Jid, given: Partial<Row> = {}): Promise<void> {
    const value = rowCodec.create({
      jid,
      peelId: this.id,
      success: this.script.success ?? true,
      ...given,
    });
    this.accepted.set(jid, value);
    await this.confirm(jobReturnSubject(jid, this.id), rowCodec.encode(value));
    this.returned.add(jid);
  }

  /** As a peel does: what masters list is what it accepts, and its heartbeat says so. */
  private followKeys(): void {
    this.bus.bucket(BUCKETS.secrets.name).watchKeys([FLEET_KEYS_KEY], {
      changed: (read) => {
        if (!read.found) return;
        this.good = fleetKeyListCodec.decode(read.value).keys;
        this.seenGood.push(this.good.map(({ generation }) => generation));
        if (this.script.confirms !== false) void this.beat();
      },
    });
  }

  private now(): bigint {
    return nanosFromMs(this.home.runtime.clock.nowMs());
  }

  private async receive({ data, headers }: Message): Promise<void> {
    const senders = this.script.rotates
      ? this.good.map(({ curve }) => curve)
      : [curveKeyOf(this.home.account).publicKey];
    const keys = senders.flatMap((sender) => proofKeyForMaster(this.key, sender) ?? []);
    const proof = parseProof(headers.get(PROOF_HEADER) ?? '');
    const verified = verifyCommandProof(proof, keys, this.id, data).ok;
    const request = execRequestCodec.decode(data);
    if (this.deaf > 0) {
      this.deaf -= 1;
      return;
    }
    this.heard.push({ request, data, verified });
    if (!verified) return;
    const { jid } = request;
    const known = this.accepted.has(jid);
    if (!known) this.accepted.set(jid, undefined);
    if (!this.script.ackless) await this.ack(jid);
    const stored = this.accepted.get(jid);
    if (known && stored !== undefined) await this.returnNow(jid, stored);
    if (known || this.script.returns === false) return;
    const { runMs = 0 } = this.script;
    if (runMs > 0) this.home.runtime.clock.after(runMs, () => void this.returnNow(jid));
    else await this.returnNow(jid);
  }

  /** Until the stream has it, under one message id. */
  private async confirm(subject: string, data: Uint8Array): Promise<void> {
    const { clock, random } = this.home.runtime;
    const messageId = Buffer.from(random.bytes(12)).toString('hex');
    for (;;) {
      try {
        await this.bus.append(subject, data, { messageId });
        return;
      } catch {
        await sleep(clock, RETRY_MS);
      }
    }
  }

  private async ack(jid: Jid): Promise<void> {
    const ack = ackCodec.encode({ jid, peelId: this.id, timestamp: this.now(), behind: '' });
    await this.confirm(jobAckSubject(jid, this.id), ack);
    this.acked.add(jid);
  }
}
