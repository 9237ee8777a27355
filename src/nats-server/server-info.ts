/** Reads what a running nats-server tells about itself: the ports file it writes, and the INFO line it greets with. */
import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as secureConnect } from 'node:tls';
import type { Clock } from '../runtime/clock.ts';

export interface ServerInfo {
  readonly version: string;
  readonly tls: boolean;
}

/** A real one is below 2 KiB; more means that something else answers on that port. */
const INFO_BYTES_MAX = 64 * 1024;

/**
 * Connects and reads the INFO line, which comes in plain text also from a server that then asks for TLS.
 * Undefined when nobody listens, or when what listens does not greet like a nats-server in time.
 */
export async function readServerInfo(
  clock: Clock,
  port: number,
  timeoutMs: number,
): Promise<ServerInfo | undefined> {
  const socket = connect({ host: '127.0.0.1', port });
  // Whatever is waited for below sees it as a close.
  socket.on('error', () => socket.destroy());
  const timer = clock.after(timeoutMs, () => socket.destroy());
  try {
    const info = await greeting(socket);
    if (info?.tls) await leaveSecurely(socket);
    return info;
  } finally {
    timer.cancel();
    socket.destroy();
  }
}

/** The INFO line; undefined when the socket closes before it, or says something else. */
function greeting(socket: Socket): Promise<ServerInfo | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const end = (info: ServerInfo | undefined) => {
      socket.off('data', read);
      resolve(info);
    };
    const read = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const lineEnd = text.indexOf('\r\n');
      if (lineEnd >= 0) end(parseInfo(text.slice(0, lineEnd)));
      else if (text.length > INFO_BYTES_MAX) end(undefined);
    };
    socket.on('data', read);
    socket.once('close', () => end(undefined));
  });
}

/**
 * A server that wants TLS logs an error when its guest leaves before the handshake. So we shake hands, say goodbye and
 * wait for the server's own. We know enough by then and tell it nothing: who it is need not be checked.
 */
function leaveSecurely(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
    if (socket.destroyed) return resolve();
    const secure = secureConnect({ socket, rejectUnauthorized: false });
    secure.once('secureConnect', () => secure.end());
    secure.on('error', () => secure.destroy());
    // The server closes first or last; what it says in between is not for us.
    secure.resume();
  });
}

/**
 * The client port from `<program>_<pid>.ports`, which the server writes once it listens: proof that this very
 * process owns the port. Undefined while it is not there, or not there in full.
 */
export async function readPortsFile(portsDir: string, pid: number): Promise<number | undefined> {
  const name = (await readdir(portsDir)).find((entry) => entry.endsWith(`_${pid}.ports`));
  if (name === undefined) return undefined;
  const ports = parseJson(await readFile(join(portsDir, name), 'utf8')) as { nats?: unknown } | undefined;
  const url = Array.isArray(ports?.nats) ? (ports.nats[0] as unknown) : undefined;
  const port = typeof url === 'string' ? /:(\d+)$/.exec(url)?.[1] : undefined;
  return port === undefined ? undefined : Number(port);
}

function parseInfo(line: string): ServerInfo | undefined {
  if (!line.startsWith('INFO ')) return undefined;
  const info = parseJson(line.slice('INFO '.length)) as
    | { version?: unknown; tls_required?: unknown }
    | undefined;
  if (typeof info?.version !== 'string') return undefined;
  return { version: info.version, tls: info.tls_required === true };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Half a file or another protocol: the same as nothing yet.
    return undefined;
  }
}
