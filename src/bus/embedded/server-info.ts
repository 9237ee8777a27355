/** What a running nats-server tells about itself: the ports file it writes, and the INFO line it greets with. */
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../runtime/clock.ts';

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
export function readServerInfo(
  clock: Clock,
  port: number,
  timeoutMs: number,
): Promise<ServerInfo | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    let text = '';
    const end = (info: ServerInfo | undefined) => {
      timer.cancel();
      socket.destroy();
      resolve(info);
    };
    const timer = clock.after(timeoutMs, () => end(undefined));
    socket.on('error', () => end(undefined));
    socket.on('close', () => end(undefined));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const lineEnd = text.indexOf('\r\n');
      if (lineEnd >= 0) end(parseInfo(text.slice(0, lineEnd)));
      else if (text.length > INFO_BYTES_MAX) end(undefined);
    });
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
