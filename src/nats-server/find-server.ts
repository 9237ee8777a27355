/**
 * Finds a nats-server of at least SERVER_FLOOR: the one that ZESTER_NATS_SERVER names, else ours in the cache, else
 * the system's, else Debian's package, downloaded into the cache. Used by the set-up scripts and by the product.
 *
 * A named server that does not work is an error and not a reason to look further. Everywhere else what was found and
 * refused is remembered, so that the one message at the end says all that was tried.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SERVER_FLOOR } from '../bus/server-floor.ts';
import { zesterError } from '../core/errors/zester-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { downloadServer } from './debian-download.ts';
import { cacheDirs, cachedBinary, type Env } from './server-cache.ts';
import { probeServer } from './server-version.ts';

export interface FindServerOptions {
  readonly env: Env;
  readonly clock: Clock;
  /** Gets a line before work that takes long. */
  readonly say: (line: string) => void;
  /** Stop before the network is used. */
  readonly localOnly?: boolean;
  /** Ends a download, with its programs. */
  readonly signal?: AbortSignal;
}

export interface FoundServer {
  /** Absolute. */
  readonly path: string;
  readonly version: string;
  readonly from: 'setting' | 'cache' | 'system' | 'debian';
}

export async function findServer(options: FindServerOptions): Promise<FoundServer> {
  const named = options.env.ZESTER_NATS_SERVER;
  if (named) return namedServer(options.clock, named);

  const tried: string[] = [];
  const local = (await cachedServer(options, tried)) ?? (await systemServer(options, tried));
  if (local !== undefined) return local;

  if (options.localOnly) {
    tried.push('Debian: not asked');
  } else {
    const download = await downloadServer(options);
    if (download.done) return { path: download.path, version: download.version, from: 'debian' };
    tried.push(`Debian: ${download.reason}`);
  }
  throw zesterError('SERVER_NOT_FOUND', { floor: SERVER_FLOOR, tried: tried.join('; ') });
}

async function namedServer(clock: Clock, named: string): Promise<FoundServer> {
  const path = resolve(named);
  const probe = await probeServer(clock, path);
  if (!probe.usable) throw zesterError('SERVER_SETTING_UNUSABLE', { path: named, reason: probe.reason });
  return { path, version: probe.version, from: 'setting' };
}

async function cachedServer(options: FindServerOptions, tried: string[]): Promise<FoundServer | undefined> {
  const dirs = cacheDirs(options.env);
  for (const dir of dirs) {
    const path = cachedBinary(resolve(dir));
    if (path === undefined) continue;
    const probe = await probeServer(options.clock, path);
    if (probe.usable) return { path, version: probe.version, from: 'cache' };
    tried.push(`cache: ${path} ${probe.reason}`);
  }
  tried.push(`cache: nothing in ${dirs.join(', ')}`);
  return undefined;
}

/** PATH, and /usr/sbin, which is where Debian's package puts it and which users often do not have in PATH. */
async function systemServer(options: FindServerOptions, tried: string[]): Promise<FoundServer | undefined> {
  const dirs = [...(options.env.PATH ?? '').split(':'), '/usr/sbin'];
  const seen = new Set<string>();
  for (const dir of dirs) {
    const path = resolve(join(dir === '' ? '.' : dir, 'nats-server'));
    if (!existsSync(path) || seen.has(realpathSync(path))) continue;
    seen.add(realpathSync(path));
    const probe = await probeServer(options.clock, path);
    if (probe.usable) return { path, version: probe.version, from: 'system' };
    tried.push(`PATH: ${path} ${probe.reason}`);
  }
  if (seen.size === 0) tried.push('PATH: no nats-server');
  return undefined;
}
