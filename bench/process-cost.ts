/**
 * This file reads what a process has cost so far, as the kernel counts it: the same whether or not others use the
 * machine.
 */
import { readFileSync } from 'node:fs';

const CLOCK_TICKS_PER_MS = 0.1;

/** User and system time. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_MS;
}

export function rssMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Bytes that went through its reads and writes: sockets, with TLS, and files. */
export function bytesMoved(pid: number): number {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8');
  const of = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return of('rchar') + of('wchar');
}
