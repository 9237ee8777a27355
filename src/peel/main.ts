/** The program zester-peel: a peel on this machine and a real NATS. Everything it decides is in `start-peel.ts`. */
import { resolve } from 'node:path';
import { openAgentBus } from '../bus/bus.ts';
import { connectNats } from '../bus/nats/nats-connection.ts';
import { zesterError } from '../core/errors/zester-error.ts';
import { SecretBook } from '../core/redact/secret-book.ts';
import { lastWords } from '../daemon/last-words.ts';
import { Metrics } from '../daemon/metrics.ts';
import { natsMetrics } from '../daemon/nats-metrics.ts';
import { serveDaemon } from '../daemon/serve-daemon.ts';
import { FUNCTIONS } from '../modules/registry.ts';
import { STATE_MODULES } from '../modules/state-registry.ts';
import { lockDirectory } from '../process/directory-lock.ts';
import { jsonLog, type LogLevel } from '../runtime/log.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { stopSource } from '../runtime/signals.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { systemRandom } from '../runtime/system-random.ts';
import { VERSION, versionLine } from '../runtime/version.ts';
import { linuxSystem } from '../system/linux/linux-system.ts';
import { loadCreds } from '../trust/auth-dir.ts';
import type { Creds } from '../trust/creds.ts';
import { makeDirectories } from '../trust/key-files.ts';
import { natsAuthenticator } from '../trust/nats-authenticator.ts';
import { curveKeyOf, rawSeedOf, type SigningKey } from '../trust/nkeys.ts';
import { parsePeelId } from '../wire/names/ids.ts';
import { joinCommand } from './join/join-command.ts';
import { writeCredsFile } from './join/peel-auth-dir.ts';
import { type KeptCredentials, keepCredentials } from './join/renew-credentials.ts';
import { settleIdentity } from './join/settle-identity.ts';
import { tendConnection } from './join/tend-connection.ts';
import { peelChecks, peelMetrics } from './peel-health.ts';
import { installPeel, PEEL_HELP, type PeelOptions, parsePeelOptions } from './peel-options.ts';
import type { PeelIdentity, PeelState, PeelStates } from './peel-ports.ts';
import { localCall } from './run/local-call.ts';
import { LOCAL_CALL_HELP, parseLocalCall } from './run/local-call-options.ts';
import { responseJson, responseText } from './run/print-response.ts';
import { startPeel } from './start-peel.ts';

/** A second signal insists; and a local call that was interrupted ends with it (decision 9). */
const EXIT_INSISTED = 130;
/** Something failed (decision 9). */
const EXIT_FAILED = 2;
/** Connections of a large fleet are spread over this long. */
const RETRY_MS_MAX = 5_000;

/** Of this process, whatever it runs: what it prints or logs, and what it crashes with, goes without them. */
const secrets = new SecretBook();

const last = lastWords('zester-peel', (text) => secrets.redact(text));

void main(process.argv.slice(2)).then((code) => {
  // Not `exitCode`: what a function left running must not keep the program alive.
  process.exit(code);
});

async function main(words: readonly string[]): Promise<number> {
  try {
    if (words[0] === 'call') return await call(words.slice(1));
    if (words[0] === 'join') return await join(words.slice(1));
    if (words[0] === 'install') {
      await written(installPeel(words.slice(1), [process.execPath, process.argv[1] ?? '']));
      return 0;
    }
    const command = parsePeelOptions(words);
    if ('run' in command) return await run(command.run);
    process.stdout.write(command.show === 'help' ? PEEL_HELP : `${versionLine('zester-peel')}\n`);
    return 0;
  } catch (error) {
    return last.tell(error);
  }
}

/** Without any NATS. */
async function call(words: readonly string[]): Promise<number> {
  const command = parseLocalCall(words);
  if ('show' in command) {
    process.stdout.write(LOCAL_CALL_HELP);
    return 0;
  }
  const interrupted = stopSignal();
  const { statesDir, settingsDir, factsFile, dataDir, format } = command.call;
  const options = {
    ...command.call,
    statesDir: resolve(statesDir),
    settingsDir: settingsDir && resolve(settingsDir),
    factsFile: factsFile && resolve(factsFile),
    dataDir: resolve(dataDir),
  };
  const response = await localCall(options, {
    system: linuxSystem({ clock: systemClock, random: systemRandom }),
    runtime: runtimeWith('warn'),
    version: VERSION,
    signal: interrupted,
    lockDataDir,
    secrets,
  });
  await written(format === 'json' ? responseJson(response) : responseText(response));
  if (interrupted.aborted) return EXIT_INSISTED;
  return response.success ? 0 : EXIT_FAILED;
}

async function join(words: readonly string[]): Promise<number> {
  const { files } = linuxSystem({ clock: systemClock, random: systemRandom });
  const out: string[] = [];
  const code = await joinCommand(words, {
    clock: systemClock,
    random: systemRandom,
    files,
    signal: stopSignal(),
    out: (text) => out.push(text),
    err: (text) => void process.stderr.write(text),
    resolvePath: resolve,
  });
  await written(out.join(''));
  return code;
}

/** Aborts when somebody asks us to stop. */
function stopSignal(): AbortSignal {
  const stop = stopSource();
  void stopAsked().then(() => stop.abort());
  return stop.signal;
}

/** Two peels on one directory would each run every job. Held until the program ends. */
async function lockDataDir(dataDir: string): Promise<void> {
  try {
    makeDirectories(dataDir);
  } catch (cause) {
    throw zesterError('LOCK_UNUSABLE', { path: dataDir, reason: (cause as Error).message }, { cause });
  }
  await lockDirectory(systemClock, dataDir, ({ pid, since }) =>
    zesterError('PEEL_DIR_IN_USE', { dir: dataDir, pid, since }),
  );
}

/** The program ends by `exit`, which does not wait for a pipe. */
function written(text: string): Promise<void> {
  return new Promise((resolveWritten) => process.stdout.write(text, () => resolveWritten()));
}

function runtimeWith(level: LogLevel): Runtime {
  const write = (line: string) => void process.stderr.write(line);
  const log = jsonLog({ clock: systemClock, write, level, redact: (text) => secrets.redact(text) });
  return { clock: systemClock, random: systemRandom, log };
}

async function run(options: PeelOptions): Promise<number> {
  const asked = stopAsked();
  const stopping = stopSource();
  void asked.then(() => stopping.abort());
  const runtime = runtimeWith(options.logLevel);
  const { log } = runtime;
  const dataDir = resolve(options.dataDir);
  const authDir = resolve(options.authDir);
  const line = { clock: systemClock, random: systemRandom, signal: stopping.signal, say: log.info };
  const places = await settleIdentity({ ...options, authDir }, line).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  if (places === undefined) return 0;
  const { credsFile, natsUrls, caFile, isJoined } = places;
  const { key, ...identity } = readIdentity(credsFile, options.id);
  await lockDataDir(dataDir);
  let credsInUse: Creds | undefined;
  let renewal: KeptCredentials | undefined;
  const readCreds = () => loadCreds(credsFile);
  const connection = connectNats({
    servers: natsUrls,
    name: `zester-peel-${identity.peelId}`,
    inboxName: identity.peelId,
    authenticator: natsAuthenticator(() => {
      const creds = readCreds();
      credsInUse = creds;
      return creds;
    }),
    credentialsEndMs: () => expiryMs(credsInUse),
    caFile,
    runtime,
    retryMsMax: RETRY_MS_MAX,
  });
  const bus = openAgentBus(connection, runtime);
  const { customFactsFile } = options;
  const metrics = new Metrics();
  let state = (): PeelState | undefined => undefined;
  const checks = peelChecks(connection, bus, () => state());
  natsMetrics(metrics, connection);
  const parts = { component: 'peel', version: VERSION, runtime, metrics, checks };
  const health = await serveDaemon(parts, options.health);
  const peel = startPeel({
    bus,
    system: linuxSystem({ clock: systemClock, random: systemRandom }),
    runtime,
    identity,
    dataDir,
    version: VERSION,
    functions: FUNCTIONS,
    states: statesFor(options, key),
    secrets,
    issuerInUse: () => credsInUse?.claims.iss,
    agentsKeysChanged: () => renewal?.look(),
    settings: {
      ...(customFactsFile === undefined ? {} : { customFactsFile: resolve(customFactsFile) }),
    },
  });
  state = peel.state;
  peelMetrics(metrics, peel.state, systemClock);
  renewal = keepCredentials({
    bus,
    runtime,
    peelId: identity.peelId,
    readCreds,
    writeJwt: (jwt, creds) => writeCredsFile(credsFile, jwt, creds.key),
    jwtInUse: () => credsInUse?.jwt,
    agentsKeys: peel.agentsKeys,
    reconnect: () => connection.reconnect(),
  });
  const areServersGiven = options.natsUrls !== undefined;
  const tending = isJoined
    ? tendConnection({ connection, runtime, authDir, readCreds, areServersGiven })
    : undefined;
  try {
    await peel.ready;
    await asked;
    log.info('stopping');
    await peel.stop();
    return 0;
  } finally {
    renewal?.stop();
    tending?.stop();
    await bus.close();
    await health.stop();
  }
}

/** Who we are stands in the credentials; `--id` only makes sure that they are the right ones. */
function readIdentity(creds: string, id: string | undefined): PeelIdentity & { readonly key: SigningKey } {
  const { claims, key } = loadCreds(creds);
  const peelId = parsePeelId(claims.name);
  if (peelId === undefined || (id !== undefined && id !== peelId))
    throw zesterError('PEEL_ID', { creds, name: claims.name, id: id ?? 'a peel' });
  return { peelId, curveKey: curveKeyOf(key), key };
}

function expiryMs(creds: Creds | undefined): number | undefined {
  const endS = creds?.claims.exp;
  return endS === undefined ? undefined : endS * 1000;
}

function statesFor(options: PeelOptions, key: SigningKey): PeelStates {
  const { statesDir, statesCache, settingsDir, settingsCache } = options;
  return {
    modules: STATE_MODULES,
    bakedDir: resolve(statesDir),
    caches: { states: resolve(statesCache), settings: resolve(settingsCache) },
    settingsDir: settingsDir && resolve(settingsDir),
    formerUndoSecret: rawSeedOf(key),
  };
}

function stopAsked(): Promise<void> {
  return new Promise((resolveAsked) => {
    let asked = false;
    const stop = () => {
      if (asked) process.exit(EXIT_INSISTED);
      asked = true;
      resolveAsked();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}
