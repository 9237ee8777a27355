/** `countingProxy` is a way to a server that counts the bytes which go through, TLS included. */
import { type AddressInfo, connect, createServer } from 'node:net';

export interface CountingProxy {
  readonly url: string;
  readonly count: { readonly up: number; readonly down: number };
  close(): void;
}

export async function countingProxy(serverUrl: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(serverUrl);
  const count = { up: 0, down: 0 };
  const proxy = createServer((inner) => {
    const outer = connect(Number(port), hostname);
    inner.on('data', (bytes) => {
      count.up += bytes.length;
    });
    outer.on('data', (bytes) => {
      count.down += bytes.length;
    });
    for (const [here, there] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      here.pipe(there);
      here.on('error', () => there.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `tls://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    count,
    close: () => proxy.close(),
  };
}
