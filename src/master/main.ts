/** The program zester-master: a master on a real NATS. Everything it does is in `start-master.ts`. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { type AccountServers, openAccountServers } from '../bus/account-servers.ts';
import { openBus } from '../bus/bus.ts';
import type { Connection } from '../bus/connection.ts';
import { lineUp } from '../bus/line-up.ts';
import { connectNats } from '../bus/nats/nats-connection.ts';
import { parseNatsUrl } from '../bus/nats/nats-url.ts';
import { ELECTION_MS_MAX } from '../bus/retry-budget.ts';
import { clusterShape, serverCount } from '../core/cluster-shape.ts';
import { zesterError } from '../core/errors/zester-error.ts';
import { SecretBook } from '../core/redact/secret-book.ts';
import { lastWords } from '../daemon/last-words.ts';
import { Metrics } from '../daemon/metrics.ts';
import { natsMetrics } from '../daemon/nats-metrics.ts';
import { serveDaemon } from '../daemon/serve-daemon.ts';
import { lockDirectory } from '../process/directory-lock.ts';
import { worldOfPids } from '../process/process-table.ts';
import { jsonLog, type Log } from '../runtime/log.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { systemRandom } from '../runtime/system-random.ts';
import { VERSION, versionLine } from '../runtime/version.ts';
import { linuxSystem } from '../system/linux/linux-system.ts';
import type { System } from '../system/system.ts';
import { loadMasterTrust } from '../trust/auth-dir.ts';
import { natsAuthenticator } from '../trust/nats-authenticator.ts';
import { rootPath } from '../trust/x509/ca-dir.ts';
import { OwnCredentials } from './accounts/own-credentials.ts';
import { doorGround, serveEnroll } from './enroll/http/serve-enroll.ts';
import { masterChecks } from './master-health.ts';
import { masterGauges, masterMetrics } from './master-metrics.ts';
import { installMaster, MASTER_HELP, type MasterOptions, parseMasterOptions } from './master-options.ts';
import { type MasterIdentity, masterKeysOf, newMasterId, type SourcePlaces } from './master-ports.ts';
import { findSources, SOURCE_SETS, type SourceOption } from './publish/find-sources.ts';
import { type MasterState, startMaster } from './start-master.ts';
import { keepTimingStores } from './store/store-times.ts';

/** A second signal insists. */
const EXIT_INSISTED = 130;
const DATA_DIR_MODE = 0o700;
/** To ask how many servers there are; then the addresses we were given are counted. */
const COUNT_CONNECT_MS_MAX = 10_000;

/** What this process must not show. */
const book = new SecretBook();
const last = lastWords('zester-master', (text) => book.redact(text));

void main(process.argv.slice(2)).then((code) => {
  process.exit(code);
});

async function main(words: readonly string[]): Promise<number> {
  try {
    if (words[0] === 'install') {
      process.stdout.write(installMaster(words.slice(1), [process.execPath, process.argv[1] ?? '']));
      return 0;
    }
    const command = parseMasterOptions(words);
    if ('run' in command) return await run(command.run);
    process.stdout.write(command.show === 'help' ? MASTER_HELP : `${versionLine('zester-master')}\n`);
    return 0;
  } catch (error) {
    return last.tell(error);
  }
}

async function run(options: MasterOptions): Promise<number> {
  const asked = stopAsked();
  const write = (line: string) => void process.stderr.write(line);
  const redact = (text: string) => book.redact(text);
  const log = jsonLog({ clock: systemClock, write, level: options.logLevel, redact });
  const runtime: Runtime = { clock: systemClock, random: systemRandom, log };
  const { authDir } = options;
  const servers = options.natsUrls.map((url) => parseNatsUrl(url.trim()).url);
  const place = { authDir, ca: options.ca, natsUrls: servers };
  const authority = loadMasterTrust(authDir);
  const ground = doorGround(options.enroll, place, runtime);
  const own = new OwnCredentials(authDir, authority, runtime);
  const system = linuxSystem({ clock: systemClock, random: systemRandom });
  const sources = await settleSources(system, options);
  const identity = thisMaster(runtime);
  const lineOf = (role: 'master' | 'system') =>
    connectNats({
      servers,
      name: `zester-${identity.masterId}${role === 'system' ? '-sys' : ''}`,
      inboxName: role,
      authenticator: natsAuthenticator(() => own.of(role)),
      caFile: options.ca ?? rootPath(authDir),
      runtime,
    });
  const connection = lineOf('master');
  const systemLine = lineOf('system');
  const accountServers = openAccountServers(systemLine, runtime);
  const bus = openBus(connection, runtime, { retryBudget: { ms: ELECTION_MS_MAX } });
  const { masterId, host, pid, version } = identity;
  const metrics = new Metrics();
  let state = (): MasterState | undefined => undefined;
  const checks = masterChecks(connection, bus, systemClock, () => state());
  natsMetrics(metrics, connection);
  const health = await serveDaemon(
    { component: 'master', version, runtime, metrics, checks },
    options.health,
  );
  log.info('master starting', { master: masterId, host, pid, version, nats: servers });
  const storeTimes = keepTimingStores({ bus, runtime });
  const counted = masterMetrics(metrics);
  const master = startMaster({
    bus,
    runtime,
    issuer: {
      agentsAccount: authority.public.agents.publicKey,
      signingKey: authority.agentsSigning,
      caPin: ground.caPin,
    },
    trust: masterKeysOf(authority.control),
    identity,
    system,
    sources,
    isProcessGone,
    secretBook: book,
    storeProblem: () => storeTimes.problem(),
    servers: () => countServers(systemLine, accountServers, servers.length, log),
    accounts: {
      servers: accountServers,
      authority,
      onSettled: (docs) => own.settled(docs) && systemLine.reconnect(),
      onIntroduced: () => own.introduced() && systemLine.reconnect(),
    },
    metrics: counted,
    settings: options.settings,
  });
  state = master.state;
  masterGauges(metrics, master.state);
  const isReady = () => master.state().phase === 'ready';
  const { desk } = master;
  let door = { stop: () => Promise.resolve() };
  try {
    door = await serveEnroll({ ...ground, runtime, desk, isReady, metrics: counted }, options.enroll);
    await Promise.race([asked, master.ready.then(() => asked)]);
    log.info('stopping');
    await door.stop();
    await master.stop();
    return 0;
  } finally {
    storeTimes.stop();
    await door.stop();
    await systemLine.close();
    await bus.close();
    await health.stop();
  }
}

/**
 * Two masters on one data directory would take each other's notes for their own. Held until the program ends; one that
 * publishes nothing needs none.
 */
async function settleSources(system: System, options: MasterOptions): Promise<SourcePlaces> {
  const { states, settings, reactor } = options.sources;
  const absolute = (option: SourceOption) => ({ ...option, path: resolve(option.path) });
  const dataDir = resolve(options.dataDir);
  const given = { states: absolute(states), settings: absolute(settings), reactor: absolute(reactor) };
  const places = await findSources(system.files, given, dataDir);
  const hasSource = SOURCE_SETS.some((set) => places[set] !== undefined);
  if (!hasSource) return places;
  await system.files.makeDirectory(dataDir, { parents: true, mode: DATA_DIR_MODE });
  await lockDirectory(systemClock, dataDir, ({ pid, since }) =>
    zesterError('MASTER_DIR_IN_USE', { dir: dataDir, pid, since }),
  );
  return places;
}

/** By their own word, in the system account; when nobody says so, as many as we were given addresses of. */
async function countServers(
  line: Connection,
  servers: AccountServers,
  addresses: number,
  log: Log,
): Promise<number> {
  try {
    // At the start the two lines come up one after the other: a count by addresses would make too few copies.
    await lineUp(line, { clock: systemClock, timeoutMs: COUNT_CONNECT_MS_MAX });
    const told = await servers.settings();
    return told.length === 0 ? addresses : serverCount(clusterShape(told));
  } catch (error) {
    log.debug('how many servers there are could not be asked', { error });
    return addresses;
  }
}

function thisMaster(runtime: Runtime): MasterIdentity {
  return {
    masterId: newMasterId(runtime),
    host: hostname(),
    pid: process.pid,
    bootId: worldOfPids(),
    version: VERSION,
  };
}

function isProcessGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
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
