/**
 * This file finds the deployment that a command goes to.
 *
 * What is named counts, each word for what it names: `--nats-url`, `--auth-dir` and `--ca`, then NATS_URL and
 * NATS_CA_FILE. What nobody names comes from the local deployment in `--dir`, $ZESTER_DIR or ./.zester; of another
 * address, from the system's own directory (/var/lib/zester/auth). `--dir` names a whole deployment, so the variables do
 * not count beside it. Two words for two deployments are refused: one of them would be ignored.
 */
import { resolve } from 'node:path';
import type { FleetAddress } from '../../client/connect-fleet.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { shellWord } from '../../core/shell-word.ts';
import { readFleetFile } from '../../local-fleet/fleet-file.ts';
import { rootPath } from '../../trust/x509/ca-dir.ts';
import type { CliContext, GivenOptions, OptionSpec } from '../program/command.ts';
import { SYSTEM_AUTH_DIR } from '../program/common-options.ts';

export const CONNECT_OPTIONS: readonly OptionSpec[] = [
  { name: 'dir', value: 'DIR', doc: 'directory of a local deployment; default $ZESTER_DIR, else .zester' },
  {
    name: 'nats-url',
    value: 'URLS',
    doc: 'tls://host:port, several with commas; default $NATS_URL, else the local deployment',
  },
  {
    name: 'auth-dir',
    value: 'DIR',
    doc: `directory with the admin’s credentials; default the local deployment’s, with an address ${SYSTEM_AUTH_DIR}`,
  },
  {
    name: 'ca',
    value: 'FILE',
    doc: 'certificate of the CA; default $NATS_CA_FILE, else ca/root.crt of the auth directory',
  },
];

export interface Place extends FleetAddress {
  /** Directory of a local deployment; undefined when the address was given. */
  readonly fleetDir?: string;
}

/** The place as the user gave it, for a hint that names another command there. */
export function placeWords(given: GivenOptions): string {
  return CONNECT_OPTIONS.flatMap(({ name }) => {
    const value = given.text(name);
    return value === undefined ? [] : [` --${name} ${shellWord(value)}`];
  }).join('');
}

export function findPlace(context: CliContext, given: GivenOptions): Place {
  const { env, cwd } = context;
  const dirWord = given.text('dir');
  const variables = dirWord === undefined ? env : {};
  refuseTwoPlaces(given, variables);
  const url = given.text('nats-url') ?? (variables.NATS_URL || undefined);
  const authWord = given.text('auth-dir');
  const caWord = given.text('ca') ?? (variables.NATS_CA_FILE || undefined);
  const named = {
    ...(url === undefined ? {} : { servers: addresses(url) }),
    ...(authWord === undefined ? {} : authPlace(resolve(cwd, authWord))),
    ...(caWord === undefined ? {} : { caFile: resolve(cwd, caWord) }),
  };
  if (named.servers !== undefined) return { ...authPlace(SYSTEM_AUTH_DIR), ...named, servers: named.servers };
  const dir = resolve(cwd, dirWord ?? (env.ZESTER_DIR || '.zester'));
  const fleet = readFleetFile(dir);
  if (fleet === undefined) throw zesterError('CLI_NO_DEPLOYMENT', { dir });
  const { authDir, caFile } = fleet;
  return { authDir, caFile, ...named, servers: addresses(fleet.url), fleetDir: dir };
}

function refuseTwoPlaces(given: GivenOptions, { NATS_URL, ZESTER_DIR }: CliContext['env']): void {
  const isUrlGiven = given.text('nats-url') !== undefined;
  if (isUrlGiven && given.text('dir') !== undefined)
    throw zesterError('CLI_TWO_PLACES', { one: '--dir', other: '--nats-url' });
  if (!isUrlGiven && NATS_URL && ZESTER_DIR)
    throw zesterError('CLI_TWO_PLACES', { one: 'ZESTER_DIR', other: 'NATS_URL' });
}

function addresses(url: string): readonly string[] {
  return url.split(',').map((each) => each.trim());
}

function authPlace(authDir: string): Pick<Place, 'authDir' | 'caFile'> {
  return { authDir, caFile: rootPath(authDir) };
}
