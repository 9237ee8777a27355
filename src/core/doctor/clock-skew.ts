/**
 * This check of `zester doctor` judges whether the clocks of a fleet agree. Deadlines are set on a master's clock and
 * obeyed on a peel's: one that is a minute ahead treats every job as expired. All clocks are compared with the store's,
 * because its time stamps are on everything.
 */
import { formatDuration } from '../duration.ts';
import { count, fail, type Judgement, nameSome, ok, unknown, warn } from './finding.ts';

export interface ClockFacts {
  /** This machine; undefined when the server did not tell its time. */
  readonly here: ClockOffset | undefined;
  readonly servers: readonly ClockOffset[];
  readonly masters: readonly ClockOffset[];
  readonly peels: readonly ClockOffset[];
}

export interface ClockOffset {
  readonly name: string;
  /** How far it is ahead of the store; negative: behind. */
  readonly offsetMs: number;
  /** The offset may be wrong by this much: how long the answer took. */
  readonly uncertainMs: number;
}

const WARN_MS = 2_000;
const FAIL_MS = 30_000;
const FIX = 'let chrony or systemd-timesyncd set the clock of these machines';

export function judgeClocks({ here, servers, masters, peels }: ClockFacts): Judgement {
  const all = [...(here === undefined ? [] : [here]), ...servers, ...masters, ...peels];
  const off = all.filter((each) => surely(each) > WARN_MS).sort((a, b) => surely(b) - surely(a));
  const [worst] = off;
  if (worst !== undefined) {
    const found = `off against the store: ${nameSome(off.map(offsetText))}`;
    return surely(worst) > FAIL_MS
      ? fail(`${found}; jobs there may expire before they start`, FIX)
      : warn(found, FIX);
  }
  if (here === undefined)
    return unknown(
      'the server did not tell its time',
      'compare `date -u` on this machine and on the servers',
    );
  const others = [
    count(servers.length, 'server'),
    count(masters.length, 'master'),
    count(peels.length, 'peel'),
  ].join(', ');
  return ok(
    `within ${formatDuration(WARN_MS)} of the store: this machine (${signed(here.offsetMs)}), ${others}`,
  );
}

function surely({ offsetMs, uncertainMs }: ClockOffset): number {
  return Math.max(0, Math.abs(offsetMs) - uncertainMs);
}

function offsetText({ name, offsetMs }: ClockOffset): string {
  return `${name} ${signed(offsetMs)}`;
}

function signed(ms: number): string {
  return `${ms < 0 ? '-' : '+'}${formatDuration(Math.abs(ms))}`;
}
