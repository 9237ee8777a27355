/**
 * This file writes a return as people read it: pure text, identical ones grouped, secrets and control characters made
 * harmless.
 */
import { responseIn } from '../../client/jobs/return-response.ts';
import { formatDuration } from '../../core/duration.ts';
import { outcomeOf } from '../../core/jobs/target-row.ts';
import { printableLine, printableText } from '../../core/printable.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { StateResult } from '../../wire/records/exec.ts';
import type { Row } from '../../wire/records/job-return.ts';
import { indent } from '../terminal/indent.ts';
import type { Paint } from '../terminal/paint.ts';
import { displayNames } from '../terminal/peel-names.ts';
import { verdictOf } from './state-verdict.ts';

const NO_OUTPUT = '(no output)';

export interface ReturnGroup {
  readonly peels: readonly PeelId[];
  readonly isGood: boolean;
  readonly body: string;
}

/** Groups returns that read the same but for the time they took, in order of first arrival; the good ones first. */
export function groupReturns(returns: Iterable<Row>): ReturnGroup[] {
  const groups = new Map<string, { peels: PeelId[]; isGood: boolean; body: string }>();
  for (const value of returns) {
    const timeless = bodyOf(value, () => '');
    const isGood = outcomeOf(value) === 'returned';
    const key = `${isGood} ${timeless}`;
    const group = groups.get(key);
    if (group === undefined)
      groups.set(key, { peels: [value.peelId], isGood, body: bodyOf(value, tookText) });
    else {
      group.peels.push(value.peelId);
      group.body = timeless;
    }
  }
  return [...groups.values()].sort((a, b) => Number(b.isGood) - Number(a.isGood));
}

export function renderGroup(group: ReturnGroup, paint: Paint): string {
  const names = displayNames(group.peels);
  const count = group.peels.length > 1 ? ` (${group.peels.length} alike)` : '';
  const head = group.isGood ? paint.good(`${names}:`) : paint.bad(`${names}:`);
  return `${head}${count}\n${indent(group.body, 4)}\n`;
}

function bodyOf(value: Row, took: (result: StateResult) => string): string {
  const answer = responseIn(value);
  const response = answer?.isReadable ? answer.value : undefined;
  const results = response?.results ?? [];
  const lines = results.map((result) => resultText(result, response?.test === true, value.error, took));
  if (value.error !== '') lines.push(`ERROR: ${value.error}`);
  if (answer?.isReadable === false) lines.push(`what it answered cannot be read: ${answer.problem}`);
  const text = printableText(lines.filter((line) => line !== '').join('\n'));
  if (text !== '') return text;
  return outcomeOf(value) === 'returned' ? NO_OUTPUT : outcomeOf(value);
}

/** Questions and commands show what they answered; states show what they did. `wholeError` is shown by the caller. */
function resultText(
  result: StateResult,
  isTest: boolean,
  wholeError: string,
  took: (result: StateResult) => string,
): string {
  const { stdout, stderr, result: answer, note } = result.details;
  const parts: string[] = [];
  if (answer !== undefined) parts.push(answer);
  if (stdout !== undefined) parts.push(stdout.trimEnd());
  if (stderr) parts.push(`stderr: ${stderr.trimEnd().replaceAll('\n', '\nstderr: ')}`);
  if (answer === undefined && stdout === undefined) {
    parts.push(`${printableLine(`${result.name}: ${verdictOf(result, isTest)}`)}${took(result)}`);
  }
  // A function without a diff of its own may answer a dry run with one sentence in both places.
  if (result.diff !== '' && result.diff !== answer) parts.push(result.diff.trimEnd());
  if (note) parts.push(`note: ${note}`);
  if (result.error !== '' && !wholeError.startsWith(result.error)) parts.push(`ERROR: ${result.error}`);
  return parts.filter((part) => part !== '').join('\n');
}

function tookText({ duration }: StateResult): string {
  return ` (${formatDuration(msFromNanos(duration))})`;
}
