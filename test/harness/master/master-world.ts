/** `MasterWorld` is masters and scripted peels on one memory server, in virtual time. */

import { openAccountServers } from '../../../src/bus/account-servers.ts';
import { openAgentBus, openBus } from '../../../src/bus/bus.ts';
import { MemoryServer, type ServerObserver } from '../../../src/bus/memory/memory-server.ts';
import type { Bus, Message } from '../../../src/bus/port.ts';
import { type MasterContext, masterContext, type PeelNews } from '../../../src/master/master-context.ts';
import {
  type AccountPorts,
  type MasterPorts,
  masterKeysOf,
  newMasterId,
  type PeelIssuer,
} from '../../../src/master/master-ports.ts';
import type { MasterSettings } from '../../../src/master/master-settings.ts';
import { type Master, startMaster } from '../../../src/master/start-master.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { jsonLog } from '../../../src/runtime/log.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../../../src/runtime/virtual-clock.ts';
import { accountReader } from '../../../src/sim/enroll/account-book.ts';
import { newTopology, type Topology } from '../../../src/trust/accounts/topology.ts';
import { curveKeyOf, newSigningKey } from '../../../src/trust/nkeys.ts';
import { signCancelAsMaster } from '../../../src/trust/signed-proof.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import { PROOF_HEADER } from '../../../src/wire/names/headers.ts';
import type { Jid, MasterId, PeelId } from '../../../src/wire/names/ids.ts';
import { activeJobKey, jobKey, jobReturnPattern } from '../../../src/wire/names/keys.ts';
import {
  commandSubject,
  DISPATCH_SUBJECT,
  jobAckSubject,
  jobCancelSubject,
  jobReturnSubject,
} from '../../../src/wire/names/subjects.ts';
import { type DispatchReply, dispatchReplyCodec } from '../../../src/wire/records/dispatch-reply.ts';
import { execRequestCodec } from '../../../src/wire/records/exec.ts';
import { FACT_KEYS, factsCodec } from '../../../src/wire/records/facts.ts';
import { type Job, jobCodec } from '../../../src/wire/records/job.ts';
import { ackCodec, type Row, returnCodec, rowCodec } from '../../../src/wire/records/job-return.ts';
import type { Outcome } from '../../../src/wire/records/job-status.ts';
import { formatProof } from '../../../src/wire/records/proof-header.ts';
import type { LogLine } from '../log-line.ts';
import { bareMachine } from './bare-machine.ts';
import { type PeelScript, ScriptedPeel } from './master-scripted-peel.ts';

export interface MasterWorldOptions {
  readonly payloadBytesMax?: number;
  readonly seed?: number;
  readonly observer?: ServerObserver;
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
  private madeTopology: Topology | undefined;

  constructor(options: MasterWorldOptions = {}) {
    const { clock } = this;
    this.server = new MemoryServer({
      clock,
      random: seededRandom(options.seed ?? 5),
      readAccount: (jwt) => accountReader(this.topology.operatorSigning)(jwt),
      ...options,
    });
    this.admin = openBus(this.server.connect({ role: 'admin', name: 'admin' }), this.runtime);
  }

  /** Made when somebody asks for it: most tests are about other things. */
  get topology(): Topology {
    this.madeTopology ??= newTopology(seededRandom(12), this.clock.nowMs());
    return this.madeTopology;
  }

  /** With these a master keeps account documents. */
  accountPorts(): AccountPorts {
    const { control, agents, system } = this.topology.public;
    for (const { jwt } of [control, agents, system]) this.server.preload(jwt);
    const connection = this.server.connect({ role: 'system', name: 'sys' });
    return { servers: openAccountServers(connection, this.runtime), authority: this.topology };
  }

  /** What the documents of `accountPorts` name. */
  issuer(): PeelIssuer {
    const { agentsSigning: signingKey, public: known } = this.topology;
    return { agentsAccount: known.agents.publicKey, signingKey, caPin: undefined };
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

  startMaster(
    settings: Partial<MasterSettings> = {},
    bus = this.connectMaster(),
    given: Partial<MasterPorts> = {},
  ): RunningMaster {
    const ports = { ...this.ports(bus), settings, ...given };
    const master = startMaster(ports);
    this.masters.push(master);
    return { master, masterId: ports.identity.masterId, bus };
  }

  /** For a part of a master on its own, beside a master that keeps the buckets. Its watches are not started. */
  async context(heard: Partial<PeelNews> = {}): Promise<MasterContext> {
    await this.master();
    return this.newContext(heard);
  }

  /** The same when that master is gone: nobody else leads or answers. */
  async contextAlone(): Promise<MasterContext> {
    const { master } = await this.master();
    await this.settled(master.stop(), 'a master to stop');
    return this.newContext({});
  }

  private async newContext(heard: Partial<PeelNews>): Promise<MasterContext> {
    const life = new AbortController().signal;
    const quiet = () => undefined;
    const news = {
      appeared: quiet,
      keyed: quiet,
      factsSeen: quiet,
      shutOutSeen: quiet,
      wordsChanged: quiet,
      ...heard,
    };
    const context = masterContext(this.ports(this.connectMaster()), life, news);
    await this.settled(context.bus.connected(), 'a line');
    return context;
  }

  private ports(bus: Bus): MasterPorts {
    const identity = {
      masterId: newMasterId(this.runtime),
      host: 'here',
      pid: this.masters.length + 1,
      bootId: 'boot',
      version: '0.0.0',
    };
    const { runtime } = this;
    return {
      ...bareMachine(this.clock),
      bus,
      runtime,
      trust: masterKeysOf(this.account),
      identity,
      isProcessGone: () => false,
    };
  }

  /** Connects a peel and publishes its facts and a heartbeat. */
  async peel(id: string, script: PeelScript = {}): Promise<ScriptedPeel> {
    const bus = openAgentBus(this.server.connect({ role: 'peel', name: id }), this.runtime);
    const peel = new ScriptedPeel(this, bus, id as PeelId, script);
    await this.settled(peel.start(), `peel ${id} to start`);
    return peel;
  }

  peels(count: number, script: PeelScript = {}): Promise<ScriptedPeel[]> {
    return Promise.all(Array.from({ length: count }, (_, i) => this.peel(`web-${i}`, script)));
  }

  /**
   * Very many peels on one connection: each says its ack and its return as a real one would. Proofs are not looked at,
   * that is what the scripted ones do.
   */
  async herd(count: number): Promise<{ readonly ids: PeelId[]; readonly heard: number }> {
    const bus = this.connectMaster();
    const { publicKey } = curveKeyOf(newSigningKey('user', this.random));
    const ids = Array.from({ length: count }, (_, i) => `herd-${i}` as PeelId);
    let heard = 0;
    const answer = async ({ subject, data }: Message) => {
      heard += 1;
      const peelId = subject.split('.')[2] as PeelId;
      const { jid } = execRequestCodec.decode(data);
      const ack = ackCodec.encode({ jid, peelId, timestamp: this.now(), behind: '' });
      await bus.append(jobAckSubject(jid, peelId), ack, {});
      const value = returnCodec.encode(returnCodec.create({ jid, peelId, success: true }));
      await bus.append(jobReturnSubject(jid, peelId), value, {});
    };
    await this.settled(bus.connected(), 'the herd to connect');
    await this.settled(
      bus.subscribe(commandSubject('*'), (message) => void answer(message)),
      'the herd to listen',
    );
    const facts = factsCodec.encode({ [FACT_KEYS.curvePublicKey]: publicKey });
    const puts = ids.map((id) => bus.bucket(BUCKETS.facts.name).put(id, facts));
    await this.settled(Promise.all(puts), 'the facts of the herd');
    return {
      ids,
      get heard() {
        return heard;
      },
    };
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

  /** Signed as a master signs. */
  cancel(jid: Jid): void {
    const proof = formatProof(signCancelAsMaster(masterKeysOf(this.account).commandKey, jid));
    const headers = new Map([[PROOF_HEADER, proof]]);
    this.admin.publish(jobCancelSubject(jid), new Uint8Array(0), { headers });
  }

  async record(jid: Jid): Promise<Job | undefined> {
    const read = await this.settled(this.admin.bucket(BUCKETS.jobs.name).getLatest(jobKey(jid)), 'a record');
    return read.found ? jobCodec.decode(read.value) : undefined;
  }

  async isIndexed(jid: Jid): Promise<boolean> {
    const jobs = this.admin.bucket(BUCKETS.jobs.name);
    return (await this.settled(jobs.getLatest(activeJobKey(jid)), 'an index key')).found;
  }

  async rows(jid: Jid): Promise<Row[]> {
    const rows = this.admin.bucket(BUCKETS.jobReturns.name);
    const entries = await this.settled(rows.entries(jobReturnPattern(jid)), 'rows');
    return entries.map((entry) => rowCodec.decode(entry.value));
  }

  endsAs({ jid }: Job, status: string): Promise<void> {
    return this.until(
      async () => (await this.record(jid))?.status === status,
      `the end as ${status}`,
      90_000,
    );
  }

  /** By peel, as the rows say. */
  async outcomes({ jid }: Job): Promise<Record<string, Outcome | undefined>> {
    return Object.fromEntries((await this.rows(jid)).map((row) => [row.peelId, row.outcome]));
  }

  logged(text: string): LogLine[] {
    return this.lines.filter((line) => line.msg.includes(text));
  }

  now(): bigint {
    return nanosFromMs(this.clock.nowMs());
  }

  /** Moves time in small steps until the condition holds. */
  async until(
    look: () => boolean | Promise<boolean>,
    what: string,
    msMax = 120_000,
    stepMs = 50,
  ): Promise<void> {
    const endMs = this.clock.monotonicMs() + msMax;
    for (;;) {
      await this.clock.advance(0);
      if (await look()) return;
      if (this.clock.monotonicMs() > endMs) throw new Error(`waited ${msMax} ms of virtual time for ${what}`);
      await this.clock.advance(stepMs);
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
