import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../runtime/system-clock.ts';
import { readServerInfo } from './server-info.ts';

const servers: Server[] = [];
const guests: Socket[] = [];
afterEach(() => {
  for (const guest of guests.splice(0)) guest.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** Something that listens, and what it does with a guest. */
function listening(greet: (guest: Socket) => void): Promise<number> {
  const server = createServer((guest) => {
    guests.push(guest.on('error', () => undefined));
    greet(guest);
  });
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

const info = (fields: object) => `INFO ${JSON.stringify({ version: '2.10.20', ...fields })}\r\n`;
const read = (port: number, timeoutMs = 5_000) => readServerInfo(systemClock, port, timeoutMs);

describe('readServerInfo', () => {
  it('takes the line in pieces', async () => {
    const port = await listening((guest) => {
      const [head = '', tail = ''] = [info({}).slice(0, 9), info({}).slice(9)];
      guest.write(head, () => guest.write(tail));
    });
    expect(await read(port)).toEqual({ version: '2.10.20', tls: false });
  });

  it.each([
    ['says something else', (guest: Socket) => guest.write('HTTP/1.1 400 Bad Request\r\n')],
    ['hangs up', (guest: Socket) => guest.destroy()],
    ['hangs up in the middle', (guest: Socket) => guest.end('INFO {')],
    ['talks without end', (guest: Socket) => guest.write(`INFO ${'x'.repeat(100_000)}`)],
  ])('is undefined for what %s', async (_what, greet) => {
    expect(await read(await listening(greet))).toBeUndefined();
  });

  it('is undefined after its time for what says nothing', async () => {
    expect(await read(await listening(() => undefined), 50)).toBeUndefined();
  });

  it('is undefined where nobody listens', async () => {
    const port = await listening(() => undefined);
    await new Promise((resolve) => servers.splice(0)[0]?.close(resolve));
    expect(await read(port)).toBeUndefined();
  });

  it.each([
    ['never answers the handshake', () => undefined],
    ['hangs up on it', (guest: Socket) => guest.once('data', () => guest.destroy())],
    ['answers nonsense', (guest: Socket) => guest.once('data', () => guest.write('nonsense'))],
  ])('knows what it read, also of a server that wants TLS and %s', async (_what, then) => {
    const port = await listening((guest) => {
      guest.write(info({ tls_required: true }));
      then(guest);
    });
    expect(await read(port, 300)).toEqual({ version: '2.10.20', tls: true });
  });
});
