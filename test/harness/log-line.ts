/** A log line is one line that a program or a part of it logged, read back from its JSON. */
import type { LogLevel } from '../../src/runtime/log.ts';

export interface LogLine {
  readonly time: string;
  readonly level: LogLevel;
  readonly msg: string;
  readonly [field: string]: unknown;
}
