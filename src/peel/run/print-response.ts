/** Prints the answer of a local call, for people and for programs. The same fields as `zester … --format json` has. */
import { formatDuration } from '../../core/duration.ts';
import { stateResultRecord } from '../../core/jobs/result-record.ts';
import { plainData } from '../../core/plain-data.ts';
import { printableJson, printableText } from '../../core/printable.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { ExecResponse, StateResult } from '../../wire/records/exec.ts';

export function responseJson(response: ExecResponse): string {
  const { peelId, jid, success, test, error, results } = response;
  const rows = results.map(stateResultRecord);
  const record = { peel_id: peelId, jid, success, test, ...(error === '' ? {} : { error }), results: rows };
  return `${printableJson(plainData(record), 2)}\n`;
}

/** A line for each state, what it changed or why it failed below it, and the counts at the end. */
export function responseText(response: ExecResponse): string {
  return printableText(textOf(response));
}

function textOf({ results, error, test }: ExecResponse): string {
  const [first] = results;
  if (results.length === 1 && first !== undefined && !first.name.includes(':'))
    return `${answerText(first, error)}\n`;
  const lines = results.flatMap((result) => [
    `${verdict(result, test)} ${result.name} (${formatDuration(Math.round(msFromNanos(result.duration)))})`,
    ...indented(result.error),
    ...indented(result.diff),
    ...indented(result.details.kept ?? ''),
    ...indented(result.details.comment ?? ''),
    ...(result.error === '' ? [] : indented(printed(result))),
  ]);
  return `${[...lines, ...(error === '' ? [] : [error]), ...(results.length === 0 ? [] : [counts(results, test)])].join('\n')}\n`;
}

function answerText({ details, error, diff }: StateResult, whole: string): string {
  const said = details.result ?? details.stdout ?? diff;
  return [said, details.stderr ?? '', error, whole === error ? '' : whole]
    .filter((text) => text !== '')
    .join('\n');
}

function verdict(result: StateResult, test: boolean): string {
  const { changed, error, skipped, skipReason } = result;
  if (error !== '') return test ? 'would fail  ' : 'failed      ';
  if (skipped)
    return `${isGuess(result) ? 'may be ' : ''}skipped${skipReason === '' ? '' : ` (${skipReason})`}`;
  if (isGuess(result)) return 'may change  ';
  if (!changed) return 'ok          ';
  return test ? 'would change' : 'changed     ';
}

/** Of a dry run: only a real one can tell. */
function isGuess({ details }: StateResult): boolean {
  return details.prediction === 'unknown';
}

function counts(results: readonly StateResult[], test: boolean): string {
  const count = (has: (result: StateResult) => boolean) => results.filter(has).length;
  return [
    `${results.length} states`,
    `${count(({ changed }) => changed)} ${test ? 'would change' : 'changed'}`,
    `${count(({ error }) => error !== '')} failed`,
    `${count(({ skipped }) => skipped)} skipped`,
  ].join(', ');
}

function printed({ details }: StateResult): string {
  return [details.stdout, details.stderr].filter((text) => text !== undefined && text !== '').join('\n');
}

function indented(text: string): string[] {
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `    ${line}`);
}
