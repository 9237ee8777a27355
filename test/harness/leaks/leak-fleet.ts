/**
 * A leak fleet is a fleet of real processes (process-fleet.ts) whose settings are full of planted secrets, and which writes
 * everything it does into one directory: stores, logs, data, what programs and command lines print. At the end the
 * directory is searched, and what lies in /tmp since.
 *
 * Allowed to have secrets: the source trees of the masters, and the files that states were told to write. Nothing else.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import type { FleetProgram } from '../programs/fleet-program.ts';
import { ProcessFleet } from '../programs/process-fleet.ts';
import { type Ended, ROOT, type RunOptions, start } from '../programs/program.ts';
import { until } from '../until.ts';
import { canaryList, plantedCanaries } from './canaries.ts';
import { type Leak, leakScanner } from './leak-scanner.ts';
import { leakSettings, type PlantedTexts, SETTINGS_WITH_SECRETS } from './leak-settings.ts';
import { leakStates, WRITTEN_FILES } from './leak-states.ts';
import { type FileLeak, leakText, scanTree } from './scan-tree.ts';

export const WEB = 'web-01';
export const DATABASE = 'db-01';
const MASTERS = 2;
const SETTLE_MS_MAX = 60_000;
/** What our programs make in /tmp; and what tests make there under such a name. */
const OURS_IN_TMP = /^\.?zester-/;
const OF_TESTS_IN_TMP = /^zester-(?:e2e|nats|test|bench|scan|embedded|cmd-state)-/;
/** On a signal the process throws, or lets a promise reject, with what is in a file that has secrets. */
const CRASH_PRELOAD = `
const { readFileSync } = require('node:fs');
const words = () => new Error(readFileSync(process.env.CRASH_WORDS, 'utf8'));
process.on('SIGUSR2', () => { throw new Error('crash', { cause: words() }); });
process.on('SIGHUP', () => { void Promise.reject(words()); });
`;

export class LeakFleet extends ProcessFleet {
  readonly planted = plantedCanaries();
  readonly statesDir = join(this.dir, 'states');
  readonly settingsDir = join(this.dir, 'settings');
  /** What states write. */
  readonly out = join(this.dir, 'out');
  readonly startedMs = systemClock.nowMs();
  private readonly secretScanner = leakScanner(canaryList(this.planted.secrets));
  private readonly controlScanner = leakScanner([
    { name: 'a plain setting', value: this.planted.controls.setting },
  ]);
  private readonly printedDir = join(this.dir, 'printed');
  private commands = 0;

  async begin(): Promise<void> {
    const { secrets, controls } = this.planted;
    mkdirSync(this.printedDir);
    this.writeTree(this.statesDir, leakStates());
    this.writeTree(this.settingsDir, leakSettings(secrets, controls, this.out));
    await this.open();
    for (let i = 0; i < MASTERS; i++) await this.startMaster(i);
    for (const id of [WEB, DATABASE]) await this.startPeel(id);
    await until(() => this.hasSettings(), 'the settings to be on the peel', SETTLE_MS_MAX);
  }

  get web(): FleetProgram {
    const found = this.peels.find(({ name }) => name === WEB);
    if (found === undefined) throw new Error('the fleet has not begun');
    return found;
  }

  writeTree(dir: string, files: PlantedTexts): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    }
  }

  /** Lays files over the settings, and takes them away again: what was there is as before. */
  async withSettings(files: PlantedTexts, work: () => Promise<void>): Promise<void> {
    const before = Object.fromEntries(
      readdirSync(this.settingsDir).map((name) => [name, readFileSync(join(this.settingsDir, name), 'utf8')]),
    );
    this.writeTree(this.settingsDir, files);
    try {
      await work();
    } finally {
      for (const path of Object.keys(files)) rmSync(join(this.settingsDir, path));
      this.writeTree(this.settingsDir, before);
    }
  }

  /** The command line, as the admin. What it prints is kept, to be searched. */
  async run(...words: string[]): Promise<Ended> {
    return this.kept(words, this.startCli(...words).ended);
  }

  /** A program of ours that is not of this fleet. */
  async runProgram(name: string, words: readonly string[], options: RunOptions = {}): Promise<Ended> {
    return this.kept([name, ...words], start(join(ROOT, 'bin', name), words, options).ended);
  }

  /** With something to read; the words that people see go on stdin, never on the command line. */
  async runWithInput(input: string, ...words: string[]): Promise<Ended> {
    const place = ['--nats-url', this.address, '--auth-dir', this.authDir];
    const script = 'printf %s "$LEAK_INPUT" | "$0" "$@"';
    const argv = ['-c', script, join(ROOT, 'bin/zester'), ...words, ...place];
    return this.kept(words, start('/bin/sh', argv, { env: { LEAK_INPUT: input, NO_COLOR: '1' } }).ended);
  }

  /** Keeps something that was seen, such as a page, to be searched. */
  keep(name: string, text: string): void {
    this.commands += 1;
    writeFileSync(join(this.printedDir, `${String(this.commands).padStart(3, '0')}-${name}`), text);
  }

  written(file: (typeof WRITTEN_FILES)[number], peel: string = WEB): string {
    return readFileSync(join(this.out, peel, file), 'utf8');
  }

  /** The result of a function on the peel. */
  async ask(peel: string, ...words: string[]): Promise<unknown> {
    const { out, err } = await this.run(peel, ...words, '--format', 'json');
    const record = JSON.parse(out || `{"error": ${JSON.stringify(err)}}`) as {
      returns?: Record<string, { results?: { details: { result?: unknown } }[] }>;
    };
    return record.returns?.[peel]?.results?.[0]?.details.result;
  }

  /** Stops everything, in order, and leaves what it wrote. */
  async halt(): Promise<void> {
    for (const program of [...this.peels, ...this.masters]) await program.stop();
    await this.admin.close();
    for (const node of this.nodes) await node.stop();
    this.nodes = [];
  }

  /** Whether the plain setting was found below the directory: a secret would have been found there too. */
  showsControl(dir: string): boolean {
    return scanTree(join(this.dir, dir), this.controlScanner).leaks.length > 0;
  }

  /** Directories of the server's store, by the name of their stream. */
  streamDirs(): ReadonlyMap<string, string> {
    const account = join('nats', 'store', 'jetstream');
    const dirs = readdirSync(join(this.dir, account)).map((name) => join(account, name, 'streams'));
    const streams = dirs
      .filter((dir) => existsSync(join(this.dir, dir)))
      .flatMap((dir) => readdirSync(join(this.dir, dir)).map((name) => [name, join(dir, name)] as const));
    return new Map(streams);
  }

  /** Whatever must not be: in the whole directory, in /tmp, and in what the kernel shows of running programs. */
  leaks(): { readonly told: readonly string[]; readonly files: number; readonly bytes: number } {
    const { leaks, files, bytes } = scanTree(this.dir, this.secretScanner, (file) =>
      this.mayHaveSecrets(file),
    );
    return { told: [...leaks, ...this.leaksInTmp()].map(leakText), files, bytes };
  }

  /** Of programs that run: their words and their environment, which others on the machine may read. */
  leaksInProcesses(): readonly Leak[] {
    const pids = [...this.masters, ...this.peels, ...this.nodes]
      .map(({ pid }) => pid)
      .filter((pid) => pid > 0);
    return pids.flatMap((pid) =>
      ['cmdline', 'environ'].flatMap((name) => this.secretScanner.scan(readFileSync(`/proc/${pid}/${name}`))),
    );
  }

  async startMaster(index: number): Promise<void> {
    const own = index === 0 ? '' : `-${index + 1}`;
    const dirs = ['states', 'settings'].flatMap((set) => {
      const dir = join(this.dir, `${set}${own}`);
      mkdirSync(dir, { recursive: true });
      return [`--${set}`, dir];
    });
    const dataDir = join(this.dir, `master${own}-data`);
    await this.master({
      health: '127.0.0.1:0',
      through: this.crashing(join(this.settingsDir, 'web.zy')),
      args: [...dirs, '--data-dir', dataDir, '--log-level', 'debug', ...this.healthFile(`master${own}`)],
    });
  }

  healthPages(name: string): Promise<string> {
    const address = readFileSync(join(this.dir, 'health', name), 'utf8').trim();
    return Promise.all(
      ['healthz', 'readyz', 'metrics'].map(async (page) => (await fetch(`http://${address}/${page}`)).text()),
    ).then((pages) => pages.join('\n'));
  }

  private async startPeel(id: string): Promise<void> {
    await this.peel(id, {
      health: '127.0.0.1:0',
      through: this.crashing(join(this.out, id, 'managed.conf')),
      args: ['--log-level', 'debug', ...this.healthFile(id)],
    });
  }

  /** A program that crashes on a signal, with the words of a file; and that has its own place for temporary files. */
  private crashing(wordsFile: string): readonly string[] {
    const preload = join(this.dir, 'crash.cjs');
    writeFileSync(preload, CRASH_PRELOAD);
    const temporary = join(this.dir, 'tmp');
    mkdirSync(temporary, { recursive: true });
    const variables = [
      `NODE_OPTIONS=--require=${preload}`,
      `CRASH_WORDS=${wordsFile}`,
      `TMPDIR=${temporary}`,
    ];
    return ['/usr/bin/env', ...variables];
  }

  private healthFile(name: string): readonly string[] {
    mkdirSync(join(this.dir, 'health'), { recursive: true });
    return ['--health-file', join(this.dir, 'health', name)];
  }

  private async hasSettings(): Promise<boolean> {
    return (await this.ask(WEB, 'settings.get', 'control')) === this.planted.controls.setting;
  }

  private async kept(words: readonly string[], ending: Promise<Ended>): Promise<Ended> {
    const ended = await ending;
    this.keep(
      words
        .join(' ')
        .replace(/[^\w.-]+/g, '_')
        .slice(0, 60),
      `${ended.out}\n---\n${ended.err}`,
    );
    return ended;
  }

  private mayHaveSecrets(file: string): boolean {
    const [top = '', ...rest] = file.split('/');
    const name = rest.join('/');
    if (/^settings(?:-\w+)?$/.test(top)) return SETTINGS_WITH_SECRETS.some((each) => each === name);
    if (top === 'up') return this.mayHaveSecrets(name);
    return top === 'out' && WRITTEN_FILES.some((each) => each === rest.at(-1));
  }

  private leaksInTmp(): readonly FileLeak[] {
    return readdirSync(tmpdir())
      .filter((name) => OURS_IN_TMP.test(name) && !OF_TESTS_IN_TMP.test(name))
      .map((name) => join(tmpdir(), name))
      .filter((path) => isYounger(path, this.startedMs))
      .flatMap((path) =>
        scanTree(path, this.secretScanner).leaks.map((leak) => ({ ...leak, file: join(path, leak.file) })),
      );
  }
}

function isYounger(path: string, thanMs: number): boolean {
  try {
    return statSync(path).mtimeMs >= thanMs - 1_000;
  } catch {
    return false;
  }
}
