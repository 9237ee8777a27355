/**
 * `HonestWorld` is a fleet under the eyes of a flood guard, with peels that do what takes most of a line: come back with a full spool, mirror
 * a large tree, answer ping after ping, lose their connection again and again. The code of the peel is the real one; its
 * disk is memory, which is faster than any.
 */
import { openAgentBus } from '../../../src/bus/bus.ts';
import { connectNats, type NatsLine } from '../../../src/bus/nats/nats-connection.ts';
import { mirrorSet } from '../../../src/mirror/mirror-set.ts';
import { FUNCTIONS } from '../../../src/modules/registry.ts';
import { jobFileCodec, newMessageId } from '../../../src/peel/intake/job-file.ts';
import type { Peel } from '../../../src/peel/peel-ports.ts';
import { startPeel } from '../../../src/peel/start-peel.ts';
import { sleep } from '../../../src/runtime/clock.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { memorySystem } from '../../../src/system/memory/memory-machine.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { curveKeyOf } from '../../../src/trust/nkeys.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import { FILE_SETS } from '../../../src/wire/records/file-set.ts';
import { returnCodec } from '../../../src/wire/records/job-return.ts';
import { publishTree } from '../mirror/publish-tree.ts';
import { testRuntime } from '../servers/trusted-nats.ts';
import { until } from '../until.ts';
import { FloodWorld } from './flood-world.ts';

const DATA_DIR = '/var/lib/zester';
const CACHE = '/var/cache/zester/states';
const LONG_MS = 300_000;

export interface HonestFigures {
  readonly what: string;
  readonly seconds: number;
  /** What it sent, and the most of it in five seconds. */
  readonly messages: number;
  readonly mebibytes: number;
  readonly mostIn5s: number;
  readonly mostMebibytesIn5s: number;
}

export class HonestWorld extends FloodWorld {
  private readonly ends: (() => Promise<void> | void)[] = [];

  override async close(): Promise<void> {
    for (const end of this.ends.reverse()) await end();
    await super.close();
  }

  /** A peel that comes back with so many returns that no stream has. */
  async spool(id: string, count: number, bytes: number, url = this.server.url): Promise<HonestFigures> {
    const system = memorySystem(testRuntime);
    await system.files.makeDirectory(DATA_DIR, { mode: 0o700, parents: true });
    await system.files.makeDirectory(`${DATA_DIR}/jobs`, { mode: 0o700 });
    for (let i = 0; i < count; i++) {
      const jid = newKsuid(systemClock, systemRandom) as Jid;
      const returned = returnCodec.create({
        jid,
        peelId: id as PeelId,
        success: true,
        error: 'x'.repeat(bytes),
      });
      const [ackId, returnId] = [newMessageId(systemRandom), newMessageId(systemRandom)];
      const accepted = nanosFromMs(systemClock.nowMs());
      const file = {
        jid,
        epoch: 1,
        accepted,
        ackId,
        returnId,
        returned: returnCodec.encode(returned) as never,
      };
      await system.files.writeAtomic(`${DATA_DIR}/jobs/${jid}`, jobFileCodec.encode(file), { mode: 0o600 });
    }
    const line = this.line(id, url);
    return this.measured(`a spool of ${count} returns of ${bytes} bytes`, line, async () => {
      const peel = this.peelOn(id, line, system);
      await peel.ready;
      await until(() => peel.state().spooled === 0, 'the spool to be empty', LONG_MS);
    });
  }

  /** A peel that has nothing yet mirrors a tree. */
  async mirror(
    id: string,
    texts: Readonly<Record<string, string>>,
    url = this.server.url,
  ): Promise<HonestFigures> {
    const publisher = this.bus('master', 'publisher');
    await publisher.connected();
    const published = await publishTree(publisher, FILE_SETS.states, texts);
    if (published.is !== 'published') throw new Error(`the tree is ${published.is}`);
    const line = this.line(id, url);
    const bus = openAgentBus(line, testRuntime);
    const { files } = memorySystem({ ...testRuntime, files: { '/var/cache/zester/keep': '' } });
    const options = { bus, files, runtime: testRuntime, spec: FILE_SETS.states, cache: CACHE, id };
    const mirror = mirrorSet(options);
    this.ends.push(() => mirror.stop());
    return this.measured(`a mirror of ${Object.keys(texts).length} files`, line, async () => {
      await bus.connected();
      await mirror.start();
      await until(() => mirror.state().revision >= published.revision, 'the mirror to be whole', LONG_MS);
    });
  }

  /** Ping after ping on one peel, so many under way at a time. */
  async pings(id: string, count: number, atOnce: number): Promise<HonestFigures> {
    const line = this.line(id, this.server.url);
    const peel = this.peelOn(id, line);
    await peel.ready;
    await until(() => this.masters.every((master) => master.state().peels >= 3), 'the masters to know it');
    return this.measured(`${count} pings`, line, async () => {
      let left = count;
      const lane = async () => {
        while (left-- > 0) {
          const job = this.job([id]);
          await this.dispatch(job);
          await this.ended(job);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
    });
  }

  /** A peel whose connection ends as soon as it is made. */
  async reconnects(id: string, count: number): Promise<HonestFigures> {
    const line = this.line(id, this.server.url);
    const peel = this.peelOn(id, line);
    await peel.ready;
    return this.measured(`${count} reconnects`, line, async () => {
      for (let i = 0; i < count; i++) {
        await until(() => line.status() === 'connected', 'the connection');
        line.reconnect();
        await until(() => line.status() !== 'connected', 'its end');
      }
      await until(() => line.status() === 'connected', 'the connection');
    });
  }

  /** So many peels, whose server is started again under them. */
  async fleet(count: number): Promise<void> {
    const peels = Array.from({ length: count }, (_, i) =>
      this.peelOn(`fleet-${i}`, this.line(`fleet-${i}`, this.server.url)),
    );
    await Promise.all(peels.map(({ ready }) => ready));
    const areThere = () => peels.every((peel) => peel.state().connection === 'connected');
    await until(areThere, 'the fleet', LONG_MS);
    await this.server.restart();
    await until(() => !areThere(), 'the end of the connections', LONG_MS);
    await until(areThere, 'the fleet to be back', LONG_MS);
    await until(
      () => this.masters.some((master) => master.state().peelsOnline >= count),
      'heartbeats',
      LONG_MS,
    );
  }

  /** The program, killed as soon as it is there, again and again. */
  async restarts(id: string, count: number): Promise<void> {
    const program = await this.program(id);
    for (let i = 0; i < count; i++) {
      await program.kill9();
      await program.restart();
    }
  }

  peelOn(id: string, line: NatsLine, system = memorySystem(testRuntime)): Peel {
    const { key } = this.credsOf(id);
    const peel = startPeel({
      bus: openAgentBus(line, testRuntime),
      system,
      runtime: testRuntime,
      identity: { peelId: id as PeelId, curveKey: curveKeyOf(key) },
      dataDir: DATA_DIR,
      version: '0',
      functions: FUNCTIONS,
    });
    this.ends.push(() => peel.stop());
    return peel;
  }

  line(id: string, url: string, runtime = testRuntime): NatsLine {
    const line = connectNats({
      servers: [url],
      name: id,
      inboxName: id,
      authenticator: natsAuthenticator(() => this.credsOf(id)),
      caFile: this.trust.caFile,
      runtime,
    });
    this.ends.push(() => line.close());
    return line;
  }

  private async measured(what: string, line: NatsLine, work: () => Promise<void>): Promise<HonestFigures> {
    const seen = [{ messagesOut: 0, bytesOut: 0 }];
    let isOver = false;
    const watching = (async () => {
      for (; !isOver; await sleep(systemClock, 250)) seen.push(line.traffic());
    })();
    const startMs = systemClock.monotonicMs();
    await work();
    isOver = true;
    await watching;
    seen.push(line.traffic());
    const { messagesOut, bytesOut } = line.traffic();
    const most = (of: (traffic: (typeof seen)[number]) => number) =>
      Math.max(...seen.map((traffic, i) => of(traffic) - of(seen[Math.max(0, i - 20)] ?? traffic)));
    const mebibytes = (bytes: number) => Math.round(bytes / 1_048_576);
    return {
      what,
      seconds: Math.round((systemClock.monotonicMs() - startMs) / 100) / 10,
      messages: messagesOut,
      mebibytes: mebibytes(bytesOut),
      mostIn5s: most((traffic) => traffic.messagesOut),
      mostMebibytesIn5s: mebibytes(most((traffic) => traffic.bytesOut)),
    };
  }

  /** The same at every connection. */
  credsOf(id: string) {
    const creds = this.creds.get(id) ?? this.trust.creds('peel', id);
    this.creds.set(id, creds);
    return creds;
  }
  private readonly creds = new Map<string, ReturnType<FloodWorld['trust']['creds']>>();
}
