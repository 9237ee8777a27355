/**
 * The health server is a small HTTP listener for probes and metrics, the same for every daemon; no framework, because a
 * peel is a root agent.
 *
 * It takes GET and HEAD, reads no body, and closes every connection after its answer. Bounds: connections, bytes of
 * headers, and the time for a request and for an answer to be read. A page that fails answers 500 and is logged.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { zesterError } from '../core/errors/zester-error.ts';
import type { Log } from '../runtime/log.ts';
import { addressText, type HealthAddress } from './health-address.ts';

export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** By path. */
export type Pages = Readonly<Record<string, () => Page | Promise<Page>>>;

export interface HealthServer {
  /** With the port that was taken. */
  readonly address: HealthAddress;
  stop(): Promise<void>;
}

const CONNECTIONS_MAX = 64;
const HEADER_BYTES_MAX = 8_192;
const REQUEST_MS_MAX = 5_000;
const IDLE_MS_MAX = 10_000;
/** How often Node looks for requests that take too long. */
const LOOK_MS = 5_000;
const PLAIN = 'text/plain; charset=utf-8';

/** Rejects with DAEMON_HEALTH_ADDRESS when the address cannot be had. */
export async function serveHealth(address: HealthAddress, pages: Pages, log: Log): Promise<HealthServer> {
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: REQUEST_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      connectionsCheckingInterval: LOOK_MS,
    },
    (request, response) => void answer(request, response, pages, log),
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = IDLE_MS_MAX;
  await listening(server, address);
  const { address: host, port } = server.address() as AddressInfo;
  return {
    address: { host, port },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, address: HealthAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'another program listens there' : cause.message;
      reject(zesterError('DAEMON_HEALTH_ADDRESS', { address: addressText(address), reason }, { cause }));
    });
    server.listen(address.port, address.host, resolve);
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  pages: Pages,
  log: Log,
): Promise<void> {
  const { method = '', url = '/' } = request;
  const path = url.split('?')[0] ?? '/';
  try {
    send(response, method, await pageFor(method, path, pages));
  } catch (error) {
    log.error('a health page failed', { path, error });
    send(response, method, { status: 500, contentType: PLAIN, body: 'a bug; see the log\n' });
  }
}

function pageFor(method: string, path: string, pages: Pages): Page | Promise<Page> {
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, contentType: PLAIN, body: 'only GET and HEAD\n' };
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page !== undefined) return page();
  return { status: 404, contentType: PLAIN, body: `there is: ${Object.keys(pages).join(' ')}\n` };
}

function send(response: ServerResponse, method: string, { status, contentType, body }: Page): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  });
  response.end(method === 'HEAD' ? undefined : body);
}
