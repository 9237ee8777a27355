/**
 * `MirrorWorld` is a publisher, a memory server and a peel's machine with one mirror on it, in virtual time. Calls of the
 * mirror's bus can fail, hang or be answered by a copy of the bucket that lags; its machine can crash at any call.
 */
import { ensureAssets } from '../../../src/bus/assets.ts';
import { openAgentBus, openBus } from '../../../src/bus/bus.ts';
import type { PublishOutcome } from '../../../src/bus/file-set/file-set.ts';
import { MemoryServer } from '../../../src/bus/memory/memory-server.ts';
import type { AgentBus, Bus, KvRead } from '../../../src/bus/port.ts';
import { type MirrorSet, mirrorSet } from '../../../src/mirror/mirror-set.ts';
import { jsonLog } from '../../../src/runtime/log.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import { seededRandom } from '../../../src/runtime/seeded-random.ts';
import { virtualClock } from '../../../src/runtime/virtual-clock.ts';
import type { Fault, SystemCall } from '../../../src/system/memory/memory-gate.ts';
import { memoryMachine } from '../../../src/system/memory/memory-machine.ts';
import { ALL_BUCKETS } from '../../../src/wire/names/buckets.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS } from '../../../src/wire/names/streams.ts';
import { FILE_SETS, type FileSetSpec } from '../../../src/wire/records/file-set.ts';
import { neverSettles } from '../peel/peel-functions.ts';
import { CACHE, type PublishedTexts } from './mirror-disk.ts';
import { publishTree } from './publish-tree.ts';

/** What becomes of a read of the bus: undefined lets it through. */
export type BusFault = 'fail' | 'hang' | { readonly answer: KvRead } | undefined;

export class MirrorWorld {
  readonly clock = virtualClock();
  readonly server: MemoryServer;
  readonly machine;
  readonly master: Bus;
  readonly logs: Record<string, unknown>[] = [];
  /** Keys and objects that the mirror read. */
  reads: string[] = [];
  busFault: (key: string, index: number) => BusFault = () => undefined;
  systemFault: (call: SystemCall) => Fault = () => undefined;
  changes = 0;
  mirror: MirrorSet;
  private readonly spec: FileSetSpec;
  private readonly random = seededRandom(7);
  private connection: { close(): Promise<void> } | undefined;
  private life = 0;

  private constructor(spec: FileSetSpec) {
    this.spec = spec;
    const { clock, random } = this;
    this.server = new MemoryServer({ clock, random });
    const fault = (call: SystemCall) => this.systemFault(call);
    this.machine = memoryMachine({ clock, random, fault, files: { '/data/keep': '' } });
    this.master = openBus(
      this.server.connect({ role: 'master', name: 'm1' }),
      this.runtime(() => true),
    );
    this.mirror = undefined as never;
  }

  static async open(spec: FileSetSpec = FILE_SETS.states): Promise<MirrorWorld> {
    const world = new MirrorWorld(spec);
    await world.clock.advance(0);
    const specs = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };
    await world.whileTimePasses(ensureAssets(world.master, specs, 1));
    return world;
  }

  /** A life of the mirror on whatever the machine has. */
  async start(): Promise<void> {
    const born = ++this.life;
    const alive = () => this.life === born;
    const runtime = this.runtime(alive);
    const connection = this.server.connect({ role: 'peel', name: 'web-01' });
    this.connection = connection;
    this.mirror = mirrorSet({
      bus: this.faulty(openAgentBus(connection, runtime), alive),
      files: this.machine.boot().files,
      runtime,
      spec: this.spec,
      cache: CACHE,
      id: 'web-01',
      changed: () => {
        this.changes += 1;
      },
    });
    await Promise.race([this.mirror.start(), this.clock.advance(1)]);
  }

  crash(how: 'crash' | 'powerLoss'): void {
    this.life += 1;
    this.machine[how]();
    void this.connection?.close();
  }

  publish(texts: PublishedTexts, options: { readonly force?: boolean } = {}): Promise<PublishOutcome> {
    return this.whileTimePasses(publishTree(this.master, this.spec, texts, options));
  }

  bucket() {
    return this.master.bucket(this.spec.bucket.name);
  }

  /** What a reader finds who pins the tree now. */
  async read(): Promise<{ readonly revision: number; readonly texts: PublishedTexts } | undefined> {
    const pinned = await this.mirror.pin();
    if (pinned === undefined) return undefined;
    const { directory, revision } = pinned;
    const texts = Object.fromEntries(
      this.machine
        .look(directory)
        .filter(({ path, kind }) => kind === 'file' && !path.startsWith('.zester-'))
        .map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]),
    );
    pinned.release();
    return { revision, texts };
  }

  async whileTimePasses<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    while (!isDone) await this.clock.advance(1);
    return work;
  }

  private runtime(alive: () => boolean): Runtime {
    const { clock, random } = this;
    const write = (line: string) => void (alive() && this.logs.push(JSON.parse(line)));
    const after: Runtime['clock']['after'] = (delayMs, run) => clock.after(delayMs, () => alive() && run());
    return {
      clock: { nowMs: clock.nowMs, monotonicMs: clock.monotonicMs, after },
      random,
      log: jsonLog({ clock, write, level: 'debug' }),
    };
  }

  private faulty(bus: AgentBus, alive: () => boolean): AgentBus {
    const guarded = async <T>(key: string, call: () => Promise<T>): Promise<T> => {
      if (!alive()) return neverSettles();
      this.reads.push(key);
      const fault = this.busFault(key, this.reads.length - 1);
      if (fault === 'hang') return neverSettles();
      if (fault === 'fail') throw new Error(`no answer for ${key}`);
      const answer = fault === undefined ? await call() : (fault.answer as T);
      return alive() ? answer : neverSettles();
    };
    return {
      ...bus,
      bucket: (name) => {
        const bucket = bus.bucket(name);
        return { ...bucket, get: (key) => guarded(key, () => bucket.get(key)) };
      },
      objects: (store) => {
        const objects = bus.objects(store);
        return { get: (name, options) => guarded(`blob ${name}`, () => objects.get(name, options)) };
      },
    };
  }
}
