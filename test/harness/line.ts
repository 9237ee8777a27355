/**
 * A line stands between a program and its nats-server; a test can make it deaf in one direction or both, slow it, or cut it.
 * What is swallowed is lost for good, as on a line that breaks before anyone has noticed; the TLS of a connection that
 * has lost bytes is beyond repair, so a deaf line is healed by cutting it.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { systemClock } from '../../src/runtime/system-clock.ts';

export type Direction = 'to the server' | 'from the server';
export type Deafness = Direction | 'both ways';

export class Line {
  private readonly listener: Server;
  private readonly sockets = new Set<Socket>();
  private deaf: Deafness | undefined;
  private swallowed = 0;
  private bytesPerSecond = Number.POSITIVE_INFINITY;

  private constructor(listener: Server, serverPort: number) {
    this.listener = listener;
    listener.on('connection', (client) => this.join(client, connect(serverPort, '127.0.0.1')));
  }

  static async to(serverPort: number): Promise<Line> {
    const listener = createServer();
    const line = new Line(listener, serverPort);
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return line;
  }

  get url(): string {
    return `tls://127.0.0.1:${(this.listener.address() as AddressInfo).port}`;
  }

  /** Since the line became deaf. */
  get bytesSwallowed(): number {
    return this.swallowed;
  }

  /** New connections are deaf as well, until the line is cut. */
  swallow(direction: Deafness): void {
    this.deaf = direction;
    this.swallowed = 0;
  }

  /** In each direction. */
  slow(bytesPerSecond: number): void {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Ends every connection; new ones are whole. */
  cut(): void {
    this.deaf = undefined;
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    this.listener.close();
    await once(this.listener, 'close');
  }

  private join(client: Socket, server: Socket): void {
    this.pass(client, server, 'to the server');
    this.pass(server, client, 'from the server');
  }

  private pass(from: Socket, to: Socket, direction: Direction): void {
    this.sockets.add(from);
    from.on('data', (chunk) => {
      if (this.deaf === direction || this.deaf === 'both ways') this.swallowed += chunk.length;
      else to.write(chunk);
      if (this.bytesPerSecond === Number.POSITIVE_INFINITY) return;
      from.pause();
      systemClock.after((chunk.length * 1_000) / this.bytesPerSecond, () => from.resume());
    });
    // An error is a close that says why; nobody here wants to know why.
    from.on('error', () => undefined);
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
  }
}
