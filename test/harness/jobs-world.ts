/**
 * `JobsWorld` is a fleet on a real nats-server: real masters in this process, peels as the built program or in this
 * process, and the operator's end of the wire in the hands of a test.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAgentBus, openBus } from '../../src/bus/bus.ts';
import type { Bus } from '../../src/bus/port.ts';
import { type MasterPorts, masterKeysOf, newMasterId } from '../../src/master/master-ports.ts';
import type { MasterSettings } from '../../src/master/master-settings.ts';
import { type Master, startMaster } from '../../src/master/start-master.ts';
import type { FunctionRegistry } from '../../src/modules/contract.ts';
import { FUNCTIONS } from '../../src/modules/registry.ts';
import type { Peel, PeelSettings } from '../../src/peel/peel-ports.ts';
import { startPeel } from '../../src/peel/start-peel.ts';
import { jsonLog } from '../../src/runtime/log.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { memorySystem } from '../../src/system/memory/memory-machine.ts';
import { formatCreds } from '../../src/trust/creds.ts';
import { curveKeyOf } from '../../src/trust/nkeys.ts';
import { BUCKETS } from '../../src/wire/names/buckets.ts';
import type { PeelId } from '../../src/wire/names/ids.ts';
import type { LogLine } from './log-line.ts';
import { bareMachine } from './master/bare-machine.ts';
import { OperatorEnd } from './operator-end.ts';
import { ROOT, type RunningProgram, scratchDir, start } from './programs/program.ts';
import type { TestServer } from './servers/nats-server.ts';
import { TrustedNats, testRuntime } from './servers/trusted-nats.ts';
import type { SyncInterval } from './servers/trusted-servers.ts';
import { until } from './until.ts';

/** A peel of its own process; the same name and directory in every life. */
export interface PeelProgram {
  readonly id: PeelId;
  readonly dataDir: string;
  /** The process of the present life. */
  readonly process: RunningProgram;
  /** Starts the next life, and waits until it listens. */
  restart(): Promise<void>;
  kill9(): Promise<void>;
  /** Ids of jobs that are accepted and whose return no stream has confirmed. */
  spool(): readonly string[];
}

/** Made while a test file is read: the trust cleans up after the last test. */
export class JobsWorld extends OperatorEnd {
  readonly trust: TrustedNats;
  readonly dir = scratchDir();
  readonly masters: Master[] = [];
  readonly masterLines: LogLine[] = [];
  /** The only server, or the first of the cluster. */
  server: TestServer = undefined as never;
  nodes: readonly TestServer[] = [];
  admin: Bus = undefined as never;
  private readonly buses: { close(): Promise<void> }[] = [];
  private readonly peels: Peel[] = [];
  private readonly programs = new Set<RunningProgram>();

  constructor(trust = new TrustedNats()) {
    super();
    this.trust = trust;
  }

  /** A server, an operator, and masters that take jobs. */
  async open(
    masters = 1,
    settings: Partial<MasterSettings> = {},
    syncInterval: SyncInterval = 'default',
  ): Promise<void> {
    await this.openOn([await this.trust.startServer(syncInterval)], masters, settings);
  }

  /** The same on a cluster of three; masters and peels begin at its nodes in turn. */
  async openCluster(masters: number, settings: Partial<MasterSettings> = {}): Promise<void> {
    await this.openOn((await this.trust.startCluster()).nodes, masters, settings);
  }

  async close(): Promise<void> {
    for (const program of this.programs) program.child.kill('SIGKILL');
    await Promise.all([...this.programs].map((program) => program.ended));
    await Promise.all(this.peels.map((peel) => peel.stop()));
    await Promise.all(this.masters.map((master) => master.stop()));
    await Promise.all(this.buses.map((bus) => bus.close()));
    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  bus(role: 'master' | 'admin', name: string, runtime: Runtime = testRuntime, url = this.nextUrl()): Bus {
    const bus = openBus(this.trust.connect([url], role, name), runtime);
    this.buses.push(bus);
    return bus;
  }

  /** One more, which takes jobs when it is ready. `url` may lead over a line of the test's. */
  master(
    name: string,
    settings: Partial<MasterSettings> = {},
    url = this.nextUrl(),
    given: Partial<MasterPorts> = {},
  ): Master {
    const runtime = loggingTo(this.masterLines);
    const identity = {
      masterId: newMasterId(testRuntime),
      host: 'here',
      pid: this.masters.length + 1,
      bootId: 'boot',
      version: '0',
    };
    const trust = masterKeysOf(this.trust.topology.control);
    const bus = this.bus('master', name, runtime, url);
    const master = startMaster({
      ...bareMachine(runtime.clock),
      bus,
      runtime,
      trust,
      identity,
      issuer: this.trust.issuer(),
      isProcessGone: () => false,
      settings,
      ...given,
    });
    this.masters.push(master);
    return master;
  }

  /** The built program, ready for commands. `url` may lead over a line of the test's. */
  async program(id: string, url: string = this.server.url): Promise<PeelProgram> {
    const { jwt, key } = this.trust.creds('peel', id);
    const credsFile = join(this.dir, `${id}.creds`);
    const dataDir = join(this.dir, id);
    writeFileSync(credsFile, formatCreds(jwt, key), { mode: 0o600 });
    let process: RunningProgram = undefined as never;
    const restart = async () => {
      const before = await this.lastBeat(id);
      const args = [
        '--nats-url',
        url,
        '--creds',
        credsFile,
        '--ca',
        this.trust.caFile,
        '--data-dir',
        dataDir,
      ];
      process = start(globalThis.process.execPath, [join(ROOT, 'dist/zester-peel.cjs'), ...args]);
      this.programs.add(process);
      await until(async () => (await this.lastBeat(id)) > before, `the heartbeat of ${id}`);
    };
    await restart();
    await this.mastersKnow(id);
    return {
      id: id as PeelId,
      dataDir,
      get process() {
        return process;
      },
      restart,
      async kill9() {
        process.child.kill('SIGKILL');
        await process.ended;
      },
      spool: () => readdirSync(join(dataDir, 'jobs')),
    };
  }

  /** A peel in this process, on a machine in memory, ready for commands. */
  async peel(
    id: string,
    given: { readonly settings?: Partial<PeelSettings>; readonly functions?: FunctionRegistry } = {},
  ): Promise<{ readonly peel: Peel; readonly lines: readonly LogLine[] }> {
    const creds = this.trust.creds('peel', id);
    const bus = openAgentBus(this.trust.connect([this.nextUrl()], 'peel', id, creds), testRuntime);
    this.buses.push(bus);
    const lines: LogLine[] = [];
    const runtime = loggingTo(lines);
    const peel = startPeel({
      bus,
      system: memorySystem(runtime),
      runtime,
      identity: { peelId: id as PeelId, curveKey: curveKeyOf(creds.key) },
      dataDir: '/var/lib/zester',
      version: '0',
      functions: given.functions ?? FUNCTIONS,
      settings: given.settings ?? {},
    });
    this.peels.push(peel);
    await peel.ready;
    await until(async () => (await this.lastBeat(id)) > 0, `the heartbeat of ${id}`);
    await this.mastersKnow(id);
    return { peel, lines };
  }

  private async openOn(
    nodes: readonly TestServer[],
    masters: number,
    settings: Partial<MasterSettings>,
  ): Promise<void> {
    const [first] = nodes;
    if (first === undefined) throw new Error('a world without a server');
    this.server = first;
    this.nodes = nodes;
    this.admin = this.bus('admin', 'admin');
    for (let i = 0; i < masters; i++) this.master(`m-${i}`, settings);
    await Promise.all([this.admin.connected(), ...this.masters.map(({ ready }) => ready)]);
  }

  private nextUrl(): string {
    return this.nodes[this.buses.length % this.nodes.length]?.url ?? this.server.url;
  }

  /** Revision of the last heartbeat; 0 before the first. */
  private async lastBeat(id: string): Promise<number> {
    const read = await this.admin.bucket(BUCKETS.peelHeartbeat.name).getLatest(id);
    return read.found ? read.revision : 0;
  }

  /** They have its facts, so they can prove commands to it. */
  private async mastersKnow(id: string): Promise<void> {
    const facts = this.admin.bucket(BUCKETS.facts.name);
    await until(async () => (await facts.getLatest(id)).found, `the facts of ${id}`);
    const known = (await facts.keys()).length;
    await until(() => this.masters.every((master) => master.state().peels >= known), 'the masters to know');
  }
}

function loggingTo(lines: LogLine[]): Runtime {
  const { clock, random } = testRuntime;
  const write = (line: string) => {
    lines.push(JSON.parse(line) as LogLine);
    if (process.env.ZESTER_TEST_LOG === 'debug') process.stderr.write(line);
  };
  return { clock, random, log: jsonLog({ clock, write, level: 'info' }) };
}

/** What a command of a test has left behind: one line for each time it ran; empty when it never did. */
export function effectsIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
