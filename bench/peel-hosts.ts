/** `startPeelHosts` starts the processes full of peels (peel-host.ts) and waits until each of their peels is connected. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const HOSTS = 2;
const HOST_PROGRAM = fileURLToPath(new URL('peel-host.mjs', import.meta.url));

export interface HostedPeels {
  readonly mode: 'raw' | 'peel' | 'mirror' | 'join';
  readonly url: string;
  readonly authDir: string;
  readonly first: number;
  readonly count: number;
  /** For `mirror`: where each peel has its data directory, by its name. For `join`: what to join (`BenchDoor`), as JSON. */
  readonly dir?: string;
  readonly execArgv?: readonly string[];
}

export async function startPeelHosts(peels: HostedPeels): Promise<ChildProcess[]> {
  const { mode, url, authDir, first, count, dir = '', execArgv = [] } = peels;
  const share = Math.ceil(count / HOSTS);
  const hosts: ChildProcess[] = [];
  for (let from = first; from < first + count; from += share) {
    const args = [mode, url, authDir, from, Math.min(share, first + count - from), dir];
    hosts.push(fork(HOST_PROGRAM, args.map(String), { execArgv: [...execArgv] }));
  }
  await Promise.all(
    hosts.map(
      (host) =>
        new Promise<void>((resolve, reject) => {
          host.once('message', () => resolve());
          host.once('exit', (code) => reject(new Error(`a peel host ended with ${code}`)));
        }),
    ),
  );
  return hosts;
}
