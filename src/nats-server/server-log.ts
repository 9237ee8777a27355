/**
 * The log of nats-server is its output, appended to one file. Above LOG_BYTES_MAX it is copied to `<file>.1` and
 * emptied in place, since the server keeps the file open and appends. Lines written between copy and emptying are lost;
 * that is the price of a bound without the server's help, and it is paid once in many megabytes.
 */
import { closeSync, constants, copyFileSync, openSync, readSync, statSync, truncateSync } from 'node:fs';

const LOG_BYTES_MAX = 16 * 1024 * 1024;
const TAIL_BYTES = 8 * 1024;
const TAIL_LINES = 10;

/** For both output streams of a server; the caller closes it once the server has it. */
export function openLog(path: string): number {
  return openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600);
}

export function boundLog(path: string): void {
  if (logBytes(path) <= LOG_BYTES_MAX) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path, 0);
}

export function logBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The last lines written after `fromByte`, for the messages of what went wrong. */
export function lastLines(path: string, fromByte = 0): string {
  const size = logBytes(path);
  const start = Math.max(fromByte, size - TAIL_BYTES, 0);
  if (size <= start) return '(nothing)';
  const buffer = Buffer.alloc(size - start);
  const file = openSync(path, 'r');
  try {
    readSync(file, buffer, 0, buffer.length, start);
  } finally {
    closeSync(file);
  }
  return buffer.toString('utf8').trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
}
