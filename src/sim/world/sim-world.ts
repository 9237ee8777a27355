/**
 * The world is a whole fleet in one process: real masters and real peels on one memory server, in virtual time, with
 * chance from one seed. The same seed gives the same run, event by event.
 */
import { MemoryServer, type ServerObserver } from '../../bus/memory/memory-server.ts';
import type { LogLevel } from '../../runtime/log.ts';
import type { Random } from '../../runtime/random.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { type VirtualClock, virtualClock } from '../../runtime/virtual-clock.ts';
import { newTopology, type Topology } from '../../trust/accounts/topology.ts';
import type { SigningKey } from '../../trust/nkeys.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { AccountBook, accountReader } from '../enroll/account-book.ts';
import { SimBox } from '../enroll/sim-box.ts';
import { SimDoor } from '../enroll/sim-door.ts';
import { SimEnroll } from '../enroll/sim-enroll.ts';
import { SimRegistrar } from '../enroll/sim-registrar.ts';
import { BOXES } from '../faults/faults.ts';
import { SimAttacker } from '../faults/sim-attacker.ts';
import { TroubleBook } from '../faults/trouble-book.ts';
import { SimFiles } from '../files/sim-files.ts';
import { SimOperator } from '../files/sim-operator.ts';
import { RotationBook } from '../keys/rotation-book.ts';
import { SimRotations } from '../keys/sim-rotations.ts';
import { SimObserver } from '../sim-observer.ts';
import { SimClient } from './sim-client.ts';
import type { Weather } from './sim-link.ts';
import { SimMaster } from './sim-master.ts';
import type { SimNode } from './sim-node.ts';
import { SimPeel } from './sim-peel.ts';
import { Trace } from './trace.ts';

/** What a fault adds to a line while it lasts: the largest of each counts. */
export interface BadWeather {
  readonly lost?: number;
  readonly doubled?: number;
  readonly delayMs?: number;
}

export type WeatherSource = (direction: 'out' | 'in', subject: string) => BadWeather;

export interface WorldSize {
  readonly seed: number;
  readonly masters: number;
  readonly peels: number;
  readonly logLevel: LogLevel;
}

const LATENCY_MS = 0.2;
const LATENCY_SPREAD_MS = 1.5;

export class SimWorld {
  readonly clock: VirtualClock = virtualClock();
  readonly trace = new Trace(() => this.clock.monotonicMs());
  readonly troubles = new TroubleBook(() => this.clock.monotonicMs());
  readonly observer: SimObserver;
  readonly logLevel: LogLevel;
  readonly topology: Topology;
  readonly rotations: RotationBook;
  readonly accounts: AccountBook;
  readonly enroll: SimEnroll;
  readonly door = new SimDoor(this);
  readonly boxes: readonly SimBox[];
  readonly registrar: SimRegistrar;
  readonly rotating: SimRotations;
  readonly server: MemoryServer;
  readonly masters: readonly SimMaster[];
  readonly peels: readonly SimPeel[];
  readonly attacker: SimAttacker;
  readonly client: SimClient;
  readonly operator: SimOperator;
  readonly files = new SimFiles({
    nowMs: () => this.clock.monotonicMs(),
    broke: (rule, text) => this.observer.break(rule, text),
  });
  private readonly nodes: ReadonlyMap<string, SimNode>;
  private readonly seed: number;
  private readonly air = new Map<string, Random>();
  private readonly sources = new Map<string, Set<WeatherSource>>();

  constructor({ seed, masters, peels, logLevel }: WorldSize) {
    this.logLevel = logLevel;
    this.seed = seed;
    this.topology = newTopology(this.chanceOf('topology'), this.clock.nowMs());
    const broke = (rule: string, text: string) => this.observer.break(rule, text);
    const nowMs = () => this.clock.monotonicMs();
    this.enroll = new SimEnroll({ nowMs, broke });
    this.observer = new SimObserver(nowMs, this.enroll);
    this.rotations = new RotationBook({ account: this.account, nowMs, broke });
    this.accounts = new AccountBook({ topology: this.topology, broke });
    const observer = {
      published: (...args: Parameters<ServerObserver['published']>) => {
        this.trace.count(args[0].name, args[1].subject, args[1].data);
        this.observer.published(...args);
        this.files.published(...args);
      },
      stored: (...args: Parameters<ServerObserver['stored']>) => {
        // First: what a revoked peel says does not count.
        this.enroll.stored(...args);
        this.observer.stored(...args);
        this.files.stored(...args);
        this.rotations.stored(args[1]);
        this.accounts.stored(args[1]);
      },
    };
    this.server = new MemoryServer({
      clock: this.clock,
      random: this.chanceOf('server'),
      observer,
      readAccount: accountReader(this.topology.operatorSigning),
    });
    const { control, agents, system } = this.topology.public;
    for (const { jwt } of [control, agents, system]) this.server.preload(jwt);
    this.masters = numbered(masters, (n) => new SimMaster(this, `master-${n}`));
    this.peels = numbered(peels, (n) => new SimPeel(this, `peel-${n}` as PeelId));
    this.boxes = numbered(BOXES, (n) => new SimBox(this, `box-${n}`));
    this.attacker = new SimAttacker(this, this.chanceOf('attacker'));
    this.client = new SimClient(this, this.chanceOf('client'));
    this.operator = new SimOperator({
      clock: this.clock,
      random: this.chanceOf('operator'),
      disks: this.masters.map(({ sources }) => sources),
      sources: this.files.sources,
      newest: (name) => this.files.books[name].newest?.model,
      publisher: () => this.files.publisher,
      askToPublish: (force) => {
        if (force) this.files.secrets.force('publish');
        this.client.askToPublish(force);
      },
      askToSeal: () => {
        this.files.secrets.force('seal');
        this.client.askToSeal();
      },
      lookAtFiles: () => this.client.lookAtFiles(),
      note: (what) => this.note('operator', what),
    });
    const { questions } = this.client;
    this.rotating = new SimRotations({
      clock: this.clock,
      random: this.chanceOf('rotations'),
      book: this.rotations,
      client: () => questions.client,
      useKey: (key) => questions.useKey(key),
      watched: (question) => questions.watched(question),
      note: (what) => this.note('operator', what),
    });
    this.registrar = new SimRegistrar(this, this.chanceOf('registrar'));
    this.nodes = new Map([...this.masters, ...this.peels, ...this.boxes].map((node) => [node.name, node]));
  }

  /** What masters derive their first keys from. */
  get account(): SigningKey {
    return this.topology.control;
  }

  /**
   * A source of chance of its own for everything that has a name: so what is drawn in one place does not change what is
   * drawn in another, and leaving a fault out changes only what the fault had to do with.
   */
  chanceOf(name: string): Random {
    let mixed = this.seed;
    for (const character of name) mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193);
    return seededRandom(mixed);
  }

  node(name: string): SimNode | undefined {
    return this.nodes.get(name);
  }

  /** Something that happened, for people who read the timeline. */
  note(who: string, what: string): void {
    this.trace.note(who, what);
  }

  logged(who: string, line: string): void {
    this.trace.logged(who, line);
    this.files.secrets.logged(who, line);
  }

  /** Until the returned function is called. */
  addWeather(node: string, source: WeatherSource): () => void {
    const sources = this.sources.get(node) ?? new Set();
    this.sources.set(node, sources);
    sources.add(source);
    return () => sources.delete(source);
  }

  weather(node: string, direction: 'out' | 'in', subject: string): Weather {
    const air = this.airOf(node);
    const sources = this.sources.get(node);
    if (sources === undefined || sources.size === 0)
      return { delayMs: LATENCY_MS + air.fraction() * LATENCY_SPREAD_MS, isLost: false, isDoubled: false };
    const bad = [...sources].map((source) => source(direction, subject));
    const most = (name: keyof BadWeather) => Math.max(0, ...bad.map((each) => each[name] ?? 0));
    const delayMs = LATENCY_MS + air.fraction() * (LATENCY_SPREAD_MS + most('delayMs'));
    return {
      delayMs,
      isLost: air.fraction() < most('lost'),
      isDoubled: air.fraction() < most('doubled'),
    };
  }

  private airOf(node: string): Random {
    const known = this.air.get(node);
    if (known !== undefined) return known;
    const fresh = this.chanceOf(`air of ${node}`);
    this.air.set(node, fresh);
    return fresh;
  }

  clearWeather(): void {
    this.sources.clear();
  }
}

function numbered<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i + 1));
}
