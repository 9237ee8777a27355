/**
 * Finds ports of this machine that nobody listens on at the moment. For the routes of a cluster, which every server
 * must know before the first one starts, so the server itself cannot choose. Another program may come between; then the
 * server does not start, and is tried again.
 */
import { createServer, type Server } from 'node:net';

const HOST = '127.0.0.1';

/** All are held before the first is let go, so that no two are the same. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const holders = await Promise.all(Array.from({ length: count }, () => hold(0)));
  const held = holders.filter((holder) => holder !== undefined);
  await Promise.all(held.map(letGo));
  return held.map(({ port }) => port);
}

export async function isPortFree(port: number): Promise<boolean> {
  const holder = await hold(port);
  if (holder === undefined) return false;
  await letGo(holder);
  return true;
}

interface Held {
  readonly port: number;
  readonly server: Server;
}

/** Undefined when another program has it. */
function hold(port: number): Promise<Held | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(port, HOST, () => resolve({ port: (server.address() as { port: number }).port, server }));
  });
}

function letGo({ server }: Held): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
