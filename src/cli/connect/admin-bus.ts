/**
 * The bus of a command: finds the deployment and connects with the admin's credentials, or says why not within seconds.
 *
 * What is named counts, each word for what it names: `--nats-url`, `--auth-dir` and `--ca`, then NATS_URL and
 * NATS_CA_FILE. What nobody names comes from the local deployment in `--dir`, $ZESTER_DIR or ./.zester; of another
 * address, from the system's own directory (/var/lib/zester/auth). `--dir` names a whole deployment, so the variables do
 * not count beside it. Two words for two deployments are refused: one of them would be ignored.
 */
import { resolve } from 'node:path';
import { openBus } from '../../bus/bus.ts';
import type { Connection } from '../../bus/connection.ts';
import { connectNats } from '../../bus/nats/nats-connection.ts';
import { ELECTION_MS_MAX, type Patience } from '../../bus/patience.ts';
import type { Bus } from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { readFleetFile } from '../../local-fleet/fleet-file.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { credsPath, loadCreds, loadOperatorKey } from '../../trust/auth-dir.ts';
import { natsAuthenticator } from '../../trust/nats-authenticator.ts';
import type { OperatorKey } from '../../trust/operator-key.ts';
import { rootPath } from '../../trust/x509/ca-dir.ts';
import type { CliContext, GivenOptions, OptionSpec } from '../program/command.ts';
import { SYSTEM_AUTH_DIR } from '../program/common-options.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { type WaitFor, waitsOf } from '../terminal/wait-for.ts';

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

const CONNECT_MS_MAX = 30_000;

export interface AdminBus {
  readonly bus: Bus;
  /** Signs cancels and direct requests. */
  operatorKey(): OperatorKey;
  /** Every wait on the bus goes through it, so that Ctrl-C is heard and nobody wonders. */
  readonly waitFor: WaitFor;
}

const RUN_AGAIN = 'run the command again';

/** The place as the user gave it, for a hint that names another command there. */
export function placeWords(given: GivenOptions): string {
  return CONNECT_OPTIONS.flatMap(({ name }) => {
    const value = given.text(name);
    return value === undefined ? [] : [` --${name} ${shellWord(value)}`];
  }).join('');
}

export interface Place {
  readonly servers: readonly string[];
  readonly authDir: string;
  readonly caFile: string;
  /** Directory of a local deployment; undefined when the address was given. */
  readonly fleetDir?: string;
}

/** Runs `use` on a connected bus and closes it afterwards, whatever happens. */
export async function withAdminBus<T>(
  context: CliContext,
  given: GivenOptions,
  use: (admin: AdminBus) => Promise<T>,
): Promise<T> {
  const place = findPlace(context, given);
  const connection = connectAs('admin', place, context.runtime);
  const isText = (given.text('format') ?? 'text') === 'text';
  const bus = openBus(connection, context.runtime, { patience: patienceOf(context, isText) });
  const waitFor = waitsOf(context, { isText });
  const connecting = {
    what: `NATS at ${place.servers.join(', ')}`,
    ifLeft: 'nothing was sent',
    next: RUN_AGAIN,
  };
  try {
    await waitFor(connecting, bus.connected());
    return await use({ bus, waitFor, operatorKey: () => loadOperatorKey(place.authDir) });
  } finally {
    const closed = bus.close();
    // Who leaves does not wait for a server that may not answer.
    if (context.interrupted.aborted) closed.catch(() => undefined);
    else await closed;
  }
}

/** For commands that only look: the whole of it is one wait. `what` stands behind "waiting for". */
export function lookWithBus<T>(
  context: CliContext,
  given: GivenOptions,
  what: string,
  look: (bus: Bus) => Promise<T>,
): Promise<T> {
  return withAdminBus(context, given, ({ bus, waitFor }) =>
    waitFor({ what, ifLeft: 'nothing was changed', next: RUN_AGAIN }, look(bus)),
  );
}

/** A command bears an election, and says to people after a moment why nothing happens; once, however many questions wait. */
function patienceOf(context: CliContext, isText: boolean): Patience {
  let isTold = !isText;
  return {
    ms: ELECTION_MS_MAX,
    waiting: (why) => {
      if (!isTold) context.say(`zester: waiting for NATS: ${why.message}\n`);
      isTold = true;
    },
  };
}

/** Gives up at once on what would fail again, and soon where nobody listens; a busy machine gets its time. */
export function connectAs(role: 'admin' | 'system', place: Place, runtime: Runtime): Connection {
  return connectNats({
    servers: place.servers,
    name: 'zester',
    inboxName: role,
    authenticator: natsAuthenticator(() => loadCreds(credsPath(place.authDir, role))),
    caFile: place.caFile,
    runtime,
    giveUpAfterMs: CONNECT_MS_MAX,
  });
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
