/**
 * Masters and scripted peels on one memory server, in virtual time. The peels speak the wire as real ones do: they check
 * proofs, accept a job once, acknowledge again what they know, and have everything confirmed by the stream.
 */

import { openAgentBus, openBus } from '../../src/bus/bus.ts';
import { MemoryServer } from '../../src/bus/memory/memory-server.ts';
import type { AgentBus, Bus, Message } from '../../src/bus/port.ts';
import { masterKeysOf, newMasterId } from '../../src/master/master-ports.ts';
import type { MasterSettings } from '../../src/master/master-settings.ts';
import { type Master, startMaster } from '../../src/master/start-master.ts';
import { newKsuid } from '../../src/runtime/ids.ts';
import { jsonLog, type LogLevel } from '../../src/runtime/log.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { seededRandom } from '../../src/runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../../src/runtime/virtual-clock.ts';
import { proofKeyForMaster, verifyCommandProof } from '../../src/trust/command-proof.ts';
import { curveKeyOf, newSigningKey } from '../../src/trust/nkeys.ts';
import { BUCKETS } from '../../src/wire/buckets.ts';
import { type DispatchReply, dispatchReplyCodec } from '../../src/wire/dispatch-reply.ts';
import { type ExecRequest, execRequestCodec } from '../../src/wire/exec.ts';
import { FACT_KEYS, factsCodec } from '../../src/wire/facts.ts';
import { PROOF_HEADER } from '../../src/wire/headers.ts';
import { peelHeartbeatCodec } from '../../src/wire/heartbeat.ts';
import type { Jid, MasterId, PeelId } from '../../src/wire/ids.ts';
import { type Job, jobCodec } from '../../src/wire/job.ts';
import { ackCodec, type Return, returnCodec } from '../../src/wire/job-return.ts';
import { activeJobKey, jobKey, jobReturnPattern } from '../../src/wire/keys.ts';
import { parseProof } from '../../src/wire/proof-header.ts';
import {
  commandSubject,
  DISPATCH_SUBJECT,
  jobAckSubject,
  jobCancelSubject,
  jobReturnSubject,
} from '../../src/wire/subjects.ts';
import { nanosFromMs } from '../../src/wire/time.ts';

export interface LogLine {
  readonly level: LogLevel;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export class MasterWorld {
  readonly clock: VirtualClock = virtualClock();
  readonly random = seededRandom(11);
  readonly lines: LogLine[] = [];
  readonly runtime: Runtime = {
    clock: this.clock,
    random: this.random,
    log: jsonLog({
      clock: this.clock,
      write: (line) => this.lines.push(JSON.parse(line) as LogLine),
      level: 'debug',
    }),
  };
  readonly account = newSigningKey('account', this.random);
  readonly server: MemoryServer;
  readonly admin: Bus;
  private readonly masters: Master[] = [];
  private counter = 0;

  constructor(options: { payloadBytesMax?: number; seed?: number } = {}) {
    const { clock } = this;
    this.server = new MemoryServer({ clock, random: seededRandom(options.seed ?? 5), ...options });
    this.admin = openBus(this.server.connect({ role: 'admin', name: 'admin' }), this.runtime);
  }

  connectMaster(): Bus {
    return openBus(this.server.connect({ role: 'master', name: `m${this.counter++}` }), this.runtime);
  }

  /** Starts one and waits until it takes jobs. */
  async master(settings: Partial<MasterSettings> = {}, bus = this.connectMaster()): Promise<RunningMaster> {
    const started = this.startMaster(settings, bus);
    await this.settled(started.master.ready, 'a master to be ready');
    return started;
  }

  startMaster(settings: Partial<MasterSettings> = {}, bus = this.connectMaster()): RunningMaster {
    const masterId = newMasterId(this.runtime);
    const identity = { masterId, host: 'here', pid: 1, bootId: 'boot', version: '0.0.0' };
    const trust = masterKeysOf(this.account);
    const master = startMaster({ bus, runtime: this.runtime, trust, identity, settings });
    this.masters.push(master);
    return { master, masterId, bus };
  }

  /** Connects a peel and publishes its facts and a heartbeat. */
  async peel(id: string, script: PeelScript = {}): Promise<ScriptedPeel> {
    const peel = new ScriptedPeel(this, id as PeelId, script);
    await this.settled(peel.start(), `peel ${id} to start`);
    return peel;
  }

  peels(count: number, script: PeelScript = {}): Promise<ScriptedPeel[]> {
    return Promise.all(Array.from({ length: count }, (_, i) => this.peel(`web-${i}`, script)));
  }

  job(targets: readonly string[], given: Partial<Job> = {}): Job {
    return jobCodec.create({
      jid: newKsuid(this.clock, this.random) as Jid,
      function: 'test.ping',
      targets: targets as readonly PeelId[],
      status: 'pending',
      created: this.now(),
      updated: this.now(),
      user: 'alice',
      timeout: 60_000_000_000n,
      protocol: 1,
      ...given,
    });
  }

  async dispatch(job: Job): Promise<DispatchReply> {
    return this.dispatchBytes(jobCodec.encode(job));
  }

  async dispatchBytes(data: Uint8Array, timeoutMs = 30_000): Promise<DispatchReply> {
    const answer = await this.settled(
      this.admin.request(DISPATCH_SUBJECT, data, { timeoutMs }),
      'an answer to a dispatch',
    );
    return dispatchReplyCodec.decode(answer.data);
  }

  cancel(jid: Jid): void {
    this.admin.publish(jobCancelSubject(jid), new Uint8Array(0));
  }

  async record(jid: Jid): Promise<Job | undefined> {
    const read = await this.settled(this.admin.bucket(BUCKETS.jobs.name).getLatest(jobKey(jid)), 'a record');
    return read.found ? jobCodec.decode(read.value) : undefined;
  }

  async isIndexed(jid: Jid): Promise<boolean> {
    const jobs = this.admin.bucket(BUCKETS.jobs.name);
    return (await this.settled(jobs.getLatest(activeJobKey(jid)), 'an index key')).found;
  }

  async rows(jid: Jid): Promise<Return[]> {
    const rows = this.admin.bucket(BUCKETS.jobReturns.name);
    const entries = await this.settled(rows.entries(jobReturnPattern(jid)), 'rows');
    return entries.map((entry) => returnCodec.decode(entry.value));
  }

  logged(text: string): LogLine[] {
    return this.lines.filter((line) => line.msg.includes(text));
  }

  now(): bigint {
    return nanosFromMs(this.clock.nowMs());
  }

  /** Moves time in small steps until the condition holds. */
  async until(look: () => boolean | Promise<boolean>, what: string, msMax = 120_000): Promise<void> {
    const endMs = this.clock.monotonicMs() + msMax;
    for (;;) {
      await this.clock.advance(0);
      if (await look()) return;
      if (this.clock.monotonicMs() > endMs) throw new Error(`waited ${msMax} ms of virtual time for ${what}`);
      await this.clock.advance(50);
    }
  }

  /** The result of a promise that may need time to pass. */
  async settled<T>(promise: Promise<T>, what: string): Promise<T> {
    let isSettled = false;
    const noted = promise.finally(() => {
      isSettled = true;
    });
    noted.catch((error: unknown) => error);
    await this.until(() => isSettled, what);
    return noted;
  }

  async close(): Promise<void> {
    await Promise.all(this.masters.map((master) => this.settled(master.stop(), 'a master to stop')));
  }
}

export interface RunningMaster {
  readonly master: Master;
  readonly masterId: MasterId;
  readonly bus: Bus;
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
  readonly withoutHeartbeat?: boolean;
}

export class ScriptedPeel {
  readonly id: PeelId;
  readonly bus: AgentBus;
  readonly script: PeelScript;
  /** Every request that came, in order, with what it looked like. */
  readonly heard: { readonly request: ExecRequest; readonly data: Uint8Array; readonly verified: boolean }[] =
    [];
  readonly canceled: Jid[] = [];
  private readonly world: MasterWorld;
  private readonly key;
  private readonly accepted = new Map<Jid, Return | undefined>();
  private deaf: number;

  constructor(world: MasterWorld, id: PeelId, script: PeelScript) {
    this.world = world;
    this.id = id;
    this.script = script;
    this.deaf = script.deaf ?? 0;
    this.key = curveKeyOf(newSigningKey('user', world.random));
    this.bus = openAgentBus(world.server.connect({ role: 'peel', name: id }), world.runtime);
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
    const beat = peelHeartbeatCodec.create({ timestamp: this.world.now(), since });
    await this.bus.bucket(BUCKETS.peelHeartbeat.name).put(this.id, peelHeartbeatCodec.encode(beat));
  }

  async returnNow(jid: Jid, given: Partial<Return> = {}): Promise<void> {
    const value = returnCodec.create({
      jid,
      peelId: this.id,
      success: this.script.success ?? true,
      ...given,
    });
    this.accepted.set(jid, value);
    await this.bus.append(jobReturnSubject(jid, this.id), returnCodec.encode(value), {});
  }

  private async receive({ data, headers }: Message): Promise<void> {
    const key = proofKeyForMaster(this.key, curveKeyOf(this.world.account).publicKey);
    const proof = parseProof(headers.get(PROOF_HEADER) ?? '');
    const verified = key !== undefined && verifyCommandProof(proof, [key], this.id, data).ok;
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
    if (runMs > 0) this.world.clock.after(runMs, () => void this.returnNow(jid));
    else await this.returnNow(jid);
  }

  private async ack(jid: Jid): Promise<void> {
    const ack = ackCodec.encode({ jid, peelId: this.id, timestamp: this.world.now() });
    await this.bus.append(jobAckSubject(jid, this.id), ack, {});
  }
}
