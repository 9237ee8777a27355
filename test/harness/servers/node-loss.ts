/**
 * `NodeLoss` is people at work while NATS loses one node after another: the built `zester` in two loops, one that runs
 * jobs and one that looks, on a cluster of three whose nodes are killed with -9 and started again. Everything a person
 * would call a failure is collected: an exit code other than 0, a word of trouble on stderr, a listing that leaves
 * somebody out.
 */
import { inspectAssets } from '../../../src/bus/inspect-assets.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { ALL_BUCKETS, BUCKETS } from '../../../src/wire/names/buckets.ts';
import { kvStreamName } from '../../../src/wire/names/store-subjects.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS, STREAMS } from '../../../src/wire/names/streams.ts';
import { ProcessFleet } from '../programs/process-fleet.ts';
import type { Ended } from '../programs/program.ts';
import { until } from '../until.ts';
import { bringBack } from './bring-back.ts';
import { metaLeader } from './nats-cluster.ts';
import type { TestServer } from './nats-server.ts';

const ASSETS = { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES };
const MASTERS = 2;
const PEELS = ['db-01', 'web-01', 'web-02'] as const;
/** Commands of each loop that begin after a kill and are waited for, before the node is started again. */
const COMMANDS_PER_KILL = 6;
const COMMANDS_MS_MAX = 120_000;
/** How every word of trouble begins, an error as well as a warning; but not what a command says while it waits. */
const TROUBLE = /^zester: (?!waiting for |the job is not sent yet: )/m;
/** What a master logs when it could not look at something. */
const BLIND = /not this time/;

/** Which node is killed: what it leads is what has to be elected again. */
export const VICTIMS = [
  'follower',
  'leader of the jobs',
  'meta leader',
  'leader of the returns',
  'leader of the job events',
  'leader of the masters’ heartbeats',
] as const;
export type Victim = (typeof VICTIMS)[number];

const LED: Partial<Record<Victim, string>> = {
  'leader of the jobs': kvStreamName(BUCKETS.jobs.name),
  'leader of the returns': kvStreamName(BUCKETS.jobReturns.name),
  'leader of the job events': STREAMS.jobEvents.name,
  'leader of the masters’ heartbeats': kvStreamName(BUCKETS.masterHeartbeat.name),
};

export class NodeLoss {
  readonly fleet = new ProcessFleet();
  /** Everything that went wrong, in words. */
  readonly complaints: string[] = [];
  private readonly loops: CommandLoop[] = [];
  private readonly kills: string[] = [];
  private jid = '';

  async open(): Promise<void> {
    await this.fleet.open('cluster');
    for (let i = 0; i < MASTERS; i++) await this.fleet.master();
    for (const id of PEELS) await this.fleet.peel(id);
    await this.runJob();
    this.loops.push(
      new CommandLoop([() => this.runJob()]),
      new CommandLoop([
        () => this.look(['job', 'list'], () => [this.jid]),
        () => this.look(['job', 'show', this.jid], () => [...PEELS]),
        () => this.look(['peel', 'list'], () => [...PEELS]),
        () => this.look(['master', 'list'], () => this.fleet.masters.map(({ masterId }) => masterId)),
        () => this.look(['job', 'active'], () => []),
      ]),
    );
  }

  /** Kills the node, waits until people have got something done without it, and brings it back. */
  async lose(victim: Victim): Promise<void> {
    const node = await until(() => this.nodeOf(victim), `the ${victim}`, 30_000);
    this.kills.push(`${new Date(systemClock.nowMs()).toISOString()} ${node.name}: ${victim}`);
    await node.kill9();
    const begun = this.loops.map((loop) => loop.begun);
    await until(
      () => this.loops.every((loop, i) => loop.done >= (begun[i] ?? 0) + COMMANDS_PER_KILL),
      'commands without the node',
      COMMANDS_MS_MAX,
    );
    await bringBack(node, () => this.allCurrent());
  }

  /** Ends the loops and looks at what the masters had to say. */
  async finish(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.end()));
    for (const master of this.fleet.masters) {
      for (const surprise of master.surprises) this.complain(surprise);
      for (const line of master.allLines())
        if (BLIND.test(line.msg)) this.complain(`${master.name}: ${JSON.stringify(line)}`);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.end()));
    await this.fleet.close();
  }

  summary(): string {
    const commands = this.loops.reduce((sum, loop) => sum + loop.done, 0);
    const slowest = Math.max(...this.loops.map((loop) => loop.slowestMs));
    return `${this.kills.length} kills, ${commands} commands, the slowest took ${Math.round(slowest)} ms, ${this.complaints.length} complaints`;
  }

  /** Told at once, with what was killed last: a long run should not keep it for its end. */
  private complain(what: string): void {
    this.complaints.push(what);
    console.error(`${what}\nlast kill: ${this.kills.at(-1)}`);
  }

  private async runJob(): Promise<void> {
    const ended = await this.command(['*', 'test.ping']);
    const [, jid] = /^Job (\S+) dispatched$/m.exec(ended.err) ?? [];
    this.jid = jid ?? this.jid;
    this.expectNames(['*', 'test.ping'], ended, PEELS);
  }

  private async look(words: readonly string[], names: () => readonly string[]): Promise<void> {
    const expected = names();
    this.expectNames(words, await this.command(words), expected);
  }

  private expectNames(words: readonly string[], { out }: Ended, names: readonly string[]): void {
    const missing = names.filter((name) => !out.includes(name));
    if (missing.length > 0)
      this.complain(`zester ${words.join(' ')}: nothing about ${missing.join(', ')} in\n${out}`);
  }

  private async command(words: readonly string[]): Promise<Ended> {
    const begun = systemClock.nowMs();
    const ended = await this.fleet.cli(...words);
    if (ended.code !== 0 || TROUBLE.test(ended.err)) {
      const at = new Date(begun).toISOString();
      const tookMs = systemClock.nowMs() - begun;
      this.complain(
        `${at}, ${tookMs} ms: zester ${words.join(' ')} ended with ${ended.code}:\n${ended.err}${ended.out}`,
      );
    }
    return ended;
  }

  private async nodeOf(victim: Victim): Promise<TestServer | undefined> {
    const { nodes, admin } = this.fleet;
    const meta = await metaLeader(nodes);
    if (meta === undefined || victim === 'meta leader') return meta;
    const states = await inspectAssets(admin, ASSETS);
    const stream = LED[victim];
    if (stream !== undefined) {
      const leader = states.find(({ asset }) => asset === stream)?.found?.leader;
      return nodes.find(({ name }) => name === leader);
    }
    // Leads least, and not the meta group.
    const leads = (node: TestServer) => states.filter(({ found }) => found?.leader === node.name).length;
    return nodes.filter((node) => node !== meta).sort((a, b) => leads(a) - leads(b))[0];
  }

  private async allCurrent(): Promise<boolean> {
    const states = await inspectAssets(this.fleet.admin, ASSETS);
    return states.every(
      ({ found }) =>
        found?.followers.length === this.fleet.nodes.length - 1 &&
        found.followers.every(({ current, offline }) => current && !offline),
    );
  }
}

/** Commands one after the other, round and round, until it is ended. */
class CommandLoop {
  begun = 0;
  done = 0;
  slowestMs = 0;
  private isOver = false;
  private readonly commands: readonly (() => Promise<void>)[];
  private readonly running: Promise<void>;

  constructor(commands: readonly (() => Promise<void>)[]) {
    this.commands = commands;
    this.running = this.run();
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      const startedMs = systemClock.monotonicMs();
      const command = this.commands[this.begun++ % this.commands.length];
      await command?.();
      this.slowestMs = Math.max(this.slowestMs, systemClock.monotonicMs() - startedMs);
      this.done += 1;
    }
  }
}
