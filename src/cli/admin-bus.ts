/**
 * The bus of a command: finds the deployment and connects with the admin's credentials, or says why not within seconds.
 * Order: `--nats-url` with `--auth-dir` and `--ca`, else the deployment in `--dir`, $ZESTER_DIR or ./.zester, else the
 * system's own (/var/lib/zester/auth with NATS_URL).
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openBus } from '../bus/bus.ts';
import type { Connection } from '../bus/connection.ts';
import { connectNats } from '../bus/nats/nats-connection.ts';
import { ELECTION_MS_MAX, type Patience } from '../bus/patience.ts';
import type { Bus } from '../bus/port.ts';
import { zesterError } from '../core/errors/zester-error.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { credsPath, loadCreds, loadOperatorKey } from '../trust/auth-dir.ts';
import { natsAuthenticator } from '../trust/nats-authenticator.ts';
import type { OperatorKey } from '../trust/operator-key.ts';
import type { CliContext, GivenOptions, OptionSpec } from './command.ts';
import { SYSTEM_AUTH_DIR } from './common-options.ts';
import { readFleetFile } from './fleet/fleet-file.ts';
import { shellWord } from './shell-word.ts';
import { type WaitFor, waitsOf } from './wait-for.ts';

export const CONNECT_OPTIONS: readonly OptionSpec[] = [
  { name: 'dir', value: 'DIR', doc: 'directory of a local deployment; default $ZESTER_DIR, else .zester' },
  { name: 'nats-url', value: 'URLS', doc: 'tls://host:port, several with commas; default $NATS_URL' },
  {
    name: 'auth-dir',
    value: 'DIR',
    doc: `directory with the admin’s credentials; default ${SYSTEM_AUTH_DIR}`,
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
  const bus = openBus(connection, context.runtime, { patience: patienceOf(context) });
  const waitFor = waitsOf(context, { isText: (given.text('format') ?? 'text') === 'text' });
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

/** A command bears an election, and says after a moment why nothing happens; once, however many questions wait. */
function patienceOf(context: CliContext): Patience {
  let isTold = false;
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
  const authDir = resolve(cwd, given.text('auth-dir') ?? SYSTEM_AUTH_DIR);
  const url = given.text('nats-url') ?? (given.text('dir') === undefined ? env.NATS_URL : undefined);
  if (url) {
    const caFile = given.text('ca') ?? env.NATS_CA_FILE ?? join(authDir, 'ca/root.crt');
    return { servers: url.split(',').map((each) => each.trim()), authDir, caFile: resolve(cwd, caFile) };
  }
  const dir = resolve(cwd, given.text('dir') ?? (env.ZESTER_DIR || '.zester'));
  const fleet = existsSync(dir) ? readFleetFile(dir) : undefined;
  if (fleet === undefined) throw zesterError('CLI_NO_DEPLOYMENT', { dir });
  return { servers: [fleet.url], authDir: fleet.authDir, caFile: fleet.caFile, fleetDir: dir };
}
