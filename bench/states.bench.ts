/**
 * This benchmark measures what a run of states costs: 100, 500 and 1,000 `file.managed` with small contents in a
 * directory of this machine, when all is to be done and when nothing is; against the bare calls of the file system on
 * as many files of their own, taken in turn with the engine in every round. And a chain of 100 requires, and 100
 * commands of 0.1 s that do not wait for each other.
 *
 * A run is everything from the request to the response: finding and compiling the file, graph, plans, undo journal,
 * writes. Wall time in the first column, processor time of the process in the second: on a machine that others use too,
 * only the second says something.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/runtime/system-clock.ts';
import { allAtOnce, type BareFile, inALoop, look, runShell, write } from './bare-machine.ts';
import { type Parts, StatesMachine } from './states-machine.ts';

const SIZES = [100, 500, 1_000];
const ROUNDS = 7;
/** Not counted: the first runs of a program are slower. */
const WARM_UP_ROUNDS = 2;
const CHAIN = 100;
const SLEEPS = 100;

const AIMS = { ratio: 3, noChangeExtraMs: 50, firstExtraMs: 100, sleepsMs: 500 };

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

async function cost(work: () => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage();
  const startMs = systemClock.monotonicMs();
  await work();
  const wallMs = systemClock.monotonicMs() - startMs;
  const { user, system } = process.cpuUsage(before);
  return { wallMs, cpuMs: (user + system) / 1_000 };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

class Column {
  private readonly costs: Cost[] = [];

  async time(work: () => Promise<unknown>): Promise<void> {
    this.costs.push(await cost(work));
  }

  get ms(): number {
    return median(this.costs.slice(-ROUNDS).map(({ wallMs }) => wallMs));
  }

  get text(): string {
    const cpuMs = median(this.costs.slice(-ROUNDS).map((each) => each.cpuMs));
    return `${this.ms.toFixed(0).padStart(6)} ms ${cpuMs.toFixed(0).padStart(6)} cpu`;
  }
}

/** For each round a directory of its own, gone when the round is over. */
async function inRounds(
  count: number,
  round: (machine: StatesMachine, dir: string) => Promise<void>,
): Promise<void> {
  for (let i = 0; i < count; i++) {
    const dir = mkdtempSync(join(tmpdir(), 'zester-bench-'));
    try {
      await round(new StatesMachine(dir), dir);
    } finally {
      rmSync(dir, { recursive: true });
    }
  }
}

function contentsOf(i: number): string {
  return `listen ${8_000 + i}\nname host-${i}\nworkers 4\nlog /var/log/host-${i}.log\n`;
}

function filesIn(dir: string, count: number): BareFile[] {
  mkdirSync(dir);
  return Array.from({ length: count }, (_, i) => ({ path: join(dir, `${i}.conf`), text: contentsOf(i) }));
}

function managed({ path, text }: BareFile): string {
  const lines = text.trimEnd().split('\n');
  return [
    `${path}:`,
    '  file.managed:',
    '    - mode: 0644',
    '    - contents: |',
    ...lines.map((line) => `        ${line}`),
    '',
  ].join('\n');
}

async function fileStates(count: number): Promise<boolean> {
  const run = { first: new Column(), again: new Column() };
  const bare = {
    first: new Column(),
    again: new Column(),
    firstAtOnce: new Column(),
    againAtOnce: new Column(),
  };
  const parts: { first: Parts[]; again: Parts[] } = { first: [], again: [] };
  await inRounds(WARM_UP_ROUNDS + ROUNDS, async (machine, dir) => {
    const files = filesIn(join(dir, 'managed'), count);
    const loop = filesIn(join(dir, 'loop'), count);
    const atOnce = filesIn(join(dir, 'at-once'), count);
    machine.publish('files', files.map(managed).join(''));
    await bare.first.time(() => inALoop(loop, write));
    await run.first.time(async () => parts.first.push(await machine.apply('files', count)));
    await bare.firstAtOnce.time(() => allAtOnce(atOnce, write));
    await bare.again.time(() => inALoop(files, look));
    await run.again.time(async () => parts.again.push(await machine.apply('files', 0)));
    await bare.againAtOnce.time(() => allAtOnce(files, look));
  });
  const firstMax = AIMS.ratio * bare.first.ms + AIMS.firstExtraMs;
  const againMax = AIMS.ratio * bare.again.ms + AIMS.noChangeExtraMs;
  console.log(`${count} files`);
  row('first run', run.first, bare.first, bare.firstAtOnce, firstMax);
  console.log(`    ${partsText(parts.first)}`);
  row('no change', run.again, bare.again, bare.againAtOnce, againMax);
  console.log(`    ${partsText(parts.again)}`);
  return run.first.ms <= firstMax && run.again.ms <= againMax;
}

function row(what: string, run: Column, loop: Column, atOnce: Column, maxMs: number): void {
  console.log(
    `  ${what}  ${run.text} | bare loop ${loop.text}, ${(run.ms / loop.ms).toFixed(2)}× | bare at once ${atOnce.text}, ${(run.ms / atOnce.ms).toFixed(2)}× | aim ${maxMs.toFixed(0)} ms ${run.ms <= maxMs ? 'met' : 'MISSED'}`,
  );
}

function partsText(all: readonly Parts[]): string {
  const of = (part: keyof Parts) =>
    `${part} ${median(all.slice(-ROUNDS).map((each) => each[part])).toFixed(0)}`;
  return `under way, in ms: ${[of('compile'), of('plan'), of('journal'), of('perform')].join(', ')}`;
}

async function chain(): Promise<void> {
  const run = { first: new Column(), again: new Column() };
  await inRounds(WARM_UP_ROUNDS + ROUNDS, async (machine, dir) => {
    const files = filesIn(join(dir, 'managed'), CHAIN);
    const requires = (i: number) =>
      i === 0 ? '' : `    - require:\n        - file: ${files[i - 1]?.path}\n`;
    machine.publish('chain', files.map((file, i) => managed(file) + requires(i)).join(''));
    await run.first.time(() => machine.apply('chain', CHAIN));
    await run.again.time(() => machine.apply('chain', 0));
  });
  console.log(`a chain of ${CHAIN} requires: first run ${run.first.text}, no change ${run.again.text}`);
}

async function sleeps(): Promise<boolean> {
  const run = new Column();
  const bare = new Column();
  const command = 'sleep 0.1';
  await inRounds(WARM_UP_ROUNDS + ROUNDS, async (machine) => {
    const states = Array.from(
      { length: SLEEPS },
      (_, i) => `sleep-${i}:\n  cmd.run:\n    - name: ${command}\n`,
    );
    machine.publish('sleeps', states.join(''));
    await bare.time(() => allAtOnce(states, () => runShell(command)));
    await run.time(() => machine.apply('sleeps', SLEEPS));
  });
  const met = run.ms <= AIMS.sleepsMs;
  console.log(
    `${SLEEPS} commands of 0.1 s  ${run.text} | bare at once ${bare.text}, ${(run.ms / bare.ms).toFixed(2)}× | aim ${AIMS.sleepsMs} ms ${met ? 'met' : 'MISSED'}`,
  );
  return met;
}

console.log(`Node ${process.version}, median of ${ROUNDS} rounds after ${WARM_UP_ROUNDS} that do not count`);
// The commands first: to start a program takes longer the more memory this process has come to use.
const met = [await sleeps()];
await chain();
for (const size of SIZES) met.push(await fileStates(size));
process.exitCode = met.every(Boolean) ? 0 : 1;
