import { join, relative, resolve } from 'node:path';
import { zesterError } from '../../core/errors/zester-error.ts';
import { versionLine } from '../../runtime/version.ts';
import { type CliContext, type Command, EXIT_INTERRUPTED, type GivenOptions } from '../command.ts';
import { FORMAT_OPTION, labelled, printRecord } from '../common-options.ts';
import { currentUser } from '../current-user.ts';
import { type LocalFleet, startLocalFleet } from '../fleet/local-fleet.ts';
import { startDetached } from '../fleet/start-detached.ts';
import { asCalled } from '../program-name.ts';
import { shellWord } from '../shell-word.ts';

const MASTERS_DEFAULT = 2;
const PEELS_DEFAULT = 3;
const COUNT_MAX = 100;

export const upCommand: Command = {
  words: ['up'],
  summary: 'start a local fleet; Ctrl-C stops it',
  examples: ['zester up', 'zester up --dir /tmp/fleet --masters 3 --peels 10', 'zester up --detach'],
  detail: [
    'Starts an embedded nats-server, masters and peels, each a process of its own, with TLS and real credentials, under one',
    'directory, which is made when it is not there. A server that a killed `up` left running is taken over. Everything is',
    'in the directory: delete it to start anew.',
  ].join('\n'),
  options: [
    { name: 'dir', value: 'DIR', doc: 'directory of the fleet; default $ZESTER_DIR, else .zester' },
    { name: 'masters', value: 'N', doc: `how many masters; default ${MASTERS_DEFAULT}` },
    { name: 'peels', value: 'N', doc: `how many peels; default ${PEELS_DEFAULT}: web-01, web-02, db-01` },
    { name: 'detach', doc: 'run in the background; `zester down` stops it' },
    FORMAT_OPTION,
  ],
  async run(context, given) {
    const dir = fleetDirOf(context, given);
    const counts = {
      masters: countOf(given, 'masters', MASTERS_DEFAULT),
      peels: countOf(given, 'peels', PEELS_DEFAULT),
    };
    try {
      const run = given.on('detach') ? runInBackground : runInForeground;
      return await run(context, given, dir, counts);
    } catch (error) {
      if (error !== context.interrupted.reason) throw error;
      context.say('\nStopped before it was up.\n');
      return EXIT_INTERRUPTED;
    }
  },
};

interface Counts {
  readonly masters: number;
  readonly peels: number;
}

/** Rejects with the interruption's own reason when it comes before the fleet is up; everything is stopped by then. */
async function runInForeground(
  context: CliContext,
  given: GivenOptions,
  dir: string,
  counts: Counts,
): Promise<number> {
  const { runtime, env, say, interrupted: signal } = context;
  const options = {
    runtime,
    env,
    operator: currentUser(env),
    say: (line: string) => say(`${line}\n`),
    signal,
    ...counts,
  };
  const fleet = await startLocalFleet(dir, options);
  warnOfMissing(context, dir, fleet.missing);
  printRecord(context, given, record(dir, fleet), () => report(context, dir, fleet));
  const failure = await Promise.race([fleet.deployment.gaveUp, interruption(signal)]);
  say(failure === undefined ? '\nStopping …\n' : '');
  await fleet.stop();
  if (failure !== undefined) throw failure;
  say(asCalled('Stopped. `zester up` brings it back as it was.\n', context.program));
  return 0;
}

export function fleetDirOf(context: CliContext, given: GivenOptions): string {
  return resolve(context.cwd, given.text('dir') ?? (context.env.ZESTER_DIR || '.zester'));
}

function countOf(given: GivenOptions, name: string, fallback: number): number {
  const text = given.text(name) ?? String(fallback);
  if (/^\d{1,3}$/.test(text) && Number(text) <= COUNT_MAX) return Number(text);
  throw zesterError('CLI_OPTION_VALUE', {
    option: `--${name}`,
    problem: `is a number up to ${COUNT_MAX}, not ${text}`,
  });
}

async function runInBackground(
  context: CliContext,
  given: GivenOptions,
  dir: string,
  counts: Counts,
): Promise<number> {
  const { runtime, program, interrupted } = context;
  const args = ['--dir', dir, '--masters', String(counts.masters), '--peels', String(counts.peels)];
  const { fleet, logFile } = await startDetached(dir, ['up', ...args], runtime, interrupted);
  const missing = fleet.missing ?? [];
  warnOfMissing(context, dir, missing);
  printRecord(context, given, { dir, url: fleet.url, pid: fleet.pid, log: logFile, missing }, () =>
    [
      `The fleet in ${dir} is up in the background (pid ${fleet.pid}, log ${shown(context.cwd, logFile)}).`,
      `Stop it with: ${program} down${inDir(context, dir)}\n`,
    ].join('\n'),
  );
  return 0;
}

function warnOfMissing(context: CliContext, dir: string, missing: readonly string[]): void {
  if (missing.length === 0) return;
  const logs = shown(context.cwd, join(dir, 'logs'));
  context.say(
    `zester: not heard of yet: ${missing.join(', ')}; the fleet goes on without them, see ${logs}\n`,
  );
}

/** For a command that is to find this fleet from here; nothing where it is the default. */
function inDir({ cwd, env }: CliContext, dir: string): string {
  return dir === resolve(cwd, env.ZESTER_DIR || '.zester') ? '' : ` --dir ${shellWord(shown(cwd, dir))}`;
}

function interruption(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

function record(dir: string, { deployment, masters, peels }: LocalFleet) {
  return {
    dir,
    url: deployment.url,
    pid: deployment.serverPid(),
    nats_server: deployment.serverVersion,
    adopted: deployment.adopted,
    auth_dir: deployment.authDir,
    log: deployment.logFile,
    ca_fingerprint: deployment.caFingerprint,
    assets: deployment.assets,
    masters: masters.map(({ name, pid }) => ({ name, pid })),
    peels: peels.map(({ name, pid }) => ({ name, pid })),
  };
}

/** As one would type it: relative below the current directory, absolute elsewhere. */
function shown(cwd: string, path: string): string {
  const near = relative(cwd, path);
  return near.startsWith('..') ? path : near;
}

function report(context: CliContext, dir: string, { deployment, masters, peels }: LocalFleet): string {
  const { cwd, program } = context;
  const takenOver = deployment.adopted ? ', taken over' : '';
  const made = deployment.assets.filter(({ action }) => action === 'created').length;
  const here = inDir(context, dir);
  return [
    `${versionLine('zester')} is up. Ctrl-C stops it.\n`,
    labelled([
      ['directory', dir],
      [
        'nats-server',
        `${deployment.serverVersion} at ${deployment.url}, pid ${deployment.serverPid()}${takenOver}`,
      ],
      ['', `${deployment.serverFrom}; log ${shown(cwd, deployment.logFile)}`],
      ['durability', 'an acknowledged write is on disk (sync_interval always), 1 replica'],
      ['trust', `TLS 1.3 under ${deployment.caFingerprint.slice(0, 23)}…, accounts ZESTER and AGENTS`],
      [
        'assets',
        `${made} made, ${deployment.assets.length - made} found: buckets, streams and object stores`,
      ],
      ['masters', masters.map(({ name, pid }) => `${name} (pid ${pid})`).join(', ')],
      ['peels', peels.map(({ name, pid }) => `${name} (pid ${pid})`).join(', ')],
      [
        'states',
        `${shown(cwd, join(dir, 'states'))}, settings in ${shown(cwd, join(dir, 'settings'))}: yours to change`,
      ],
      ['health', `${shown(cwd, join(dir, 'health'))} has the address of each: /healthz, /readyz, /metrics`],
      ['logs', shown(cwd, join(dir, 'logs'))],
    ]),
    'A short tour, in another terminal:\n',
    `  ${program} '*' test.ping${here}`,
    `  ${program} 'web*' cmd.run uptime${here}`,
    `  ${program} 'G@os.family:debian and not db-*' facts.get os.name${here}`,
    `  ${program} '*' state.apply --test${here}`,
    `  ${program} job list${here}`,
    `  ${program} peel list${here}`,
    `  ${program} --help\n`,
  ].join('\n');
}
