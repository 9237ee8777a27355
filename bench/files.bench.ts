/**
 * This benchmark measures what it takes to bring files to a fleet: a real nats-server with TLS, the built master with a source
 * tree of 1,000 files, and 100 peels with a mirror each on the same disk (peel-host.ts). Against rsync from that tree to as many
 * directories, in the same run, in turn.
 *
 *   npm run bench -- files [--peels 100] [--files 1000] [--rounds 7]
 *
 * Without rsync it measures the rest, and says how to install it. The method is told in docs/performance.md.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LocalDeployment, startLocalDeployment } from '../src/local-fleet/local-deployment.ts';
import { sleep } from '../src/runtime/clock.ts';
import { concurrentMap } from '../src/runtime/concurrent-map.ts';
import { jsonLog } from '../src/runtime/log.ts';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import { FILESERVER_UPDATE_SUBJECT } from '../src/wire/names/subjects.ts';
import { filesReplyCodec, filesUpdateRequestCodec } from '../src/wire/records/fileserver.ts';
import { countingProxy } from './counting-proxy.ts';
import { startPeelHosts } from './peel-hosts.ts';
import { HOW_TO_INSTALL, hasRsync, rsync } from './rsync.ts';
import { timeResolve } from './settings-resolve.ts';

const { values: options } = parseArgs({
  options: {
    peels: { type: 'string', default: '100' },
    files: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '7' },
  },
});
const PEELS = Number(options.peels);
const FILES = Number(options.files);
const ROUNDS = Number(options.rounds);
const RESOLVE_ROUNDS = 100;
const FILES_PER_FOLDER = 50;
/** rsync goes to as many directories at once: more do not make two cores faster. */
const RSYNCS_AT_ONCE = 4;
const POLL_MS = 2;
const ARRIVAL_MS_MAX = 120_000;
/** What is still under way between peel and server, such as a heartbeat, is not the change. */
const SETTLE_MS = 2_000;
const AIMS = { resolveMs: 10, arrivalMs: 1_500 };

const runtime = {
  clock: systemClock,
  random: systemRandom,
  log: jsonLog({ clock: systemClock, write: (line) => process.stderr.write(line), level: 'error' }),
};
const compares = hasRsync();
let stamps = 0;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const startMs = systemClock.monotonicMs();
  await work();
  return systemClock.monotonicMs() - startMs;
}

function row(
  what: string,
  values: readonly number[],
  unit: string,
  than: readonly number[],
  aim?: number,
): boolean {
  const [ours, theirs] = [median(values), median(than)];
  const compared =
    theirs === 0 ? '' : ` | rsync ${theirs.toFixed(0)} ${unit}, ${(ours / theirs).toFixed(2)}×`;
  const met = aim === undefined || ours <= aim;
  const judged = aim === undefined ? '' : ` | aim ${aim} ${unit} ${met ? 'met' : 'MISSED'}`;
  const shown = ours < 100 ? ours.toFixed(1) : ours.toFixed(0);
  console.log(`${what.padEnd(44)} ${shown.padStart(8)} ${unit}${compared}${judged}`);
  return met;
}

/** As state trees are: folders of small texts. */
function writeTree(dir: string): void {
  for (let i = 0; i < FILES; i++) {
    const folder = join(dir, `app${Math.floor(i / FILES_PER_FOLDER)}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `part${i}.zy`), fileText(i, 'first'));
  }
}

const CHANGED = join('app0', 'part7.zy');

function fileText(index: number, stamp: string): string {
  const lines = Array.from(
    { length: 16 },
    (_, line) => `# line ${line} of file ${index}, of no meaning at all`,
  );
  return `# ${stamp}\n${lines.join('\n')}\npart${index}:\n  test.nop: []\n`;
}

/** Saves the file, as an editor does. */
function save(dir: string): string {
  const stamp = `stamp ${++stamps}`;
  writeFileSync(join(dir, CHANGED), fileText(7, stamp));
  return stamp;
}

function hasStamp(tree: string, stamp: string): boolean {
  try {
    return readFileSync(join(tree, CHANGED), 'utf8').startsWith(`# ${stamp}\n`);
  } catch {
    return false;
  }
}

/** When each of the trees has it, in ms from now. */
async function arrivals(trees: readonly string[], stamp: string): Promise<number[]> {
  const startMs = systemClock.monotonicMs();
  const times: number[] = [];
  let waiting = [...trees];
  while (waiting.length > 0) {
    const still = waiting.filter((tree) => !hasStamp(tree, stamp));
    const nowMs = systemClock.monotonicMs() - startMs;
    times.push(...Array.from({ length: waiting.length - still.length }, () => nowMs));
    waiting = still;
    if (nowMs > ARRIVAL_MS_MAX) throw new Error(`${waiting.length} trees do not get the file`);
    await sleep(systemClock, POLL_MS);
  }
  return times;
}

function startMaster({ authDir, url }: LocalDeployment, dir: string): ChildProcess {
  const dirs = ['states', 'settings', 'reactor'].flatMap((set) => {
    mkdirSync(join(dir, set), { recursive: true });
    return [`--${set}`, join(dir, set)];
  });
  const words = ['--auth-dir', authDir, '--nats-url', url, '--log-level', 'error', '--health-addr', 'off'];
  return spawn(
    process.execPath,
    ['dist/zester-master.cjs', ...words, ...dirs, '--data-dir', join(dir, 'master')],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
}

/** As `zester files publish` asks. Again while no master answers yet. */
async function askToPublish({ bus }: LocalDeployment, force: boolean): Promise<void> {
  const request = filesUpdateRequestCodec.encode(filesUpdateRequestCodec.create({ force }));
  for (;;) {
    try {
      const { data } = await bus.request(FILESERVER_UPDATE_SUBJECT, request, { timeoutMs: 60_000 });
      const { error } = filesReplyCodec.decode(data);
      if (error !== '') throw new Error(`the publisher says: ${error}`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'BUS_NO_RESPONDERS') throw error;
      await sleep(systemClock, 100);
    }
  }
}

async function benchPublish(deployment: LocalDeployment, dir: string): Promise<void> {
  const source = join(dir, 'states');
  await askToPublish(deployment, false);
  writeTree(source);
  const first = [await took(() => askToPublish(deployment, false))];
  const copy = join(dir, 'rsync');
  const firstCopy = compares ? [await took(() => rsync(source, copy))] : [];
  row(`publish of ${FILES} files, the first time`, first, 'ms', firstCopy);
  const [again, againCopy, changed, changedCopy]: number[][] = [[], [], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    again?.push(await took(() => askToPublish(deployment, false)));
    if (compares) againCopy?.push(await took(() => rsync(source, copy)));
    save(source);
    changed?.push(await took(() => askToPublish(deployment, false)));
    if (compares) changedCopy?.push(await took(() => rsync(source, copy)));
  }
  row('the same, unchanged', again ?? [], 'ms', againCopy ?? []);
  row('the same, one file changed', changed ?? [], 'ms', changedCopy ?? []);
}

async function benchArrival(dir: string): Promise<boolean> {
  const source = join(dir, 'states');
  const mirrors = Array.from({ length: PEELS }, (_, i) => join(dir, 'peels', `peel-${i}`, 'cache/states'));
  const copies = Array.from({ length: PEELS }, (_, i) => join(dir, 'copies', String(i)));
  const copyAll = () =>
    concurrentMap(copies, RSYNCS_AT_ONCE, async (copy) => {
      mkdirSync(copy, { recursive: true });
      await rsync(source, copy);
    });
  console.log(`waiting for ${PEELS} mirrors of ${FILES} files`);
  const filled = await took(() => arrivals(mirrors, `stamp ${stamps}`));
  const copied = compares ? await took(copyAll) : 0;
  row(`${PEELS} mirrors filled, peels and hosts started`, [filled], 'ms', compares ? [copied] : []);
  const columns = {
    first: [] as number[],
    half: [] as number[],
    all: [] as number[],
    copied: [] as number[],
  };
  for (let round = 0; round < ROUNDS; round++) {
    const times = await arrivals(mirrors, save(source));
    columns.first.push(times[0] ?? 0);
    columns.half.push(median(times));
    columns.all.push(times.at(-1) ?? 0);
    if (compares) columns.copied.push(await took(copyAll));
    await sleep(systemClock, SETTLE_MS);
  }
  row('from saving a file to the first peel having it', columns.first, 'ms', []);
  row('to half of them', columns.half, 'ms', []);
  return row(`to all ${PEELS}`, columns.all, 'ms', columns.copied, AIMS.arrivalMs);
}

async function benchBytes(deployment: LocalDeployment, dir: string): Promise<void> {
  const source = join(dir, 'states');
  const proxy = await countingProxy(deployment.url);
  const { authDir } = deployment;
  const place = { url: proxy.url, authDir, dir: join(dir, 'peels') };
  const [host] = await startPeelHosts({ mode: 'mirror', first: PEELS, count: 1, ...place });
  const mirror = join(dir, 'peels', `peel-${PEELS}`, 'cache/states');
  const copy = join(dir, 'rsync');
  try {
    await arrivals([mirror], `stamp ${stamps}`);
    const [ours, theirs]: number[][] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      if (compares) await rsync(source, copy);
      await sleep(systemClock, SETTLE_MS);
      const before = proxy.count.up + proxy.count.down;
      await arrivals([mirror], save(source));
      await sleep(systemClock, SETTLE_MS / 4);
      ours?.push((proxy.count.up + proxy.count.down - before) / 1_024);
      if (compares) theirs?.push((await rsync(source, copy)) / 1_024);
    }
    row(`bytes to a peel for one of ${FILES} files, with TLS`, ours ?? [], 'KB', theirs ?? []);
  } finally {
    if (host?.connected) host.removeAllListeners('exit').disconnect();
    proxy.close();
  }
}

async function benchFleet(): Promise<boolean> {
  const dir = mkdtempSync(join(tmpdir(), 'zester-bench-'));
  const hosts: ChildProcess[] = [];
  const deployment = await startLocalDeployment(join(dir, 'fleet'), {
    runtime,
    env: process.env,
    operator: 'bench',
    onEvent: console.error,
  });
  const master = startMaster(deployment, dir);
  try {
    console.log(`nats-server ${deployment.serverVersion}, Node ${process.version}, median of ${ROUNDS}`);
    await benchPublish(deployment, dir);
    const place = { url: deployment.url, authDir: deployment.authDir, dir: join(dir, 'peels') };
    hosts.push(...(await startPeelHosts({ mode: 'mirror', first: 0, count: PEELS, ...place })));
    const met = await benchArrival(dir);
    for (const host of hosts.splice(0)) host.removeAllListeners('exit').disconnect();
    await benchBytes(deployment, dir);
    return met;
  } finally {
    for (const host of hosts) if (host.connected) host.removeAllListeners('exit').disconnect();
    master.kill('SIGTERM');
    await deployment.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

if (!compares) console.log(HOW_TO_INSTALL);
const isResolveFast = row(
  'settings of 1,000 keys resolved',
  await timeResolve(RESOLVE_ROUNDS),
  'ms',
  [],
  AIMS.resolveMs,
);
process.exitCode = (await benchFleet()) && isResolveFast ? 0 : 1;
