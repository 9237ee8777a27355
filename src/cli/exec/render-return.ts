/** A return as people read it: pure text, identical ones grouped, secrets and control characters made harmless. */
import { formatDuration } from '../../core/duration.ts';
import { outcomeOf } from '../../core/jobs/job-tally.ts';
import { type ExecResponse, execResponseCodec, type StateResult } from '../../wire/exec.ts';
import type { PeelId } from '../../wire/ids.ts';
import type { Return } from '../../wire/job-return.ts';
import { msFromNanos } from '../../wire/time.ts';
import { ENCODED_NIL } from '../../wire/wire-value.ts';
import type { Paint } from '../paint.ts';

/** Names shown of a group before the rest is counted. */
const NAMES_SHOWN_MAX = 12;
const NO_OUTPUT = '(no output)';

export interface ReturnGroup {
  readonly peels: readonly PeelId[];
  readonly isGood: boolean;
  readonly body: string;
}

/** Groups returns that read the same, in order of first arrival; the good ones first. */
export function groupReturns(returns: Iterable<Return>): ReturnGroup[] {
  const groups = new Map<string, { peels: PeelId[]; isGood: boolean; body: string }>();
  for (const value of returns) {
    const body = bodyOf(value);
    const isGood = outcomeOf(value) === 'returned';
    const key = `${isGood} ${body}`;
    const group = groups.get(key) ?? { peels: [], isGood, body };
    group.peels.push(value.peelId);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => Number(b.isGood) - Number(a.isGood));
}

export function renderGroup(group: ReturnGroup, paint: Paint): string {
  const names = [...group.peels].sort().map(displayName);
  const shown = names.slice(0, NAMES_SHOWN_MAX).join(', ');
  const rest = names.length > NAMES_SHOWN_MAX ? ` and ${names.length - NAMES_SHOWN_MAX} more` : '';
  const count = names.length > 1 ? ` (${names.length} alike)` : '';
  const head = group.isGood ? paint.good(`${shown}${rest}:`) : paint.bad(`${shown}${rest}:`);
  return `${head}${count}\n${indent(group.body, 4)}\n`;
}

/** A dot in a host name travels as `_`. */
export function displayName(peel: string): string {
  return peel.replaceAll('_', '.');
}

/** The response inside a return; undefined when there is none or it cannot be read. */
export function responseOf(value: Return): ExecResponse | undefined {
  if (value.returnData.length === ENCODED_NIL.length) return undefined;
  try {
    return execResponseCodec.decode(value.returnData);
  } catch {
    return undefined;
  }
}

function bodyOf(value: Return): string {
  const response = responseOf(value);
  const results = response?.results ?? [];
  const lines = results.map((result) => resultText(result, response?.test === true, value.error));
  if (value.error !== '') lines.push(`ERROR: ${value.error}`);
  const text = printable(lines.filter((line) => line !== '').join('\n'));
  if (text !== '') return text;
  return outcomeOf(value) === 'returned' ? NO_OUTPUT : outcomeOf(value);
}

/** Questions and commands show what they answered; states show what they did. `wholeError` is shown by the caller. */
function resultText(result: StateResult, isTest: boolean, wholeError: string): string {
  const { stdout, stderr, result: answer } = result.details;
  const parts: string[] = [];
  if (answer !== undefined) parts.push(answer);
  if (stdout !== undefined) parts.push(stdout.trimEnd());
  if (stderr)
    parts.push(
      ...stderr
        .trimEnd()
        .split('\n')
        .map((line) => `stderr: ${line}`),
    );
  if (answer === undefined && stdout === undefined) {
    parts.push(
      `${result.name}: ${verdictOf(result, isTest)} (${formatDuration(msFromNanos(result.duration))})`,
    );
  }
  // A function without a diff of its own may answer a dry run with one sentence in both places.
  if (result.diff !== '' && result.diff !== answer) parts.push(result.diff.trimEnd());
  if (result.error !== '' && !wholeError.startsWith(result.error)) parts.push(`ERROR: ${result.error}`);
  return parts.filter((part) => part !== '').join('\n');
}

function verdictOf({ error, skipped, skipReason, changed }: StateResult, isTest: boolean): string {
  if (error !== '') return 'failed';
  if (skipped) return `skipped (${skipReason})`;
  if (!changed) return 'no change';
  return isTest ? 'would change' : 'changed';
}

/** Output of machines must not be able to move the cursor or colour the terminal. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '?');
}

function indent(text: string, by: number): string {
  return text.replace(/^/gm, ' '.repeat(by));
}
