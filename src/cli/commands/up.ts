import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { zesterError } from '../../core/errors/zester-error.ts';
import { sleep } from '../../runtime/clock.ts';
import { versionLine } from '../../runtime/version.ts';
import { makeDirectories } from '../../trust/key-files.ts';
import type { CliContext, Command, GivenOptions } from '../command.ts';
import { FORMAT_OPTION, labelled, printRecord } from '../common-options.ts';
import { currentUser } from '../current-user.ts';
import { readFleetFile } from '../fleet/fleet-file.ts';
import { type LocalFleet, startLocalFleet } from '../fleet/local-fleet.ts';

const MASTERS_DEFAULT = 2;
const PEELS_DEFAULT = 3;
const COUNT_MAX = 100;
const DETACH_MS_MAX = 60_000;
const DETACH_LOOK_MS = 100;

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
    if (given.on('detach')) return detach(context, dir, counts);
    const { runtime, env, say } = context;
    const options = {
      runtime,
      env,
      operator: currentUser(env),
      say: (line: string) => say(`${line}\n`),
      ...counts,
    };
    const fleet = await startLocalFleet(dir, options);
    printRecord(context, given, record(dir, fleet), () => report(context.cwd, dir, fleet));
    const failure = await Promise.race([fleet.deployment.gaveUp, interruption(context.interrupted)]);
    say(failure === undefined ? '\nStopping …\n' : '');
    await fleet.stop();
    if (failure !== undefined) throw failure;
    say('Stopped. `zester up` brings it back as it was.\n');
    return 0;
  },
};

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

/** Starts the same command in the background and waits until it has written how to reach it. */
async function detach(
  context: CliContext,
  dir: string,
  counts: { masters: number; peels: number },
): Promise<number> {
  const { clock } = context.runtime;
  makeDirectories(join(dir, 'logs'));
  const logFile = join(dir, 'logs', 'up.log');
  const output = openSync(logFile, 'a', 0o600);
  const args = ['up', '--dir', dir, '--masters', String(counts.masters), '--peels', String(counts.peels)];
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], {
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  child.unref();
  const untilMs = clock.monotonicMs() + DETACH_MS_MAX;
  while (readFleetFile(dir)?.pid !== child.pid) {
    if (child.exitCode !== null || clock.monotonicMs() > untilMs)
      throw zesterError('CLI_UP_FAILED', { log: logFile });
    await sleep(clock, DETACH_LOOK_MS);
  }
  context.out(
    `The fleet in ${dir} is up in the background (pid ${child.pid}, log ${logFile}). Stop it with: zester down\n`,
  );
  return 0;
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

function report(cwd: string, dir: string, { deployment, masters, peels }: LocalFleet): string {
  const takenOver = deployment.adopted ? ', taken over' : '';
  const made = deployment.assets.filter(({ action }) => action === 'created').length;
  const inDir = dir === resolve(cwd, '.zester') ? '' : ` --dir ${shown(cwd, dir)}`;
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
      ['logs', shown(cwd, join(dir, 'logs'))],
    ]),
    'A short tour, in another terminal:\n',
    `  bin/zester '*' test.ping${inDir}`,
    `  bin/zester 'web*' cmd.run uptime${inDir}`,
    `  bin/zester 'G@os.family:debian and not db-*' facts.get os.name${inDir}`,
    `  bin/zester job list${inDir}`,
    `  bin/zester peel list${inDir}`,
    '  bin/zester --help\n',
  ].join('\n');
}
