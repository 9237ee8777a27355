/**
 * `PeelWorld` is one real peel on a memory server and a memory machine, in virtual time, with real keys; and the
 * master's end of the wire in the hands of a test. A crash ends the peel at any port call: none of that life's calls
 * answers any more.
 */

import { ensureAssets } from '../../../src/bus/assets.ts';
import { openAgentBus, openBus } from '../../../src/bus/bus.ts';
import type { MemoryConnection } from '../../../src/bus/memory/memory-connection.ts';
import { MemoryServer } from '../../../src/bus/memory/memory-server.ts';
import type { AgentBus, Bus, Message } from '../../../src/bus/port.ts';
import { joinedStreams } from '../../../src/bus/stream/joined-streams.ts';
import type { FunctionRegistry } from '../../../src/modules/contract.ts';
import { FUNCTIONS } from '../../../src/modules/registry.ts';
import { STATE_MODULES } from '../../../src/modules/state-registry.ts';
import type { FileCaches, Peel, PeelSettings } from '../../../src/peel/peel-ports.ts';
import { startPeel } from '../../../src/peel/start-peel.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { jsonLog } from '../../../src/runtime/log.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../../../src/runtime/virtual-clock.ts';
import type { SystemCall } from '../../../src/system/memory/memory-gate.ts';
import { memoryMachine } from '../../../src/system/memory/memory-machine.ts';
import type { ProgramTable } from '../../../src/system/memory/memory-process-calls.ts';
import { commandKeyOf } from '../../../src/trust/command-key.ts';
import { makeCommandProof, type ProofKey, proofKeyForPeel } from '../../../src/trust/command-proof.ts';
import type { Ed25519Key } from '../../../src/trust/ed25519.ts';
import { type CurveKey, curveKeyOf, newSigningKey, rawSeedOf } from '../../../src/trust/nkeys.ts';
import { newOperatorKey, type OperatorKey } from '../../../src/trust/operator-key.ts';
import { boxKey } from '../../../src/trust/sealed-box.ts';
import { signCancelAsMaster, signDirect } from '../../../src/trust/signed-proof.ts';
import { encodeBase64url } from '../../../src/wire/msgpack/base64url.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import { ALL_BUCKETS, BUCKETS } from '../../../src/wire/names/buckets.ts';
import { DEADLINE_HEADER, PROOF_HEADER } from '../../../src/wire/names/headers.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import { COMMAND_KEY, MASTER_CURVE_KEY } from '../../../src/wire/names/keys.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS, PEEL_WORD_STREAMS } from '../../../src/wire/names/streams.ts';
import {
  commandSubject,
  directAnswerSubject,
  JOB_SUBJECTS,
  jobCancelSubject,
  parseJobSubject,
} from '../../../src/wire/names/subjects.ts';
import { type ExecRequest, execRequestCodec } from '../../../src/wire/records/exec.ts';
import type { FileSetSpec } from '../../../src/wire/records/file-set.ts';
import { type PeelHeartbeat, peelHeartbeatCodec } from '../../../src/wire/records/heartbeat.ts';
import { type Return, returnCodec } from '../../../src/wire/records/job-return.ts';
import { formatDeadline } from '../../../src/wire/records/proof-bytes.ts';
import { formatProof, type Proof } from '../../../src/wire/records/proof-header.ts';
import { sealedSecretsCodec } from '../../../src/wire/records/secrets.ts';
import type { PublishedTexts } from '../mirror/mirror-disk.ts';
import { publishTree } from '../mirror/publish-tree.ts';
import { countingFunctions, neverSettles } from './peel-functions.ts';

export const PEEL = 'web-01' as PeelId;
export const DATA_DIR = '/var/lib/zester/peel';

export interface PeelWorldOptions {
  readonly seed?: number;
  readonly settings?: Partial<PeelSettings>;
  /** With a state engine, whose files are in `/states` and `/settings`, and all functions of the product. */
  readonly withStates?: boolean;
  /** Mirrors of published files. */
  readonly caches?: FileCaches;
  readonly programs?: ProgramTable;
  readonly payloadBytesMax?: number;
  readonly fault?: (call: SystemCall) => { readonly fail: string } | undefined;
}

export interface AccountKeys {
  readonly proofKey: ProofKey;
  readonly curvePublic: string;
  readonly curve: CurveKey;
  readonly command: Ed25519Key;
  readonly operator: OperatorKey;
}

/** Called before (`effect: false`) and after each port call of the peel; true ends its life there. */
export type CrashHook = (call: { readonly name: string; readonly effect: boolean }) => boolean;

export class PeelWorld {
  readonly clock = wholeMilliseconds(virtualClock());
  readonly random;
  readonly server: MemoryServer;
  readonly machine;
  readonly logs: Record<string, unknown>[] = [];
  /** How often each jid was run; counted at the start of its function. */
  readonly runs = new Map<string, number>();
  /** Everything that was published for jobs, also what streams dropped as a duplicate. */
  readonly heard: Message[] = [];
  readonly peelKey;
  master: Bus;
  keys: AccountKeys;
  peel: Peel;
  bus: AgentBus;
  crashHook: CrashHook = () => false;
  private readonly options: PeelWorldOptions;
  private readonly functions: FunctionRegistry;
  private connection: MemoryConnection | undefined;
  private life = 0;

  private constructor(options: PeelWorldOptions) {
    this.options = options;
    this.random = seededRandom(options.seed ?? 1);
    const { clock, random } = this;
    this.server = new MemoryServer({
      clock,
      random,
      ...(options.payloadBytesMax === undefined ? {} : { payloadBytesMax: options.payloadBytesMax }),
    });
    const { programs = () => undefined } = options;
    this.machine = memoryMachine({ clock, random, programs, fault: (call) => this.systemCall(call) });
    this.peelKey = newSigningKey('user', random);
    this.keys = this.newKeys();
    this.functions = countingFunctions((jid) => this.runs.set(jid, this.runsOf(jid as Jid) + 1));
    this.master = openBus(this.server.connect({ role: 'master', name: 'm1' }), this.runtime('master'));
    this.peel = undefined as never;
    this.bus = undefined as never;
  }

  static async open(options: PeelWorldOptions = {}): Promise<PeelWorld> {
    const world = new PeelWorld(options);
    await world.settle();
    const specs = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };
    await ensureAssets(world.master, specs, 1);
    await world.master.subscribe(JOB_SUBJECTS, (message) => world.heard.push(message));
    await world.publishKeys();
    return world;
  }

  /** A world with a peel that is ready and has its keys. */
  static async withPeel(options: PeelWorldOptions = {}): Promise<PeelWorld> {
    const world = await PeelWorld.open(options);
    world.startPeel();
    await world.advance(2_000);
    return world;
  }

  startPeel(): void {
    const born = ++this.life;
    const alive = () => this.life === born;
    this.connection = this.server.connect({ role: 'peel', name: PEEL });
    const runtime = this.runtime('peel', alive);
    this.bus = this.mortalBus(openAgentBus(this.connection, runtime), alive);
    this.peel = startPeel({
      bus: this.bus,
      system: this.machine.boot(),
      runtime,
      identity: { peelId: PEEL, curveKey: curveKeyOf(this.peelKey) },
      dataDir: DATA_DIR,
      version: '1.2.3',
      ...(this.options.withStates ? this.engine() : { functions: this.functions }),
      ...(this.options.settings === undefined ? {} : { settings: this.options.settings }),
    });
  }

  private engine() {
    return {
      functions: FUNCTIONS,
      states: {
        modules: STATE_MODULES,
        bakedDir: '/states',
        caches: this.options.caches,
        settingsDir: undefined,
        formerUndoSecret: rawSeedOf(this.peelKey),
      },
    };
  }

  /** kill -9 of the peel with all it started, of the peel alone, or the power fails. */
  crash(how: 'kill' | 'kill alone' | 'power' = 'kill'): void {
    this.life += 1;
    if (how === 'kill') this.machine.crash();
    else if (how === 'kill alone') this.machine.crash('live on');
    else this.machine.powerLoss();
    void this.connection?.close();
  }

  // --- the master's end ----------------------------------------------------------------------------------------------

  newJid(): Jid {
    return newKsuid(this.clock, this.random) as Jid;
  }

  /** A request whose function counts its runs. */
  request(module: string, given: Partial<ExecRequest> = {}): ExecRequest {
    const jid = given.jid ?? this.newJid();
    const deadline = nanosFromMs(this.clock.nowMs() + 300_000);
    return execRequestCodec.create({
      protocol: 1,
      jid,
      module,
      epoch: 7,
      deadline,
      ...given,
      args: { run: jid, ...given.args },
    });
  }

  send(request: ExecRequest): void {
    const payload = execRequestCodec.encode(request);
    this.sendRaw(payload, makeCommandProof(this.keys.proofKey, PEEL, payload));
  }

  sendRaw(payload: Uint8Array, proof: Proof | undefined, reply?: string): void {
    const headers = new Map(proof === undefined ? [] : [[PROOF_HEADER, formatProof(proof)]]);
    this.master.publish(commandSubject(PEEL), payload, {
      headers,
      ...(reply === undefined ? {} : { reply }),
    });
  }

  sendCancel(jid: Jid, proof: Proof = signCancelAsMaster(this.keys.command, jid)): void {
    const headers = new Map([[PROOF_HEADER, formatProof(proof)]]);
    this.master.publish(jobCancelSubject(jid), new Uint8Array(), { headers });
  }

  /** A direct request, and what the peel answers until the returned array is looked at. */
  async sendDirect(request: ExecRequest, deadlineMs = this.clock.nowMs() + 10_000): Promise<Message[]> {
    const answers: Message[] = [];
    await this.master.subscribe(directAnswerSubject(request.jid, PEEL), (message) => answers.push(message));
    const payload = execRequestCodec.encode(request);
    const deadline = nanosFromMs(deadlineMs);
    const proof = signDirect(this.keys.operator, { peel: PEEL, deadline, payload });
    const headers = new Map([
      [PROOF_HEADER, formatProof(proof)],
      [DEADLINE_HEADER, formatDeadline(deadline)],
    ]);
    this.master.publish(commandSubject(PEEL), payload, { headers, reply: 'zester.test.reply' });
    return answers;
  }

  async publishKeys(): Promise<void> {
    const secrets = this.master.bucket(BUCKETS.secrets.name);
    await secrets.put(MASTER_CURVE_KEY, Buffer.from(this.keys.curvePublic));
    await secrets.put(COMMAND_KEY, Buffer.from(encodeBase64url(this.keys.command.publicKey)));
  }

  /** Publishes a file set, and lets the time pass that a peel needs to have it. */
  async publishFiles(spec: FileSetSpec, texts: PublishedTexts): Promise<void> {
    await Promise.all([publishTree(this.master, spec, texts), this.advance(1_000)]);
  }

  /** Seals secrets for the peel, as a master does. */
  async putSecrets(values: Readonly<Record<string, string>>, keys: AccountKeys = this.keys): Promise<void> {
    const box = boxKey(keys.curve, curveKeyOf(this.peelKey).publicKey);
    const sealed = Object.fromEntries(
      Object.entries(values).map(([path, value]) => [path, box?.seal(Buffer.from(value), this.random) ?? '']),
    );
    const record = { generation: 1, settingsRevision: 1, fingerprint: '', sealed };
    await this.putSealed(sealedSecretsCodec.encode(record));
  }

  async putSealed(bytes: Uint8Array): Promise<void> {
    await Promise.all([this.master.bucket(BUCKETS.secrets.name).put(PEEL, bytes), this.advance(500)]);
  }

  newKeys(): AccountKeys {
    const account = newSigningKey('account', this.random);
    const curve = curveKeyOf(account);
    const proofKey = proofKeyForPeel(curve, curveKeyOf(this.peelKey).publicKey);
    const command = commandKeyOf(account);
    const issued = nanosFromMs(this.clock.nowMs());
    const operator = newOperatorKey(this.random, command, { name: 'ann', issued, expires: undefined });
    return { proofKey: proofKey as ProofKey, curvePublic: curve.publicKey, curve, command, operator };
  }

  // --- what can be seen ----------------------------------------------------------------------------------------------

  async returnsOf(jid: Jid): Promise<readonly Return[]> {
    return (await this.allReturns()).get(jid) ?? [];
  }

  async allReturns(): Promise<ReadonlyMap<Jid, readonly Return[]>> {
    const returns = new Map<Jid, Return[]>();
    for (const [jid, data] of await this.stored('return'))
      returns.set(jid, [...(returns.get(jid) ?? []), returnCodec.decode(data)]);
    return returns;
  }

  async acksOf(jid: Jid): Promise<number> {
    return (await this.stored('ack')).filter(([acked]) => acked === jid).length;
  }

  /** Acks that a watcher hears, duplicates of the stream included. */
  acksHeard(jid: Jid): number {
    return this.heard.filter(({ subject }) => {
      const parsed = parseJobSubject(subject);
      return parsed?.kind === 'ack' && parsed.jid === jid;
    }).length;
  }

  runsOf(jid: Jid): number {
    return this.runs.get(jid) ?? 0;
  }

  /** What the last heartbeat said. */
  async heartbeat(): Promise<PeelHeartbeat> {
    const read = this.master.bucket(BUCKETS.peelHeartbeat.name).get(PEEL);
    const [found] = await Promise.all([read, this.advance(0)]);
    return peelHeartbeatCodec.decode(found.found ? found.value : new Uint8Array());
  }

  logged(message: string): Record<string, unknown>[] {
    return this.logs.filter((line) => line.msg === message);
  }

  async files(directory: string): Promise<readonly string[]> {
    return (await this.machine.boot().files.list(directory)) ?? [];
  }

  async settle(): Promise<void> {
    await this.clock.advance(0);
  }

  advance(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  private async stored(kind: 'ack' | 'return'): Promise<(readonly [Jid, Uint8Array])[]> {
    const found: (readonly [Jid, Uint8Array])[] = [];
    const reading = joinedStreams(this.master, PEEL_WORD_STREAMS).replay(
      { filter: JOB_SUBJECTS },
      (message) => {
        const parsed = parseJobSubject(message.subject);
        if (parsed?.kind === kind) found.push([parsed.jid, message.data]);
      },
    );
    await Promise.all([reading, this.advance(0)]);
    return found;
  }

  // --- a life that can end -------------------------------------------------------------------------------------------

  private systemCall(call: SystemCall): { readonly fail: string } | 'hang' | undefined {
    if (this.crashHook({ name: `${call.name} ${call.path}`, effect: false })) return 'hang';
    return this.options.fault?.(call);
  }

  private runtime(who: string, alive: () => boolean = () => true): Runtime {
    const { clock, random } = this;
    const write = (line: string) => {
      const parsed = JSON.parse(line) as Record<string, unknown>;
      if (process.env.ZESTER_TEST_LOG === 'debug') process.stderr.write(`${who} ${line}`);
      if (who === 'peel' && alive()) this.logs.push(parsed);
    };
    return {
      clock: {
        nowMs: () => clock.nowMs(),
        monotonicMs: () => clock.monotonicMs(),
        after: (delayMs, run) => clock.after(delayMs, () => alive() && run()),
      },
      random,
      log: jsonLog({ clock, write, level: 'debug' }),
    };
  }

  /** The same bus; each call may be the last one, before or after its effect. */
  private mortalBus(bus: AgentBus, alive: () => boolean): AgentBus {
    const guarded = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
      if (!alive() || this.crashHook({ name, effect: false })) return neverSettles();
      const answer = await call();
      return !alive() || this.crashHook({ name, effect: true }) ? neverSettles() : answer;
    };
    return {
      ...bus,
      append: (subject, data, options) =>
        guarded(`append ${subject}`, () => bus.append(subject, data, options)),
      subscribe: (subject, deliver) =>
        guarded(`subscribe ${subject}`, () =>
          bus.subscribe(subject, (message) => alive() && deliver(message)),
        ),
      bucket: (name) => {
        const bucket = bus.bucket(name);
        return { ...bucket, put: (key, value) => guarded(`put ${name}`, () => bucket.put(key, value)) };
      },
    };
  }
}

/** Wall time as Date.now gives it: jitter makes fractions, and the memory server writes times into subjects. */
function wholeMilliseconds(clock: VirtualClock): VirtualClock {
  return { ...clock, nowMs: () => Math.floor(clock.nowMs()) };
}
