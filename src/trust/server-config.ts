/**
 * `renderServerConfig` writes the configuration of a nats-server, as text: operator mode, TLS 1.3, JetStream, full
 * resolver. Written by whoever starts a server (`zester up`, a test) and shown to those who run their own.
 *
 * Every text goes through `quoted`, every number through `whole`: no path or name can end its string and say something
 * else. The server does not look for `$variables` inside quotes.
 *
 * All three accounts are preloaded. The full resolver keeps what was pushed to it later (revocations) on disk; at a
 * restart the preloaded JWT replaces the stored one unless the stored one was issued later. `resignAccount` sees to that.
 */
import { assert } from '../core/assert.ts';
import { zesterError } from '../core/errors/zester-error.ts';
import { limitText, SERVER_LIMIT_RULES, type ServerLimits } from '../core/server-limits.ts';
import type { PublicTrust } from './accounts/topology.ts';

export interface ListenAddress {
  readonly host: string;
  /** -1 lets the system choose; the server tells in its ports file. */
  readonly port: number;
}

export interface TlsFiles {
  /** Leaf and intermediate. */
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

export interface ServerConfig {
  readonly serverName: string;
  readonly listen: ListenAddress;
  readonly tls: TlsFiles;
  readonly trust: PublicTrust;
  /** Where the full resolver keeps account JWTs. */
  readonly resolverDir: string;
  readonly jetstream: {
    readonly storeDir: string;
    /** `always`: an acknowledged write is on disk (decision 40). `default`: the server's own interval. */
    readonly syncInterval: 'always' | 'default';
    readonly memoryBytesMax?: number;
    readonly fileBytesMax?: number;
  };
  readonly cluster?: {
    readonly name: string;
    readonly listen: ListenAddress;
    /** The other nodes. Routes use the same certificate, and both ends check it. */
    readonly routes: readonly ListenAddress[];
  };
  /** Others than those of `core/server-limits.ts`. */
  readonly limits?: Partial<ServerLimits>;
  readonly logFile?: string;
  readonly pidFile?: string;
  readonly portsFileDir?: string;
}

/** Room for user JWTs with explicit permissions; the server's default of 4096 takes them up to 3,781 bytes. */
const CONTROL_LINE_BYTES_MAX = 16_384;
/**
 * How often servers of a cluster compare their account JWTs. A server that was down, or not yet joined, when a
 * revocation was pushed lets the revoked peel in until it next compares: seen for 76 s with "2m", for 5 s with this.
 */
const RESOLVER_INTERVAL = '5s';
/**
 * How long a server waits for a guest to finish the TLS handshake, and then to present its credentials. The server's
 * own 2 s are over before twenty programs that start at once on a busy machine have had their turns on the processor.
 * Whoever says nothing holds a socket for this long, no more.
 */
const TLS_HANDSHAKE_S_MAX = 30;
const CREDENTIALS_S_MAX = TLS_HANDSHAKE_S_MAX + 10;
const PORT_MAX = 65_535;

export function renderServerConfig(config: ServerConfig): string {
  const { limits = {}, logFile, pidFile, portsFileDir, cluster } = config;
  return lines([
    `server_name: ${quoted('server_name', config.serverName)}`,
    ...hostPort('listen', config.listen),
    `max_control_line: ${CONTROL_LINE_BYTES_MAX}`,
    ...limitLines(limits),
    logFile === undefined ? undefined : `logfile: ${quoted('logfile', logFile)}`,
    pidFile === undefined ? undefined : `pid_file: ${quoted('pid_file', pidFile)}`,
    portsFileDir === undefined ? undefined : `ports_file_dir: ${quoted('ports_file_dir', portsFileDir)}`,
    block('tls', tlsLines(config.tls, { verify: false })),
    block('authorization', [`timeout: ${CREDENTIALS_S_MAX}`]),
    jetstreamBlock(config.jetstream),
    cluster === undefined ? undefined : clusterBlock(cluster, config.tls),
    block('resolver', [
      'type: full',
      `dir: ${quoted('resolver dir', config.resolverDir)}`,
      'allow_delete: false',
      `interval: "${RESOLVER_INTERVAL}"`,
    ]),
    renderTrust(config.trust),
  ]);
}

/** The part that every server of a deployment has in common, also for those who write the rest themselves. */
export function renderTrust({ operatorJwt, system, control, agents }: PublicTrust): string {
  return lines([
    `operator: ${quoted('operator', operatorJwt)}`,
    `system_account: ${quoted('system_account', system.publicKey)}`,
    block(
      'resolver_preload',
      [system, control, agents].map(
        ({ publicKey, jwt }) =>
          `${quoted('resolver_preload', publicKey)}: ${quoted('resolver_preload', jwt)}`,
      ),
    ),
  ]);
}

function limitLines(limits: Partial<ServerLimits>): readonly string[] {
  return SERVER_LIMIT_RULES.map(({ limit, setting, wanted }) => {
    const value = limits[limit] ?? wanted;
    whole(value);
    return `${setting}: ${limitText(limit, value)}`;
  });
}

function jetstreamBlock(jetstream: ServerConfig['jetstream']): string {
  const { storeDir, syncInterval, memoryBytesMax, fileBytesMax } = jetstream;
  return block('jetstream', [
    `store_dir: ${quoted('store_dir', storeDir)}`,
    syncInterval === 'always' ? 'sync_interval: always' : undefined,
    memoryBytesMax === undefined ? undefined : `max_memory_store: ${whole(memoryBytesMax)}`,
    fileBytesMax === undefined ? undefined : `max_file_store: ${whole(fileBytesMax)}`,
  ]);
}

function clusterBlock({ name, listen, routes }: NonNullable<ServerConfig['cluster']>, tls: TlsFiles): string {
  return block('cluster', [
    `name: ${quoted('cluster name', name)}`,
    ...hostPort('cluster listen', listen),
    `routes: [${routes.map((route) => quoted('route', routeUrl(route))).join(', ')}]`,
    block('tls', tlsLines(tls, { verify: true })),
    block('authorization', [`timeout: ${CREDENTIALS_S_MAX}`]),
  ]);
}

function tlsLines(files: TlsFiles, { verify }: { readonly verify: boolean }): readonly string[] {
  return [
    `cert_file: ${quoted('cert_file', files.certificateFile)}`,
    `key_file: ${quoted('key_file', files.keyFile)}`,
    `ca_file: ${quoted('ca_file', files.caFile)}`,
    'min_version: "1.3"',
    `verify: ${verify}`,
    `timeout: ${TLS_HANDSHAKE_S_MAX}`,
  ];
}

function hostPort(setting: string, { host, port }: ListenAddress): readonly string[] {
  assert(
    Number.isInteger(port) && (port === -1 || (port > 0 && port <= PORT_MAX)),
    'a port is -1 or 1 to 65535',
  );
  return [`host: ${quoted(setting, host)}`, `port: ${port}`];
}

function routeUrl({ host, port }: ListenAddress): string {
  return `tls://${host.includes(':') ? `[${host}]` : host}:${whole(port)}`;
}

function block(name: string, content: readonly (string | undefined)[]): string {
  return `${name} {\n${lines(content).replaceAll(/^(?=.)/gm, '  ')}}`;
}

function lines(content: readonly (string | undefined)[]): string {
  return content
    .filter((line) => line !== undefined)
    .map((line) => (line.endsWith('\n') ? line : `${line}\n`))
    .join('');
}

function whole(value: number): string {
  assert(Number.isSafeInteger(value) && value > 0, 'a limit of the server is a positive whole number');
  return String(value);
}

/**
 * Double quotes, with `\` and `"` escaped: all that the server's lexer treats specially there. Control characters are
 * refused (it takes a NUL for the end of the file), and so is half a surrogate pair, which has no UTF-8 form.
 */
function quoted(setting: string, text: string): string {
  if (/[\x00-\x1f\x7f]/.test(text) || /\p{Surrogate}/u.test(text))
    throw zesterError('TRUST_CONFIG_TEXT', { setting });
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
