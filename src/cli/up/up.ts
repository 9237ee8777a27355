/** `zester up` starts a local fleet, in the foreground or in the background, and prints where everything is and a short tour. */
import { join, relative, resolve } from 'node:path';
import { zesterError } from '../../core/errors/zester-error.ts';
import { shellWord } from '../../core/shell-word.ts';
import type { FleetEvent } from '../../local-fleet/fleet-event.ts';
import { namesOf } from '../../local-fleet/fleet-processes.ts';
import type { LocalDeployment } from '../../local-fleet/local-deployment.ts';
import { type LocalFleet, startLocalFleet } from '../../local-fleet/local-fleet.ts';
import type { LocalServer } from '../../local-fleet/local-servers.ts';
import { SERVER_COUNTS } from '../../local-fleet/server-places.ts';
import { startDetached } from '../../local-fleet/start-detached.ts';
import { whenAborted } from '../../runtime/abortable-wait.ts';
import { versionLine } from '../../runtime/version.ts';
import { type CliContext, type Command, EXIT_INTERRUPTED, type GivenOptions } from '../program/command.ts';
import { FORMAT_OPTION, labelled, printRecord } from '../program/common-options.ts';
import { currentUser } from '../program/current-user.ts';
import { asCalled } from '../program/program-name.ts';

const MASTERS_DEFAULT = 2;
const PEELS_DEFAULT = 3;
const COUNT_MAX = 100;

export const upCommand: Command = {
  words: ['up'],
  summary: 'start a local fleet; Ctrl-C stops it',
  examples: [
    'zester up',
    'zester up --dir /tmp/fleet --masters 3 --peels 10',
    'zester up --dir /tmp/cluster --servers 3',
    'zester up --detach',
  ],
  detail: [
    'Starts an embedded nats-server, masters and peels, each a process of its own, with TLS and real credentials, under one',
    'directory, which is made when it is not there. A server that a killed `up` left running is taken over. Everything is',
    'in the directory: delete it to start anew.',
    '',
    'With --servers 3 NATS is a cluster of three servers with three copies of everything, of which any one may die. A server',
    'that ends is started again. The number is settled at the first start of a directory.',
  ].join('\n'),
  options: [
    { name: 'dir', value: 'DIR', doc: 'directory of the fleet; default $ZESTER_DIR, else .zester' },
    { name: 'masters', value: 'N', doc: `how many masters; default ${MASTERS_DEFAULT}` },
    { name: 'peels', value: 'N', doc: `how many peels; default ${PEELS_DEFAULT}: web-01, web-02, db-01` },
    { name: 'servers', value: 'N', doc: 'how many NATS servers, 1 or 3; default as it was, at first 1' },
    { name: 'detach', doc: 'run in the background; `zester down` stops it' },
    FORMAT_OPTION,
  ],
  async run(context, given) {
    const dir = fleetDirOf(context, given);
    const counts = {
      masters: countOf(given, 'masters', MASTERS_DEFAULT),
      peels: countOf(given, 'peels', PEELS_DEFAULT),
      servers: serversOf(given),
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
  readonly servers: number | undefined;
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
    onEvent: (event: FleetEvent) => say(`${fleetEventText(event)}\n`),
    signal,
    ...counts,
  };
  const fleet = await startLocalFleet(dir, options);
  warnOfMissing(context, dir, fleet.missing);
  printRecord(context, given, record(dir, fleet), () => report(context, dir, fleet));
  const failure = await Promise.race([fleet.deployment.gaveUp, whenAborted(signal)]);
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

function serversOf(given: GivenOptions): number | undefined {
  const text = given.text('servers');
  if (text === undefined) return undefined;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (SERVER_COUNTS.includes(count)) return count;
  throw zesterError('CLI_OPTION_VALUE', {
    option: '--servers',
    problem: `is 1 or 3, not ${text}${whyNot(count)}`,
  });
}

function whyNot(count: number): string {
  if (count > 0 && count % 2 === 0)
    return `: a cluster goes on while more than half of its servers run, so ${count} may lose no more of them than ${count - 1}`;
  return count > 3 ? ': three copies of everything is the most that Zester keeps' : '';
}

async function runInBackground(
  context: CliContext,
  given: GivenOptions,
  dir: string,
  counts: Counts,
): Promise<number> {
  const { runtime, program, interrupted } = context;
  const args = Object.entries(counts).flatMap(([name, count]) =>
    count === undefined ? [] : [`--${name}`, String(count)],
  );
  const { fleet, logFile } = await startDetached(dir, ['up', '--dir', dir, ...args], runtime, interrupted);
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
export function inDir({ cwd, env }: CliContext, dir: string): string {
  return dir === resolve(cwd, env.ZESTER_DIR || '.zester') ? '' : ` --dir ${shellWord(shown(cwd, dir))}`;
}

function record(dir: string, { deployment, masters, peels, missing }: LocalFleet) {
  const [first] = deployment.servers;
  return {
    dir,
    url: deployment.url,
    pid: process.pid,
    nats_server: deployment.serverVersion,
    adopted: deployment.servers.every(({ adopted }) => adopted),
    auth_dir: deployment.authDir,
    log: first?.logFile,
    ca_fingerprint: deployment.caFingerprint,
    assets: deployment.assets,
    servers: deployment.servers.map(({ name, pid, url, adopted, logFile: log }) => ({
      name,
      pid,
      url,
      adopted,
      log,
    })),
    masters: masters.map(({ name, pid }) => ({ name, pid })),
    peels: peels.map(({ name, pid }) => ({ name, pid })),
    missing,
  };
}

/** As one would type it: relative below the current directory, absolute elsewhere. */
function shown(cwd: string, path: string): string {
  const near = relative(cwd, path);
  return near.startsWith('..') ? path : near;
}

function report(context: CliContext, dir: string, { deployment, masters, peels }: LocalFleet): string {
  const { cwd, program } = context;
  const here = inDir(context, dir);
  return [
    `${versionLine('zester')} is up. Ctrl-C stops it.\n`,
    labelled([
      ['directory', dir],
      ['nats-server', `${deployment.serverVersion}, ${deployment.serverFrom}`],
      ...deployment.servers.map((server) => ['', serverLine(cwd, server)] as const),
      ['durability', durabilityLine(deployment)],
      ['trust', `TLS 1.3 under ${deployment.caFingerprint.slice(0, 23)}…, accounts ZESTER and AGENTS`],
      ['assets', `${deployment.assets.length} buckets, streams and object stores`],
      ['masters', namesOf(masters)],
      ['peels', namesOf(peels)],
      [
        'states',
        `${shown(cwd, join(dir, 'states'))}, settings in ${shown(cwd, join(dir, 'settings'))}: yours to edit`,
      ],
      ['', 'the masters publish every edit, and the peels have it about a second later'],
      ['health', `${shown(cwd, join(dir, 'health'))} has the address of each: /healthz, /readyz, /metrics`],
      ['logs', shown(cwd, join(dir, 'logs'))],
    ]),
    'A short tour, in another terminal:\n',
    `  ${program} '*' test.ping${here}`,
    `  ${program} 'web*' cmd.run uptime${here}`,
    `  ${program} 'G@os.family:debian and not db-*' facts.get os.name${here}`,
    `  ${program} '*' state.apply --test${here}`,
    `  echo 'Mind the step.' >> ${shellWord(shown(cwd, join(dir, 'states/common/motd.j2')))}; ${program} files status${here}`,
    `  ${program} 'web*' state.apply common --test${here}`,
    `  ${program} job list${here}`,
    `  ${program} peel list${here}`,
    `  ${program} --help\n`,
  ].join('\n');
}

function serverLine(cwd: string, { name, url, pid, adopted, logFile }: LocalServer): string {
  return `${name} at ${url}, pid ${pid}${adopted ? ', taken over' : ''}; log ${shown(cwd, logFile)}`;
}

function durabilityLine({ assets, servers }: LocalDeployment): string {
  const fewest = Math.min(...assets.map(({ replicas }) => replicas));
  if (servers.length === 1) return 'an acknowledged write is on disk (sync_interval always), 1 replica';
  const loss = fewest >= 3 ? 'any one of them may die' : 'not enough to lose one of them';
  return `${fewest} replicas of everything on ${servers.length} servers: ${loss} (sync_interval always)`;
}

/** What happens to a fleet, as a line. */
function fleetEventText(event: FleetEvent): string {
  switch (event.kind) {
    case 'server-search':
      return event.said;
    case 'waiting':
      return `Waiting for ${event.missing.join(', ')} …`;
    case 'servers-apart':
      return `zester: the ${event.count} NATS servers have not all come together; see \`zester doctor\``;
    case 'server-lost':
      return `zester: ${event.name} is not started any more, the fleet goes on without it: ${event.error.message}`;
  }
}
