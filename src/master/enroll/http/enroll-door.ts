/**
 * The enrollment door is the HTTPS listener of a master at which machines that are no peels yet ask to become one. TLS 1.3, HTTP/1.1, no
 * framework. What is asked is in door-answers.ts; here is everything that keeps strangers from costing us more than they may.
 *
 * Bounds (core/enroll/desk/door-limits.ts has the numbers that depend on who asks): connections are counted before TLS begins, and so is
 * the rate of handshakes; one too many is closed without a word; a handshake, headers and a request each have their time, so that
 * a slow one is cut; headers and body have their size; requests have their rate, by the address of the connection, whatever
 * headers say; streams that wait have their number. Until the master is ready every question is answered with 503, so that
 * machines go elsewhere. A stranger who hangs up in the middle has asked badly: that is no failure of ours.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { clientAddress, clientNetwork } from '../../../core/enroll/desk/client-network.ts';
import type { DoorLimits } from '../../../core/enroll/desk/door-limits.ts';
import { isZesterError, zesterError } from '../../../core/errors/zester-error.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { ENROLL_BODY_BYTES_MAX } from '../../../wire/names/enroll-routes.ts';
import type { EnrollBootstrap } from '../../../wire/records/enroll/enroll-http.ts';
import type { MasterMetrics } from '../../master-metrics.ts';
import type { EnrollmentDesk } from '../enrollment-desk.ts';
import { DoorAnswers, type DoorRoute, doorError, type HttpAnswer, routeOf } from './door-answers.ts';
import type { DoorCertificate } from './door-certificate.ts';
import { HEARTBEAT_MS, streamStatus } from './door-stream.ts';

export interface DoorAddress {
  /** Empty: every address of the machine. */
  readonly host: string;
  readonly port: number;
}

export type DoorMetrics = Pick<MasterMetrics, 'doorAnswered' | 'doorClosed'>;

export interface DoorParts {
  readonly runtime: Runtime;
  readonly desk: EnrollmentDesk;
  readonly isReady: () => boolean;
  readonly certificate: DoorCertificate;
  /** What machines are told by now; undefined: there is no CA to hand out. */
  readonly bootstrap: () => EnrollBootstrap | undefined;
  readonly limits: DoorLimits;
  readonly metrics: DoorMetrics;
}

export interface EnrollDoor {
  /** With the port that was taken. */
  readonly address: DoorAddress;
  stop(): Promise<void>;
}

const HEADER_BYTES_MAX = 8_192;
const HANDSHAKE_MS_MAX = 10_000;
const HEADERS_MS_MAX = 10_000;
const REQUEST_MS_MAX = 15_000;
/** How often Node looks for requests that take too long. */
const LOOK_MS = 2_000;
const KEEP_ALIVE_MS = 5_000;
const REQUESTS_OF_CONNECTION_MAX = 100;
/** Longer than a heartbeat of a stream. */
const IDLE_MS_MAX = 2 * HEARTBEAT_MS;
const JSON_TYPE = 'application/json; charset=utf-8';
const JSON_BODY = /^application\/json\s*(?:;\s*charset=utf-8\s*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Rejects with ENROLL_ADDRESS when the address cannot be had. */
export async function openEnrollDoor(parts: DoorParts, address: DoorAddress): Promise<EnrollDoor> {
  const { certificate, runtime } = parts;
  const answers = new DoorAnswers(parts.desk, parts.bootstrap);
  const server = createServer(
    {
      ...certificate.current(),
      minVersion: 'TLSv1.3',
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: HANDSHAKE_MS_MAX,
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      connectionsCheckingInterval: LOOK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => void serve(parts, answers, request, response),
  );
  server.maxRequestsPerSocket = REQUESTS_OF_CONNECTION_MAX;
  server.timeout = IDLE_MS_MAX;
  const open = gate(server, parts);
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('tlsClientError', (error, socket) => {
    runtime.log.debug('a connection to the enrollment door failed', { error });
    socket.destroy();
  });
  await listening(server, address);
  const keeping = certificate.keep((pair) => server.setSecureContext({ ...pair, minVersion: 'TLSv1.3' }));
  const { address: host, port } = server.address() as AddressInfo;
  return {
    address: { host, port },
    stop: () =>
      new Promise((resolve) => {
        keeping.stop();
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Counts connections, and their rate, before TLS begins: a handshake is what costs most here. Answers with those that are open. */
function gate(server: Server, { limits, metrics, runtime }: DoorParts): ReadonlySet<Socket> {
  const { connections } = limits;
  const open = new Set<Socket>();
  const admit = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const network = clientNetwork(socket.remoteAddress ?? '');
    const close = (limit: 'connections' | 'rate') => {
      metrics.doorClosed(limit);
      socket.destroy();
    };
    if (!connections.open(network)) return close('connections');
    if (!limits.handshake(network, runtime.clock.monotonicMs())) {
      connections.close(network);
      return close('rate');
    }
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      connections.close(network);
    });
    for (const listener of admit) listener.call(server, socket);
  });
  return open;
}

function listening(server: Server, { host, port }: DoorAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'another program listens there' : cause.message;
      reject(zesterError('ENROLL_ADDRESS', { address: `${host}:${port}`, reason }, { cause }));
    });
    server.listen(host === '' ? { port } : { port, host }, resolve);
  });
}

async function serve(
  parts: DoorParts,
  answers: DoorAnswers,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { runtime, metrics, limits } = parts;
  const address = clientAddress(request.socket.remoteAddress ?? '');
  let route: DoorRoute | undefined;
  let answer: HttpAnswer;
  try {
    mayAsk(limits, clientNetwork(address), runtime.clock.monotonicMs());
    const [path = '', search = ''] = (request.url ?? '').split('?', 2);
    route = routeOf(request.method ?? '', path);
    if (!parts.isReady()) throw zesterError('ENROLL_NOT_READY', {});
    if (route.is === 'stream') {
      metrics.doorAnswered(route.is, 200);
      await stream(parts, route, clientNetwork(address), response);
      return;
    }
    const body = route.is === 'submit' ? await readBody(request) : '';
    const { authorization = '' } = request.headers;
    const query = new URLSearchParams(search);
    answer = await answers.answer(route, { query, authorization, address, body });
  } catch (error) {
    if (!isZesterError(error)) runtime.log.error('a request at the enrollment door failed', { route, error });
    answer = doorError(error);
  }
  metrics.doorAnswered(route?.is ?? 'none', answer.status);
  send(request, response, answer);
}

function mayAsk(limits: DoorLimits, network: string, nowMs: number): void {
  const waitMs = limits.request(network, nowMs);
  if (waitMs > 0) throw zesterError('ENROLL_RATE', { network, seconds: Math.ceil(waitMs / 1_000) });
}

async function stream(
  { desk, limits, runtime }: DoorParts,
  { id }: Extract<DoorRoute, { readonly id: unknown }>,
  network: string,
  response: ServerResponse,
): Promise<void> {
  const record = await desk.status(id);
  const { streams } = limits;
  if (!streams.open(network)) {
    const own = streams.of(network);
    const isFull = own < streams.size;
    const [count, where] = isFull ? [streams.size, ''] : [own, ` from ${network}`];
    throw zesterError('ENROLL_STREAMS_BUSY', { count, where });
  }
  try {
    await streamStatus(desk, record, response, runtime.clock);
  } finally {
    streams.close(network);
  }
}

function readBody(request: IncomingMessage): Promise<string> {
  const { 'content-type': type = 'application/json', 'content-encoding': encoding = 'identity' } =
    request.headers;
  if (!JSON_BODY.test(type) || encoding !== 'identity')
    return Promise.reject(zesterError('ENROLL_BODY_TYPE', {}));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > ENROLL_BODY_BYTES_MAX)
        reject(zesterError('ENROLL_BODY_TOO_LARGE', { max: ENROLL_BODY_BYTES_MAX }));
      else chunks.push(chunk);
    });
    // A connection that broke off is told by both.
    const cut = () => reject(zesterError('ENROLL_REQUEST_INVALID', { problem: 'its body is not whole' }));
    request.on('error', cut);
    request.on('close', cut);
    request.on('end', () => {
      try {
        resolve(utf8.decode(Buffer.concat(chunks)));
      } catch {
        reject(zesterError('ENROLL_BODY_TYPE', {}));
      }
    });
  });
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, headers = {} }: HttpAnswer,
): void {
  const text = `${JSON.stringify(body)}\n`;
  // What was not read of the body is not read any more.
  const isWhole = request.complete || request.method === 'GET' || request.method === 'HEAD';
  response.writeHead(status, {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
    ...(isWhole ? {} : { connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : text, () => {
    if (!isWhole) request.destroy();
  });
}
