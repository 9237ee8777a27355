/**
 * This file runs rsync, which bench/files.bench.ts compares itself with: from directory to directory on this machine, by
 * its remote algorithm (`--no-whole-file`), without a network or encryption in between.
 */
import { spawn, spawnSync } from 'node:child_process';

export const HOW_TO_INSTALL =
  'rsync is not installed, so there is nothing to compare with. On Debian: apt-get install rsync';

export function hasRsync(): boolean {
  return spawnSync('rsync', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Bytes that went both ways. */
export function rsync(from: string, to: string): Promise<number> {
  const words = ['-a', '--delete', '--no-whole-file', '--stats', `${from}/`, `${to}/`];
  const child = spawn('rsync', words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LC_ALL: 'C' },
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(bytesOf(out, 'sent') + bytesOf(out, 'received'));
      else reject(new Error(`rsync ended with ${code}`));
    });
  });
}

function bytesOf(stats: string, way: 'sent' | 'received'): number {
  const found = new RegExp(`^Total bytes ${way}: ([\\d,]+)`, 'm').exec(stats)?.[1];
  if (found === undefined) throw new Error(`rsync does not say how many bytes it ${way}`);
  return Number(found.replaceAll(',', ''));
}
