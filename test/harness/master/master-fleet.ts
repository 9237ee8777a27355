/**
 * `FleetWorld` is several masters as processes of their own, on one memory server: each can be killed, frozen, cut off and
 * stopped without the others. The server's observer sees everything that they write, and calls out what must never happen
 * (src/sim/sim-observer.ts).
 */

import { expect } from 'vitest';
import { openBus } from '../../../src/bus/bus.ts';
import type { Bus } from '../../../src/bus/port.ts';
import { NO_RETRIES, type RetryBudget } from '../../../src/bus/retry-budget.ts';
import { joinedStreams } from '../../../src/bus/stream/joined-streams.ts';
import { isTerminal } from '../../../src/core/jobs/job-lifecycle.ts';
import { statusOf } from '../../../src/core/jobs/job-tally.ts';
import { isRealReturn, isSuccess } from '../../../src/core/jobs/target-row.ts';
import { Metrics } from '../../../src/daemon/metrics.ts';
import { metricsText } from '../../../src/daemon/metrics-text.ts';
import { masterMetrics } from '../../../src/master/master-metrics.ts';
import { newMasterId, type SourcePlaces } from '../../../src/master/master-ports.ts';
import type { MasterSettings } from '../../../src/master/master-settings.ts';
import type { Master } from '../../../src/master/start-master.ts';
import { jsonLog } from '../../../src/runtime/log.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { SimObserver } from '../../../src/sim/sim-observer.ts';
import { Life } from '../../../src/sim/world/life.ts';
import { SimLink } from '../../../src/sim/world/sim-link.ts';
import type { MemoryMachine } from '../../../src/system/memory/memory-machine.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { Jid, MasterId } from '../../../src/wire/names/ids.ts';
import { activeJobKey } from '../../../src/wire/names/keys.ts';
import { parseKvSubject } from '../../../src/wire/names/store-subjects.ts';
import { PEEL_WORD_STREAMS } from '../../../src/wire/names/streams.ts';
import { parseCommandSubject } from '../../../src/wire/names/subjects.ts';
import { masterHeartbeatCodec } from '../../../src/wire/records/heartbeat.ts';
import { activeJobEntryCodec, type Job } from '../../../src/wire/records/job.ts';
import { jobEventCodec } from '../../../src/wire/records/job-event.ts';
import type { LogLine } from '../log-line.ts';
import type { ScriptedPeel } from './master-scripted-peel.ts';
import { MasterWorld } from './master-world.ts';

/** A write to a bucket that took effect, or (`attempt`) was only tried. */
export interface SeenWrite {
  readonly by: string;
  readonly atMs: number;
  readonly bucket: string;
  readonly key: string;
  readonly data: Uint8Array;
}

export interface SeenCommand {
  readonly by: string;
  readonly atMs: number;
  readonly peel: string;
  readonly data: Uint8Array;
}

/** How a master is started; each on a host of its own unless the test says otherwise. */
export interface ProcessOptions {
  readonly settings?: Partial<MasterSettings>;
  readonly host?: string;
  readonly bootId?: string;
  /** That of a process which has ended may be given again. */
  readonly pid?: number;
  /** As that of the real program; without it every call is tried once. */
  readonly retryBudget?: RetryBudget;
  /** Stands between the master and its line. */
  readonly bus?: (bus: Bus) => Bus;
  /** Where it runs and what it publishes from; not given: a machine without source directories. */
  readonly machine?: MemoryMachine;
  readonly sources?: SourcePlaces;
  /** It keeps account documents, and signs credentials of peels with the key that they name. */
  readonly keepsAccounts?: boolean;
}

export class FleetWorld extends MasterWorld {
  readonly writes: SeenWrite[] = [];
  readonly attempts: SeenWrite[] = [];
  readonly commands: SeenCommand[] = [];
  readonly observer: SimObserver;
  readonly processes: MasterProcess[] = [];
  private pids = 100;

  constructor(options: { seed?: number } = {}) {
    // The base class makes the server, which needs an observer, which needs the clock of the base class.
    const late: { world?: FleetWorld } = {};
    super({
      ...options,
      observer: {
        published: (by, message) => {
          late.world?.observer.published(by, message);
          late.world?.sawPublish(by.name, message.subject, message.data);
        },
        stored: (by, stored) => {
          late.world?.observer.stored(by, stored);
          late.world?.saw(late.world.writes, by.name, stored.subject, stored.data);
        },
      },
    });
    this.observer = new SimObserver(() => this.clock.monotonicMs());
    late.world = this;
  }

  /** Starts one and waits until it takes jobs. */
  async process(options: ProcessOptions = {}): Promise<MasterProcess> {
    const process = this.startProcess(options);
    await this.settled(process.master.ready, 'a master to be ready');
    return process;
  }

  async fleet(count: number, options: ProcessOptions = {}): Promise<MasterProcess[]> {
    const started = Array.from({ length: count }, () => this.startProcess(options));
    await this.settled(Promise.all(started.map(({ master }) => master.ready)), 'the masters to be ready');
    return started;
  }

  startProcess(options: ProcessOptions = {}): MasterProcess {
    const process = new MasterProcess(this, options.pid ?? this.pids++, options);
    this.processes.push(process);
    return process;
  }

  /** Whether the process of that number has ended. */
  isGone(pid: number): boolean {
    return !this.processes.some((each) => each.pid === pid && each.life.alive);
  }

  /** The master that has the job. */
  async ownerOf(jid: Jid): Promise<MasterProcess | undefined> {
    const owner = (await this.record(jid))?.owner;
    return this.processes.find(({ masterId }) => masterId === owner);
  }

  /** Moves time until the job has ended; steps are long, because an adoption takes a minute. */
  ends(job: Job, msMax = 180_000): Promise<void> {
    const isOver = () => {
      const record = this.observer.records.get(job.jid);
      return record !== undefined && isTerminal(record.status);
    };
    return this.until(isOver, `the end of job ${job.jid}`, msMax, 200);
  }

  async indexedOwner(jid: Jid): Promise<MasterId | undefined> {
    const jobs = this.admin.bucket(BUCKETS.jobs.name);
    const read = await this.settled(jobs.getLatest(activeJobKey(jid)), 'an index key');
    return read.found ? activeJobEntryCodec.decode(read.value).owner : undefined;
  }

  /** The types of the events of a kind that the stream has of a job. */
  async eventsOf(subject: string): Promise<string[]> {
    const types: string[] = [];
    const read = joinedStreams(this.admin, PEEL_WORD_STREAMS).replay({ filter: subject }, ({ data }) => {
      types.push(jobEventCodec.decode(data).type);
    });
    await this.settled(read, 'the events');
    return types;
  }

  /** Nobody broke a rule that holds at every moment. */
  expectNoViolation(): void {
    expect(this.observer.violations).toEqual([]);
  }

  /**
   * The job has ended as it should: one row for each target and each of them true, the record counts what the rows say,
   * every request was the same request, and nothing is left over.
   */
  async expectHonest(job: Job, peels: readonly ScriptedPeel[]): Promise<Job> {
    this.expectNoViolation();
    const record = await this.record(job.jid);
    expect(record && isTerminal(record.status), `job is ${record?.status}`).toBe(true);
    const rows = await this.rows(job.jid);
    expect(rows.map((row) => row.peelId)).toEqual([...job.targets].sort());
    const targets = peels.filter(({ id }) => job.targets.includes(id));
    const returned = targets.filter((peel) => peel.returned.has(job.jid)).map(({ id }) => id);
    expect(rows.filter(isRealReturn).map((row) => row.peelId)).toEqual([...returned].sort());
    for (const row of rows) {
      const peel = targets.find(({ id }) => id === row.peelId);
      if (row.outcome === 'unreachable') expect(peel?.acked.has(job.jid) ?? false).toBe(false);
      if (row.outcome === 'running') expect(peel?.acked.has(job.jid)).toBe(true);
    }
    const succeeded = rows.filter(isSuccess).length;
    expect(record).toMatchObject({ returnCount: returned.length, successCount: succeeded });
    if (record?.status !== 'canceled' && record?.metadata.failed_reason === undefined)
      expect(record?.status).toBe(
        statusOf({ targets: job.targets.length, returned: returned.length, succeeded }),
      );
    const requests = this.commandsOf(job.jid, targets).map((data) => Buffer.from(data).toString('hex'));
    expect(new Set(requests).size, 'all requests are the same bytes').toBeLessThanOrEqual(1);
    return record as Job;
  }

  /** Resolves when no entry of the index is left. */
  untilNotIndexed(job: Job): Promise<void> {
    return this.until(async () => !(await this.isIndexed(job.jid)), 'the index key to go', 60_000, 500);
  }

  /** Processes end with the world; nothing is waited for. */
  override close(): Promise<void> {
    for (const process of this.processes) process.kill();
    return Promise.resolve();
  }

  /** A bus with a master's rights, for what a test writes itself. */
  async hand(): Promise<Bus> {
    const bus = this.connectMaster();
    await this.settled(bus.connected(), 'a connection');
    return bus;
  }

  private commandsOf(jid: Jid, peels: readonly ScriptedPeel[]): Uint8Array[] {
    return peels
      .flatMap(({ heard }) => heard.filter(({ request }) => request.jid === jid))
      .map((h) => h.data);
  }

  private sawPublish(by: string, subject: string, data: Uint8Array): void {
    this.saw(this.attempts, by, subject, data);
    const peel = parseCommandSubject(subject);
    if (peel !== undefined) this.commands.push({ by, atMs: this.clock.monotonicMs(), peel, data });
  }

  private saw(list: SeenWrite[], by: string, subject: string, data: Uint8Array): void {
    const kv = parseKvSubject(subject);
    if (kv !== undefined) list.push({ by, atMs: this.clock.monotonicMs(), data, ...kv });
  }
}

/** One life of one master. */
export class MasterProcess {
  readonly pid: number;
  readonly life = new Life();
  readonly masterId: MasterId;
  readonly master: Master;
  readonly lines: LogLine[] = [];
  private readonly world: FleetWorld;
  private readonly link: SimLink;
  private readonly machine: MemoryMachine | undefined;
  private readonly metrics = new Metrics();

  constructor(world: FleetWorld, pid: number, options: ProcessOptions) {
    this.world = world;
    this.pid = pid;
    const { life } = this;
    const runtime = this.runtime();
    this.masterId = newMasterId(runtime);
    this.link = new SimLink({
      server: world.server,
      user: () => ({ role: 'master', name: this.masterId }),
      world: world.clock,
      random: world.random,
      life,
      weather: () => ({ delayMs: 0.2, isLost: false, isDoubled: false }),
      publishCall: (_name, effect) => life.alive && effect(),
    });
    const { retryBudget = NO_RETRIES } = options;
    const bus = openBus(this.link, runtime, { retryBudget });
    world.observer.masterStarted(this.masterId, `pid ${pid}`);
    const { host = `host-${pid}`, bootId = 'boot', machine, sources } = options;
    this.machine = machine;
    const started = world.startMaster(options.settings, options.bus?.(bus) ?? bus, {
      runtime,
      metrics: masterMetrics(this.metrics),
      identity: { masterId: this.masterId, host, pid, bootId, version: '0.0.0' },
      isProcessGone: (other) => world.isGone(other),
      ...(machine === undefined ? {} : { system: machine.boot() }),
      ...(sources === undefined ? {} : { sources }),
      ...(options.keepsAccounts === true ? { accounts: world.accountPorts(), issuer: world.issuer() } : {}),
    });
    this.master = started.master;
    this.master.ready.catch(() => undefined);
  }

  /** kill -9. */
  kill(): void {
    if (!this.life.alive) return;
    this.life.end();
    this.link.die();
    this.machine?.crash();
    this.world.observer.masterEnded(this.masterId);
  }

  /** SIGTERM; resolves when the process has ended. */
  async stop(): Promise<void> {
    await this.world.settled(this.master.stop(), 'a master to stop');
    this.kill();
  }

  freeze(): void {
    this.life.freeze();
  }

  thaw(): void {
    this.life.thaw();
  }

  /** Nothing goes through, in either direction, until `heal`; after some seconds both ends notice. */
  partition(): void {
    this.link.partition();
  }

  heal(): void {
    this.link.heal();
  }

  /** What it wrote into a bucket from some moment on, with effect. */
  writesTo(bucket: string, fromMs = 0): SeenWrite[] {
    return writesOf(this.world.writes, this.masterId, bucket, fromMs);
  }

  /** The same, also what did not take. */
  attemptsAt(bucket: string, fromMs = 0): SeenWrite[] {
    return writesOf(this.world.attempts, this.masterId, bucket, fromMs);
  }

  /** What its /metrics would say. */
  metricsText(): string {
    return metricsText(this.metrics.families());
  }

  commands(fromMs = 0): SeenCommand[] {
    return this.world.commands.filter(({ by, atMs }) => by === this.masterId && atMs >= fromMs);
  }

  /** When its last heartbeat said that it leaves. */
  leftMs(): number | undefined {
    const beats = this.writesTo(BUCKETS.masterHeartbeat.name);
    return beats.find(({ data }) => masterHeartbeatCodec.decode(data).leaving)?.atMs;
  }

  private runtime(): Runtime {
    const { world, life } = this;
    const clock = life.clock(world.clock, () => 0);
    const write = (line: string) => {
      if (life.alive) this.lines.push(JSON.parse(line) as LogLine);
    };
    return { clock, random: world.random, log: jsonLog({ clock, write, level: 'debug' }) };
  }
}

function writesOf(list: readonly SeenWrite[], by: string, bucket: string, fromMs: number): SeenWrite[] {
  return list.filter((write) => write.by === by && write.bucket === bucket && write.atMs >= fromMs);
}
