/** This file reads the command line of zester-master. What is unknown, doubled or missing is an error, never a guess. */
import { COPIES_MAX } from '../core/copies.ts';
import { parseDuration } from '../core/duration.ts';
import { zesterError } from '../core/errors/zester-error.ts';
import { HEALTH_VALUES, healthHelp, healthOptions } from '../daemon/health-option-words.ts';
import type { HealthOptions } from '../daemon/serve-daemon.ts';
import { installUnit } from '../process/install-unit.ts';
import type { LogLevel } from '../runtime/log.ts';
import { readOptionWords } from '../runtime/option-words.ts';
import {
  credsValidOf,
  ENROLL_HELP,
  ENROLL_VALUES,
  type EnrollOptions,
  enrollOptions,
} from './enroll/enroll-options.ts';
import type { MasterSettings } from './master-settings.ts';
import {
  SOURCE_SETS,
  type SourceOption,
  type SourceOptions,
  type SourceSet,
} from './publish/find-sources.ts';

export interface MasterOptions {
  readonly natsUrls: readonly string[];
  readonly authDir: string;
  /** Undefined: the CA in the auth directory. */
  readonly ca: string | undefined;
  readonly logLevel: LogLevel;
  readonly health: HealthOptions;
  readonly enroll: EnrollOptions;
  /** As they were written: not yet absolute. */
  readonly sources: SourceOptions;
  readonly dataDir: string;
  readonly settings: Partial<MasterSettings>;
}

export type MasterCommand = { readonly show: 'help' | 'version' } | { readonly run: MasterOptions };

/** Where packages put it (decision 42). */
const AUTH_DIR = '/var/lib/zester/auth';
const DATA_DIR = '/var/lib/zester/master';
const SOURCE_DIR = '/srv/zester';
const HEALTH_ADDRESS = '127.0.0.1:9091';
const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
const REPLICAS_MAX = 5;
const NEVER_MS = -1;
/** Keys joined by dots, as in a target. */
const FACT_PATH = /^[^\s.,:]+(?:\.[^\s.,:]+)*$/;

const VALUES = [
  'nats-url',
  'auth-dir',
  'ca',
  ...SOURCE_SETS,
  'data-dir',
  'replicas',
  'ack-window',
  'facts-visible-to-peels',
  'log-level',
  ...ENROLL_VALUES,
  ...HEALTH_VALUES,
] as const;
const SWITCHES = ['help', 'version'] as const;
type ValueName = (typeof VALUES)[number];
type Given = Pick<ReadonlyMap<ValueName, string>, 'get'>;

export const MASTER_HELP = `zester-master: takes jobs, sends them to peels, records what comes back; publishes files.

Example:
  zester-master --nats-url tls://nats:4222 --auth-dir /var/lib/zester/auth
  zester-master install --nats-url tls://nats:4222        (a systemd unit; see zester-master install --help)

Options:
  --nats-url URL[,URL…]  addresses of the NATS servers, tls:// only
  --auth-dir DIR         keys and credentials of a master; default ${AUTH_DIR}
  --ca FILE              certificate of the CA that signed the servers' certificates; default the one in --auth-dir
  --states DIR           state files to publish; default ${SOURCE_DIR}/states
  --settings DIR         settings to publish; default ${SOURCE_DIR}/settings
  --reactor DIR          reactor rules to publish; default ${SOURCE_DIR}/reactor
  --data-dir DIR         what this master remembers of these directories; its own; default ${DATA_DIR}
  --replicas N           copies of every bucket and stream; default as many as there are servers, at most ${COPIES_MAX}
  --ack-window TIME      a silent target gets its job again after this, then at growing intervals until the deadline;
                         default 5s, off for never
  --facts-visible-to-peels FACT[,FACT…]
                         facts by which a peel may target others, such as os.family,role; default none
  --log-level LEVEL      ${LOG_LEVELS.join(', ')}; default info
${ENROLL_HELP}
${healthHelp(HEALTH_ADDRESS)}
  --version              print version, commit and Node
  --help                 show this

It waits for NATS as long as it takes. Any number of masters may run; they share the work and need no configuration.
One of them publishes its directories, the others keep theirs up to date. A directory that is not there is not published.
SIGTERM and SIGINT end it in order: running jobs go to another master.
`;

export function parseMasterOptions(words: readonly string[]): MasterCommand {
  const given = readOptionWords(words, { values: VALUES, switches: SWITCHES }, usage);
  if (given.has('help')) return { show: 'help' };
  return given.has('version') ? { show: 'version' } : { run: optionsOf(given) };
}

const PATHS: readonly string[] = [
  'auth-dir',
  'ca',
  ...SOURCE_SETS,
  'data-dir',
  'health-file',
  'enroll-cert',
  'enroll-key',
  'enroll-file',
];

/** `zester-master install`; answers with what is printed. */
export function installMaster(words: readonly string[], program: readonly string[]): string {
  const check = (options: readonly string[]) => {
    const command = parseMasterOptions(options);
    return 'run' in command ? writtenDirs(command.run) : [];
  };
  const target = {
    daemon: 'zester-master',
    pathOptions: PATHS,
    valueOptions: VALUES,
    check,
    program,
  } as const;
  return installUnit(words, target, ' --nats-url tls://nats:4222');
}

/** A master that does not publish keeps its source directories as published, so it writes them, too. */
function writtenDirs({ authDir, dataDir, sources, health, enroll }: MasterOptions): readonly string[] {
  const files = [health.file, enroll.file].filter((file) => file !== undefined);
  return [
    authDir,
    dataDir,
    ...SOURCE_SETS.map((set) => sources[set].path),
    ...files.map((file) => file.replace(/\/[^/]*$/, '') || '/'),
  ];
}

function optionsOf(given: Given): MasterOptions {
  const natsUrls = given.get('nats-url')?.split(',');
  if (natsUrls === undefined) throw usage('it needs --nats-url');
  const level = given.get('log-level') ?? 'info';
  const logLevel = LOG_LEVELS.find((known) => known === level);
  if (logLevel === undefined)
    throw usage(`option --log-level is one of ${LOG_LEVELS.join(', ')}, not ${level}`);
  const replicas = replicasOf(given);
  const ackWindowMs = ackWindowOf(given);
  const factsVisibleToPeels = visibleFactsOf(given);
  const peelCredsValidMs = credsValidOf(given, usage);
  return {
    natsUrls,
    authDir: given.get('auth-dir') ?? AUTH_DIR,
    ca: given.get('ca'),
    logLevel,
    health: healthOptions(given, HEALTH_ADDRESS, usage),
    enroll: enrollOptions(given, usage),
    sources: {
      states: sourceOf(given, 'states'),
      settings: sourceOf(given, 'settings'),
      reactor: sourceOf(given, 'reactor'),
    },
    dataDir: given.get('data-dir') ?? DATA_DIR,
    settings: {
      ...(replicas === undefined ? {} : { replicas }),
      ...(ackWindowMs === undefined ? {} : { ackWindowMs }),
      ...(factsVisibleToPeels === undefined ? {} : { factsVisibleToPeels }),
      ...(peelCredsValidMs === undefined ? {} : { peelCredsValidMs }),
    },
  };
}

function sourceOf(given: Given, set: SourceSet): SourceOption {
  const path = given.get(set);
  return { path: path ?? `${SOURCE_DIR}/${set}`, isGiven: path !== undefined };
}

function replicasOf(given: Given): number | undefined {
  const text = given.get('replicas');
  if (text === undefined) return undefined;
  const replicas = Number(text);
  if (!/^\d$/.test(text) || replicas < 1 || replicas > REPLICAS_MAX)
    throw usage(`option --replicas is a number from 1 to ${REPLICAS_MAX}, not ${text}`);
  return replicas;
}

function ackWindowOf(given: Given): number | undefined {
  const text = given.get('ack-window');
  if (text === undefined || text === 'off') return text === undefined ? undefined : NEVER_MS;
  const ms = parseDuration(text);
  if (ms === undefined) throw usage(`option --ack-window is a duration such as 5s, or off, not ${text}`);
  return ms;
}

function visibleFactsOf(given: Given): readonly string[] | undefined {
  const paths = given.get('facts-visible-to-peels')?.split(',');
  const wrong = paths?.find((path) => !FACT_PATH.test(path));
  if (wrong !== undefined)
    throw usage(
      `option --facts-visible-to-peels is a list such as os.family,role; ${wrong || 'nothing'} is no fact`,
    );
  return paths;
}

function usage(problem: string) {
  return zesterError('MASTER_USAGE', { problem });
}
