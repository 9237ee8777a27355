/** Reads the command line of zester-peel. Nothing is guessed: what is unknown, doubled or missing is an error. */
import { zesterError } from '../core/errors/zester-error.ts';
import { HEALTH_VALUES, healthHelp, healthOptions } from '../daemon/health-option-words.ts';
import type { HealthOptions } from '../daemon/serve-daemon.ts';
import { installUnit } from '../process/install-unit.ts';
import type { LogLevel } from '../runtime/log.ts';
import { readOptionWords } from '../runtime/option-words.ts';
import { PEEL_HOME, peelAuthDir, settingsCachePath, statesCachePath } from './data-dir.ts';

export interface PeelOptions {
  /** Undefined: the name in the credentials. */
  readonly id: string | undefined;
  /** Undefined: as the join said, or a master since. */
  readonly natsUrls: readonly string[] | undefined;
  /** Undefined: those in the auth directory. */
  readonly creds: string | undefined;
  readonly ca: string | undefined;
  /** What `zester-peel join` left. */
  readonly authDir: string;
  readonly dataDir: string;
  readonly customFactsFile: string | undefined;
  /** The state files that this machine was built with. */
  readonly statesDir: string;
  /** Mirror of the published state files. */
  readonly statesCache: string;
  readonly settingsDir: string | undefined;
  /** Mirror of the published settings files. */
  readonly settingsCache: string;
  readonly logLevel: LogLevel;
  readonly health: HealthOptions;
}

export type PeelCommand = { readonly show: 'help' | 'version' } | { readonly run: PeelOptions };

export const DEFAULT_STATES_DIR = '/srv/zester/states';
const HEALTH_ADDRESS = '127.0.0.1:9090';
const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

const VALUES = [
  'id',
  'nats-url',
  'creds',
  'ca',
  'auth-dir',
  'data-dir',
  'states',
  'states-cache',
  'settings',
  'settings-cache',
  'log-level',
  ...HEALTH_VALUES,
] as const;
const SWITCHES = ['help', 'version'] as const;
type ValueName = (typeof VALUES)[number];

export const PEEL_HELP = `zester-peel: the agent on a managed machine.

Examples:
  zester-peel join https://master:8443 --pin sha256:…                   (once; see zester-peel join --help)
  zester-peel                                                           (as the join left it)
  zester-peel install                                                   (a systemd unit; see zester-peel install --help)
  zester-peel --nats-url tls://nats:4222 --creds /etc/zester/web-01.creds --ca /etc/zester/ca.crt
  zester-peel call --local state.apply web --states ./states --test     (see zester-peel call --help)

Options:
  --auth-dir DIR         what \`zester-peel join\` left: key, credentials, CA, addresses; default auth in the data directory
  --nats-url URL[,URL…]  addresses of the NATS servers, tls:// only; default those of the join
  --ca FILE              certificate of the CA that signed the servers' certificates; default that of the join
  --creds FILE           the peel's credentials, where it did not join; needs --nats-url and --ca
  --id NAME              must be the name in the credentials, which is the default
  --data-dir DIR         where the peel keeps its records; default ${PEEL_HOME};
                         with this option the custom facts file is DIR/facts
  --states DIR           state files that the machine was built with, for as long as none are published;
                         default ${DEFAULT_STATES_DIR}
  --states-cache PATH    where the published state files are mirrored; default cache/states in the data
                         directory. The path is the mirror's: a directory that is there is moved aside,
                         or emptied where it cannot be moved (a mount point)
  --settings DIR         settings of this peel for as long as none are published: with top.zy a tree as
                         masters have it, else YAML files that are merged in the order of their names
  --settings-cache PATH  where the published settings files are mirrored; default cache/settings in the
                         data directory
  --log-level LEVEL      ${LOG_LEVELS.join(', ')}; default info
${healthHelp(HEALTH_ADDRESS)}
  --version              print version, commit and Node
  --help                 show this

Credentials are read anew at every connection attempt and renewed over the bus before they expire.
It needs no NATS to start: it connects when there is one, and again whenever the connection is lost.
SIGTERM and SIGINT end it in order.
`;

export function parsePeelOptions(words: readonly string[]): PeelCommand {
  const given = readOptionWords(words, { values: VALUES, switches: SWITCHES }, usage);
  if (given.has('help')) return { show: 'help' };
  return given.has('version') ? { show: 'version' } : { run: optionsOf(given) };
}

const PATHS: readonly string[] = [
  'creds',
  'ca',
  'auth-dir',
  'data-dir',
  'states',
  'states-cache',
  'settings',
  'settings-cache',
  'health-file',
];

/** `zester-peel install`; answers with what is printed. */
export function installPeel(words: readonly string[], program: readonly string[]): string {
  const check = (options: readonly string[]) => {
    const command = parsePeelOptions(options);
    return 'run' in command ? [command.run.dataDir] : [];
  };
  const target = { daemon: 'zester-peel', pathOptions: PATHS, valueOptions: VALUES, check, program } as const;
  return installUnit(words, target, '');
}

function optionsOf(given: ReadonlyMap<string, string>): PeelOptions {
  const need = (name: ValueName): string => {
    const value = given.get(name);
    if (value === undefined) throw usage(`it needs --${name}`);
    return value;
  };
  const level = given.get('log-level') ?? 'info';
  const logLevel = LOG_LEVELS.find((known) => known === level);
  if (logLevel === undefined)
    throw usage(`option --log-level is one of ${LOG_LEVELS.join(', ')}, not ${level}`);
  const dataDir = given.get('data-dir');
  const creds = given.get('creds');
  if (creds !== undefined && given.has('auth-dir')) throw usage('it takes --creds or --auth-dir, not both');
  return {
    id: given.get('id'),
    natsUrls: (creds === undefined ? given.get('nats-url') : need('nats-url'))?.split(','),
    creds,
    ca: creds === undefined ? given.get('ca') : need('ca'),
    authDir: given.get('auth-dir') ?? peelAuthDir(dataDir ?? PEEL_HOME),
    dataDir: dataDir ?? PEEL_HOME,
    customFactsFile: dataDir === undefined ? undefined : `${dataDir}/facts`,
    statesDir: given.get('states') ?? DEFAULT_STATES_DIR,
    statesCache: given.get('states-cache') ?? statesCachePath(dataDir ?? PEEL_HOME),
    settingsDir: given.get('settings'),
    settingsCache: given.get('settings-cache') ?? settingsCachePath(dataDir ?? PEEL_HOME),
    logLevel,
    health: healthOptions(given, HEALTH_ADDRESS, usage),
  };
}

function usage(problem: string) {
  return zesterError('PEEL_USAGE', { problem });
}
