/**
 * This file writes a state run as people read it: one line for each state, what changed or failed in full below its
 * line, and a summary. Peels whose runs are alike in everything but time are shown as one. Pure text from returns.
 */
import { formatDuration } from '../../core/duration.ts';
import { outcomeOf } from '../../core/jobs/target-row.ts';
import { plainData } from '../../core/plain-data.ts';
import { printableLine, printableText } from '../../core/printable.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { ExecResponse, StateResult } from '../../wire/records/exec.ts';
import type { Row } from '../../wire/records/job-return.ts';
import { indent } from '../terminal/indent.ts';
import type { Paint } from '../terminal/paint.ts';
import { displayName, displayNames } from '../terminal/peel-names.ts';
import type { Glyphs } from './glyphs.ts';
import { countStates, type StateCounts, summaryBlock, summaryLine } from './state-counts.ts';
import { kindOf, type StateKind, verdictOf } from './state-verdict.ts';

/**
 * full      every state has its line; what changed or failed is shown below it
 * changes   only the states that changed or failed
 * terse     every state has its line and no more
 */
export const STATE_OUTPUTS = ['full', 'changes', 'terse'] as const;

export type StateOutput = (typeof STATE_OUTPUTS)[number];

export interface StateLook {
  readonly paint: Paint;
  readonly glyphs: Glyphs;
  readonly stateOutput: StateOutput;
}

export interface StateRunGroup {
  readonly peels: readonly PeelId[];
  readonly isGood: boolean;
  readonly isTest: boolean;
  /** Of the first peel; those of the others differ in durations only. */
  readonly results: readonly StateResult[];
  /** Why not everything was run; empty when it was. */
  readonly error: string;
  /** Of the slowest. */
  readonly durationMs: number;
  /** Of the published files that all of them used; 0: none did. */
  readonly statesRevision: number;
  readonly settingsRevision: number;
}

/** Lines of one text, such as the output of a command, that are shown; `--format json` has them all. */
const TEXT_LINES_MAX = 100;
/** A longer line of such a text is cut, for the same reason. */
const TEXT_LINE_CHARS_MAX = 1_000;
/** A wider name has its verdict right behind it; the others are aligned. */
const NAME_WIDTH_MAX = 60;
const NAME_CHARS_MAX = 200;

const OUTPUT = ['stdout', 'stderr'];
/**
 * What a revert could not undo, what a prereq gate could not see, that it took several attempts, what a state was told
 * to say, what the peel says of the files it used.
 */
const ALWAYS_SHOWN = ['kept', 'prereq', 'attempts', 'comment', 'note'];

/** Whether results are those of states: a function of its own has one, under its bare name. */
export function isStateRun(response: ExecResponse | undefined): response is ExecResponse {
  const results = response?.results ?? [];
  return results.length > 1 || results.some(({ name }) => name.includes(':'));
}

type GrowingGroup = StateRunGroup & { readonly peels: PeelId[]; durationMs: number };

/** In order of first arrival. */
export function groupStateRuns(
  runs: readonly { readonly value: Row; readonly response: ExecResponse }[],
): StateRunGroup[] {
  const groups = new Map<string, GrowingGroup>();
  for (const { value, response } of runs) {
    const key = likeness(value, response);
    const durationMs = msFromNanos(value.duration);
    const group = groups.get(key);
    if (group === undefined)
      groups.set(key, {
        peels: [value.peelId],
        isGood: outcomeOf(value) === 'returned',
        isTest: response.test,
        results: response.results,
        error: value.error,
        durationMs,
        statesRevision: response.statesRevision,
        settingsRevision: response.settingsRevision,
      });
    else {
      group.peels.push(value.peelId);
      group.durationMs = Math.max(group.durationMs, durationMs);
    }
  }
  return [...groups.values()];
}

export function formatStateRun(group: StateRunGroup, look: StateLook): string {
  const { peels, results, isGood, isTest, error } = group;
  const counts = countStates(results);
  const whose = peels.length === 1 ? displayName(peels[0] as string) : `${peels.length} peels`;
  const head = (isGood ? look.paint.good : look.paint.bad)(`${displayNames(peels)}:`);
  const alike = peels.length > 1 ? ` (${peels.length} peels: ${sameWords(counts, isTest)})` : '';
  const summary = { ...group, counts, whose };
  const lines = [
    ...stateLines(group, look),
    ...(error === '' ? [] : [errorText(error, look.paint, 2)]),
    ...(look.stateOutput === 'terse'
      ? [`  ${summaryLine(summary)}`]
      : summaryBlock(summary).map((line) => `  ${line}`)),
  ];
  return `${head}${alike}\n${lines.join('\n')}\n`;
}

/** What two peels must have in common to be shown as one: everything but durations. */
function likeness(value: Row, response: ExecResponse): string {
  const results = response.results.map(({ duration: _, ...rest }) => rest);
  const { test, statesRevision, settingsRevision } = response;
  const used = [statesRevision, settingsRevision];
  return JSON.stringify(plainData([outcomeOf(value), value.error, test, used, results]));
}

function sameWords(counts: StateCounts, isTest: boolean): string {
  const changes = counts.changed + counts.unknown;
  const parts = [
    ...(changes > 0
      ? [`${changes} ${isTest ? 'possible ' : ''}${changes === 1 ? 'change' : 'changes'}`]
      : []),
    ...(counts.failed > 0 ? [`${counts.failed} ${counts.failed === 1 ? 'failure' : 'failures'}`] : []),
  ];
  return parts.length === 0 ? 'no changes' : `same ${parts.join(' and ')}`;
}

function stateLines(group: StateRunGroup, look: StateLook): string[] {
  const shown = group.results.filter(
    (result) => look.stateOutput !== 'changes' || !['unchanged', 'skipped'].includes(kindOf(result)),
  );
  const widths = shown.map(({ name }) => oneLine(name).length).filter((each) => each <= NAME_WIDTH_MAX);
  const width = widths.reduce((most, each) => Math.max(most, each), 0);
  return shown.flatMap((result) => [
    stateLine(result, group, width, look),
    ...(look.stateOutput === 'terse' ? [] : expanded(result, look.paint)),
  ]);
}

function stateLine(result: StateResult, group: StateRunGroup, width: number, look: StateLook): string {
  const kind = kindOf(result);
  // Of several peels each took its own time.
  const took =
    group.peels.length > 1 || kind === 'skipped' ? '' : ` (${formatDuration(msFromNanos(result.duration))})`;
  const says = result.error || (result.details.comment ?? '');
  const why = look.stateOutput === 'terse' && says !== '' ? `: ${oneLine(says)}` : '';
  const line = `  ${look.glyphs[kind]} ${oneLine(result.name).padEnd(width)}  ${printableLine(verdictOf(result, group.isTest))}${why}${took}`;
  switch (kind) {
    case 'failed':
      return look.paint.bad(line);
    case 'changed':
    case 'unknown':
      return look.paint.change(line);
    case 'skipped':
      return look.paint.dim(line);
    case 'unchanged':
      return line;
  }
}

/** What a person has to see of a state besides its line. Of what went as it should that is mostly nothing. */
function expanded(result: StateResult, paint: Paint): string[] {
  const kind = kindOf(result);
  const isQuiet = kind === 'unchanged' || kind === 'skipped';
  const details = Object.entries(result.details).filter(([key, text]) => text !== '' && isShown(key, kind));
  const parts = [
    // A guard that is not met leaves its reason in the diff of a state that changed nothing.
    ...(result.diff === ''
      ? []
      : [isQuiet ? paint.dim(cut(result.diff)) : paintedDiff(cut(result.diff), paint)]),
    ...details.map(([key, text]) => detailText(key, cut(text))),
  ];
  return [
    ...parts.map((part) => indent(part, 6)),
    ...(result.error === '' ? [] : [errorText(result.error, paint, 6)]),
  ];
}

function isShown(key: string, kind: StateKind): boolean {
  // The line says them.
  if (key === 'prediction' || key === 'because') return false;
  if (kind === 'failed' || ALWAYS_SHOWN.includes(key)) return true;
  return kind !== 'unchanged' && OUTPUT.includes(key);
}

function detailText(key: string, text: string): string {
  const name = printableLine(key, NAME_CHARS_MAX);
  return text.includes('\n') ? `${name}:\n${indent(text, 2)}` : `${name}: ${text}`;
}

/** Its further lines stand deeper than ours, so that none of them passes for a state. */
function errorText(error: string, paint: Paint, by: number): string {
  const [first = '', ...more] = cut(error).split('\n');
  return [
    indent(paint.bad(`ERROR: ${first}`), by),
    ...more.map((line) => indent(paint.bad(line), by + 4)),
  ].join('\n');
}

function paintedDiff(diff: string, paint: Paint): string {
  const lines = diff.split('\n').map((line) => {
    if (line.startsWith('+')) return paint.good(line);
    return line.startsWith('-') ? paint.bad(line) : line;
  });
  return lines.join('\n');
}

function cut(text: string): string {
  const lines = printableText(text, TEXT_LINE_CHARS_MAX).trimEnd().split('\n');
  const shown = lines.slice(0, TEXT_LINES_MAX);
  if (lines.length > TEXT_LINES_MAX)
    shown.push(`… ${lines.length - TEXT_LINES_MAX} more lines; --format json shows them`);
  return shown.join('\n');
}

/** The id of a command may be a whole script. */
function oneLine(text: string): string {
  const whole = text.trim();
  const end = whole.indexOf('\n');
  return end < 0
    ? printableLine(whole, NAME_CHARS_MAX)
    : `${printableLine(whole.slice(0, end), NAME_CHARS_MAX)} …`;
}
