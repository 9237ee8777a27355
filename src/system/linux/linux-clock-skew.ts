/**
 * `linuxClockSkew` asks who keeps the time on this machine, the cheapest first: the file that systemd-timesyncd touches
 * at each synchronization, then chrony, then timedatectl for the kernel's own flag (adjtimex(2), which Node cannot call
 * and any other time daemon sets). A source that is missing, silent for `ASK_TIMEOUT_MS` or unreadable is passed over;
 * `why` says what was tried.
 */
import type { Clock } from '../../runtime/clock.ts';
import type { ClockReading, ClockSkewQuery } from '../clock-skew.ts';
import type { ReadFiles } from '../files.ts';
import { outputText, type Processes } from '../processes.ts';

export interface ClockSkewParts {
  readonly files: ReadFiles;
  readonly processes: Processes;
  readonly clock: Clock;
}

const TIMESYNCD_STAMP = '/run/systemd/timesync/synchronized';
/** timesyncd polls at least every 2,048 s; after three missed polls its last word counts no more. */
const TIMESYNCD_FRESH_MS = 3 * 2_048_000;
const ASK_TIMEOUT_MS = 3_000;

export function linuxClockSkew(parts: ClockSkewParts): ClockSkewQuery {
  return async () => {
    const reading =
      (await askTimesyncd(parts)) ??
      (await ask(parts, ['chronyc', '-c', 'tracking'], readChronyTracking)) ??
      (await ask(parts, ['timedatectl', 'show', '--property=NTPSynchronized'], readTimedatectl));
    return (
      reading ?? { state: 'unknown', source: 'none', why: 'no timesyncd, chrony or timedatectl answered' }
    );
  };
}

async function askTimesyncd({ files, clock }: ClockSkewParts): Promise<ClockReading | undefined> {
  const stamp = await files.stat(TIMESYNCD_STAMP).catch(passOver);
  if (stamp === undefined) return undefined;
  const ageMs = clock.nowMs() - stamp.mtimeMs;
  if (ageMs > TIMESYNCD_FRESH_MS) return undefined;
  const why = `systemd-timesyncd synchronized it ${Math.round(ageMs / 1000)} s ago`;
  return { state: 'synchronized', source: 'systemd-timesyncd', why };
}

async function ask(
  { processes }: ClockSkewParts,
  argv: readonly [string, ...string[]],
  read: (output: string) => ClockReading | undefined,
): Promise<ClockReading | undefined> {
  const result = await processes.run({ argv, timeoutMs: ASK_TIMEOUT_MS }).catch(passOver);
  return result?.exitCode === 0 ? read(outputText(result.stdout)) : undefined;
}

/** A source that cannot be asked says nothing about the clock; the next one may. */
function passOver(): undefined {
  return undefined;
}

/** One CSV line; field 5 is how far the clock is behind NTP time in seconds, field 14 the leap status. */
export function readChronyTracking(output: string): ClockReading | undefined {
  const fields = output.trim().split(',');
  const [, server = '', , , behindSeconds = ''] = fields;
  const leap = fields[13];
  if (leap === undefined || !Number.isFinite(Number.parseFloat(behindSeconds))) return undefined;
  if (leap === 'Not synchronised')
    return { state: 'unsynchronized', source: 'chrony', why: 'chrony runs and has no usable time source' };
  const offsetMs = -Number.parseFloat(behindSeconds) * 1000;
  const why = `chrony follows ${server}, clock off by ${offsetMs.toFixed(3)} ms`;
  return { state: 'synchronized', offsetMs, source: 'chrony', why };
}

export function readTimedatectl(output: string): ClockReading | undefined {
  const flag = /^NTPSynchronized=(yes|no)$/m.exec(output)?.[1];
  if (flag === undefined) return undefined;
  const why = `the kernel says that its clock is ${flag === 'yes' ? '' : 'not '}synchronized`;
  return { state: flag === 'yes' ? 'synchronized' : 'unsynchronized', source: 'timedatectl', why };
}
