/**
 * A process fleet is a fleet of real processes on real nats-servers, as a deployment has it: keys and certificates in
 * an auth directory, TLS, JWTs, masters and peels as the built programs, the command line as people type it.
 *
 * The programs are copied first: a build that somebody makes meanwhile must not change what is being tested.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBus } from '../../../src/bus/bus.ts';
import { connectNats } from '../../../src/bus/nats/nats-connection.ts';
import type { Bus } from '../../../src/bus/port.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { mintPeelUser } from '../../../src/trust/accounts/users.ts';
import {
  credsPath,
  initAuthDir,
  loadCreds,
  loadMasterTrust,
  loadPublicTrust,
} from '../../../src/trust/auth-dir.ts';
import { formatCreds } from '../../../src/trust/creds.ts';
import { SECRET_MODE, writeKeyFiles } from '../../../src/trust/key-files.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { newSigningKey } from '../../../src/trust/nkeys.ts';
import { issueLeaf } from '../../../src/trust/x509/ca.ts';
import { initCaDir, rootPath, writeLeaf } from '../../../src/trust/x509/ca-dir.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { Job } from '../../../src/wire/records/job.ts';
import { OperatorEnd } from '../operator-end.ts';
import type { TestServer } from '../servers/nats-server.ts';
import { testRuntime } from '../servers/trusted-nats.ts';
import { type ServerTrust, startTrustedCluster, startTrustedServer } from '../servers/trusted-servers.ts';
import { until } from '../until.ts';
import { FleetProgram } from './fleet-program.ts';
import { type Ended, ROOT, type RunningProgram, scratchDir, startZester } from './program.ts';

const DAY_MS = 86_400_000;
const LEAF = 'nats';
const PROGRAMS = ['zester-master', 'zester-peel'] as const;
/** Where a peel's commands leave their mark; the peel runs in the directory that holds it. */
const EFFECTS = 'effects';

export interface DaemonPlan {
  /** Where it connects; otherwise straight to the servers. */
  readonly url?: string;
  /** What it is started through, such as `unshare`. */
  readonly through?: readonly string[];
  /** Where it serves its health; otherwise nowhere. */
  readonly health?: string;
  readonly args?: readonly string[];
}

export class FleetMaster extends FleetProgram {
  /** Its id, which is new in every life. */
  get masterId(): string {
    const said = this.lines().find(({ msg }) => msg === 'master starting');
    if (said === undefined) throw new Error(`${this.name} has not said its id yet`);
    return String(said.master);
  }
}

/** Made while a test file is read. */
export class ProcessFleet extends OperatorEnd {
  readonly dir = scratchDir();
  readonly masters: FleetMaster[] = [];
  readonly peels: FleetProgram[] = [];
  nodes: readonly TestServer[] = [];
  admin: Bus = undefined as never;
  readonly authDir = join(this.dir, 'auth');

  constructor() {
    super();
    const nowMs = systemClock.nowMs();
    initAuthDir(this.authDir, systemRandom, nowMs, { adminOperator: 'tester', force: false });
    const ca = initCaDir(this.authDir, systemRandom, nowMs, { force: false });
    const names = ['localhost', '127.0.0.1', '::1'];
    const leaf = issueLeaf(ca, { names, validMs: DAY_MS }, systemRandom, nowMs);
    writeLeaf(this.authDir, LEAF, leaf, { force: false });
  }

  /** A server, or three as a cluster, and an operator; masters and peels come one by one. */
  async open(kind: 'server' | 'cluster' = 'server'): Promise<void> {
    mkdirSync(join(this.dir, 'logs'));
    for (const name of PROGRAMS) copyFileSync(join(ROOT, `dist/${name}.cjs`), this.program(name));
    this.nodes =
      kind === 'server'
        ? [await startTrustedServer(this.serverTrust, { dir: join(this.dir, 'nats') })]
        : (await startTrustedCluster(this.serverTrust)).nodes;
    this.admin = openBus(this.connection('admin'), testRuntime);
    await this.admin.connected();
  }

  /** The only server, or the first of the cluster. */
  get server(): TestServer {
    const [first] = this.nodes;
    if (first === undefined) throw new Error('the fleet is not open');
    return first;
  }

  /** Of every server, as people give it to programs. */
  get address(): string {
    return this.nodes.map(({ url }) => url).join(',');
  }

  async close(): Promise<void> {
    const programs = [...this.peels, ...this.masters];
    for (const program of programs) program.thaw();
    await Promise.all(programs.map((program) => program.kill9()));
    await this.admin?.close();

    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  /** Takes jobs when it resolves. */
  async master(plan: DaemonPlan = {}): Promise<FleetMaster> {
    const name = `master-${this.masters.length + 1}`;
    const master = new FleetMaster({
      name,
      argv: this.argvOf('zester-master', ['--auth-dir', this.authDir], plan),
      cwd: this.dir,
      logFile: join(this.dir, 'logs', name),
      readyMsg: 'master ready',
    });
    this.masters.push(master);
    await master.start();
    return master;
  }

  /** Has a heartbeat and facts when it resolves. */
  async peel(id: string, plan: DaemonPlan = {}): Promise<FleetProgram> {
    const home = join(this.dir, 'peels', id);
    this.enroll(id, home);
    writeKeyFiles(home, [{ path: EFFECTS, mode: SECRET_MODE, text: '' }], { force: false });
    const options = ['--creds', join(home, 'creds'), '--ca', rootPath(this.authDir), '--data-dir', home];
    const peel = new FleetProgram({
      name: id,
      argv: this.argvOf('zester-peel', options, plan),
      cwd: home,
      logFile: join(this.dir, 'logs', id),
      readyMsg: 'peel ready',
    });
    this.peels.push(peel);
    await peel.start();
    await until(async () => (await this.read('peelHeartbeat', id)).found, `the heartbeat of ${id}`);
    await until(async () => (await this.read('facts', id)).found, `the facts of ${id}`);
    return peel;
  }

  /** The real command line, as the admin. */
  cli(...words: string[]): Promise<Ended> {
    return this.startCli(...words).ended;
  }

  startCli(...words: string[]): RunningProgram {
    const place = ['--nats-url', this.address, '--auth-dir', this.authDir];
    return startZester([...words, ...place], { env: { NO_COLOR: '1' } });
  }

  /**
   * A job that leaves its id behind on every machine where it runs, once for each time it does, and then goes on with
   * `then`. The peel runs where its mark goes; a command whose peel is gone by then leaves none, and hurts nobody.
   */
  markingJob(targets: readonly string[], then = 'true', given: Partial<Job> = {}): Job {
    const job = this.job(targets, { function: 'cmd.run', ...given });
    const mark = `f=/proc/$PPID/cwd/${EFFECTS}; [ -f "$f" ] && echo ${job.jid} >> "$f"`;
    return { ...job, stateId: `${mark}; ${then}` };
  }

  /** How often each job has had its effect on a peel. */
  effects(id: string): Map<string, number> {
    const counts = new Map<string, number>();
    const text = readFileSync(join(this.dir, 'peels', id, EFFECTS), 'utf8');
    for (const jid of text.split('\n').filter(Boolean)) counts.set(jid, (counts.get(jid) ?? 0) + 1);
    return counts;
  }

  masterOf(masterId: string | undefined): FleetMaster {
    const found = this.masters.find((master) => master.isRunning && master.masterId === masterId);
    if (found === undefined) throw new Error(`no running master has the id ${masterId}`);
    return found;
  }

  /** The master that owns the job by its record. */
  async ownerOf(job: Pick<Job, 'jid'>): Promise<FleetMaster> {
    return this.masterOf((await this.record(job))?.owner);
  }

  private argvOf(
    name: (typeof PROGRAMS)[number],
    options: readonly string[],
    { url = this.address, through = [], health = 'off', args = [] }: DaemonPlan,
  ): readonly string[] {
    const place = ['--nats-url', url, '--health-addr', health];
    return [...through, process.execPath, this.program(name), ...place, ...options, ...args];
  }

  private program(name: (typeof PROGRAMS)[number]): string {
    return join(this.dir, `${name}.cjs`);
  }

  private read(bucket: 'peelHeartbeat' | 'facts', key: string) {
    return this.admin.bucket(BUCKETS[bucket].name).getLatest(key);
  }

  private enroll(peelId: string, home: string): void {
    const { agentsSigning, public: known } = loadMasterTrust(this.authDir);
    const key = newSigningKey('user', systemRandom);
    const nowMs = systemClock.nowMs();
    const jwt = mintPeelUser(agentsSigning, {
      agentsAccount: known.agents.publicKey,
      peelId,
      userPublicKey: key.publicKey,
      nowMs,
      expiresAtMs: nowMs + DAY_MS,
    });
    mkdirSync(home, { recursive: true });
    writeKeyFiles(home, [{ path: 'creds', mode: SECRET_MODE, text: formatCreds(jwt, key) }], {
      force: false,
    });
  }

  private connection(role: 'admin') {
    const creds = credsPath(this.authDir, role);
    return connectNats({
      servers: this.nodes.map(({ url }) => url),
      name: `test-${role}`,
      inboxName: role,
      authenticator: natsAuthenticator(() => loadCreds(creds)),
      caFile: rootPath(this.authDir),
      runtime: testRuntime,
    });
  }

  private get serverTrust(): ServerTrust {
    const tls = {
      certificateFile: join(this.authDir, `${LEAF}.crt`),
      keyFile: join(this.authDir, `${LEAF}.key`),
      caFile: rootPath(this.authDir),
    };
    return { trust: loadPublicTrust(this.authDir), tls };
  }
}
