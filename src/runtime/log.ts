/**
 * A structured log writes one JSON object a line. Field names are snake_case as on the wire. A redaction hook sees
 * every value before it is written: secrets are masked there, in one place, and not at each call. What strangers say is
 * escaped, so that a log can be read on a terminal.
 */
import { printableJson } from '../core/printable.ts';
import type { Clock } from './clock.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log that adds these fields to every line. */
  with(fields: LogFields): Log;
}

export interface LogOptions {
  readonly clock: Clock;
  readonly write: (line: string) => void;
  readonly level?: LogLevel;
  /** Gets every text that is about to be written; returns it with secrets masked. */
  readonly redact?: (text: string) => string;
}

const RANK: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
/** A longer text is cut: one line must never flood the journal. */
const TEXT_CHARS_MAX = 8_192;
const DEPTH_MAX = 6;

export function jsonLog(options: LogOptions): Log {
  return logWith(options, {});
}

function logWith(options: LogOptions, base: LogFields): Log {
  const threshold = RANK[options.level ?? 'info'];
  const redact = options.redact ?? ((text: string) => text);
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (RANK[level] < threshold) return;
    const plain = plainValue({ ...base, ...fields }, redact, 0) as object;
    const time = new Date(options.clock.nowMs()).toISOString();
    options.write(`${printableJson({ time, level, msg: redact(message), ...plain })}\n`);
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => logWith(options, { ...base, ...fields }),
  };
}

/** The same log, for whom every text is redacted before it gets there: whatever wrote the log it was made from. */
export function redactedLog(log: Log, redact: (text: string) => string, base: LogFields = {}): Log {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) =>
    log[level](redact(message), plainValue({ ...base, ...fields }, redact, 0) as LogFields);
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => redactedLog(log, redact, { ...base, ...fields }),
  };
}

/** What JSON can say: errors become their message and causes, bigints text, long text is cut, bytes are counted. */
function plainValue(value: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return cut(redact(value));
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return value;
  if (depth >= DEPTH_MAX) return '…';
  if (value instanceof Error) return plainValue(errorFields(value), redact, depth + 1);
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (Array.isArray(value)) return value.map((item) => plainValue(item, redact, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, plainValue(item, redact, depth + 1)]),
  );
}

/** After the redaction: half of a secret would not be recognized. */
function cut(text: string): string {
  if (text.length <= TEXT_CHARS_MAX) return text;
  return `${text.slice(0, TEXT_CHARS_MAX)}… (${text.length} characters)`;
}

function errorFields(error: Error): LogFields {
  const code = (error as { code?: unknown }).code;
  return {
    error: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause === undefined ? {} : { cause: error.cause }),
  };
}
