/** This file runs the built programs as a person would run them. Nothing outlives its test file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import { until } from '../until.ts';

export const ROOT = resolve(import.meta.dirname, '../../..');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunningProgram {
  readonly child: ChildProcess;
  out(): string;
  err(): string;
  readonly ended: Promise<Ended>;
}

const STOP_MS_MAX = 20_000;
const children = new Set<ChildProcess>();
const dirs: string[] = [];

afterAll(async () => {
  // In order first: a fleet that is killed outright would leave its masters and peels behind.
  for (const child of children) child.kill('SIGTERM');
  await until(() => children.size === 0, 'the programs to end', STOP_MS_MAX).catch(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  await until(() => children.size === 0, 'the programs to be gone');
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
});

/** A directory that goes away after the test file. */
export function scratchDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'zester-e2e-'));
  dirs.push(dir);
  return dir;
}

export function start(file: string, args: readonly string[], options: RunOptions = {}): RunningProgram {
  const child = spawn(file, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ZESTER_DIR: '', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const chunks = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    chunks.err += chunk.toString();
  });
  const ended = new Promise<Ended>((resolveEnd, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      children.delete(child);
      resolveEnd({ code, ...chunks });
    });
  });
  return { child, out: () => chunks.out, err: () => chunks.err, ended };
}

export const startZester = (args: readonly string[], options?: RunOptions): RunningProgram =>
  start(join(ROOT, 'bin/zester'), args, options);

export const zester = (args: readonly string[], options?: RunOptions): Promise<Ended> =>
  startZester(args, options).ended;
