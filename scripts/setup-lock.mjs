/**
 * The set-up lock lets one set-up run at a time in this clone: two must not install packages into one node_modules at
 * once. The lock is an abstract unix socket, which the kernel frees when its holder ends, however it ends. Whoever
 * comes second connects to it and waits for the connection to close.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { connect, createServer } from 'node:net';

/** Runs `work` alone. `say` gets a line if there is someone to wait for. */
export async function alone(root, say, work) {
  const hash = createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 32);
  const name = `\0zester-setup-${hash}`;
  for (;;) {
    const lock = await take(name);
    if (lock !== undefined) {
      try {
        return await work();
      } finally {
        for (const socket of lock.waiting) socket.destroy();
        lock.server.close();
      }
    }
    await waitForHolder(name, say);
  }
}

function take(name) {
  return new Promise((resolve, reject) => {
    const waiting = new Set();
    const server = createServer((socket) => {
      waiting.add(socket.on('error', () => undefined).on('close', () => waiting.delete(socket)));
      socket.write(String(process.pid));
    });
    server.on('error', (error) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen(name, () => resolve({ server, waiting }));
  });
}

function waitForHolder(name, say) {
  return new Promise((resolve) => {
    const socket = connect(name);
    socket.on('data', (pid) =>
      say(`another set-up of this clone is running (process ${pid}); waiting for it`),
    );
    socket.on('error', () => undefined);
    socket.on('close', resolve);
  });
}
