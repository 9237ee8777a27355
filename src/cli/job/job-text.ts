/**
 * This file tells people of a job: how it stands, who asked for what, when; each target with what is known of it and
 * what proves it; and what to do next. Pure. Every text of the record is a stranger's: it goes through `printableLine`,
 * here or in `table`.
 */
import type { JobDetails } from '../../client/jobs/job-details.ts';
import { formatDuration } from '../../core/duration.ts';
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import { deadlineOf } from '../../core/jobs/job-record.ts';
import { printableLine } from '../../core/printable.ts';
import { timeText } from '../../core/time-text.ts';
import { msFromNanos, type UnixNanos } from '../../wire/msgpack/time.ts';
import type { Job } from '../../wire/records/job.ts';
import { labelled } from '../program/common-options.ts';
import { ageText } from '../terminal/age-text.ts';
import { displayName } from '../terminal/peel-names.ts';
import { table } from '../terminal/table.ts';
import { argumentsText } from './arguments-text.ts';
import { type Standing, standings } from './target-standing.ts';
import { behindAll } from './waits-behind.ts';

/** `zester job <verb>` for this job, as it can be typed from here. */
type CommandFor = (verb: 'attach' | 'kill') => string;

/** Errors of targets that are told below the table; the rest is counted. */
const ERRORS_TOLD_MAX = 10;
const ERROR_CHARS_MAX = 300;

export function jobText(details: Omit<JobDetails, 'unreadable'>, command: CommandFor): string {
  const { job, signs, waitsBehind: behind } = details;
  const standing = behind.length === 0 ? job.status : `waits behind ${behindAll(behind)}`;
  const targets = standings(job, details.rows, signs);
  const rows = targets.map(({ peel, standing: stands, proof, row }) => [
    displayName(peel),
    stands,
    row === undefined ? '-' : String(row.success && row.error === ''),
    row === undefined ? '-' : formatDuration(msFromNanos(row.duration)),
    proof,
  ]);
  return [
    `Job ${job.jid}: ${standing}\n`,
    labelled(facts(job, signs.nowMs)),
    `\n${table(['PEEL', 'STATUS', 'SUCCESS', 'DURATION', 'PROOF'], rows)}`,
    errorLines(targets),
    `\n${nextLines(job, command)}`,
  ].join('');
}

function facts(job: Job, nowMs: number): (readonly [string, string])[] {
  const line = (label: string, text: string): readonly (readonly [string, string])[] =>
    text === '' ? [] : [[label, printableLine(text)]];
  const peels = `${job.targets.length} peel${job.targets.length === 1 ? '' : 's'}`;
  return [
    ...line('function', job.function),
    ...line('arguments', argumentsText(job)),
    ...line('target', job.targetExpr === '' ? peels : `${job.targetExpr} (${peels})`),
    ...line('user', job.user),
    ...line('created', when(job.created, nowMs)),
    ...line(...endOf(job, nowMs)),
    ...line('owner', job.owner ?? ''),
    ...line('taken over', job.reclaimCount === 0 ? '' : `${job.reclaimCount} times, from a master that died`),
    ...line('failed', job.metadata.failed_reason ?? ''),
  ];
}

function endOf(job: Job, nowMs: number): [string, string] {
  if (isTerminal(job.status)) {
    const good = `${job.returnCount} of ${job.targets.length} returned, ${job.successCount} good`;
    return ['ended', `${when(job.updated, nowMs)}; ${good}`];
  }
  const leftMs = msFromNanos(deadlineOf(job)) - nowMs;
  const left = leftMs > 0 ? `in ${formatDuration(Math.ceil(leftMs / 1_000) * 1_000)}` : 'passed';
  return ['deadline', `${timeText(deadlineOf(job))} (${left})`];
}

function when(time: UnixNanos, nowMs: number): string {
  return `${timeText(time)} (${ageText(nowMs - msFromNanos(time))})`;
}

function errorLines(standings: readonly Standing[]): string {
  const failed = standings.flatMap(({ peel, row }) =>
    row === undefined || row.error === '' ? [] : [{ peel, error: row.error }],
  );
  if (failed.length === 0) return '';
  const lines = failed
    .slice(0, ERRORS_TOLD_MAX)
    .map(({ peel, error }) => `  ${displayName(peel)}: ${printableLine(error, ERROR_CHARS_MAX)}\n`);
  const rest = failed.length - ERRORS_TOLD_MAX;
  return `\nErrors:\n${lines.join('')}${rest > 0 ? `  and ${rest} more\n` : ''}`;
}

function nextLines(job: Job, command: CommandFor): string {
  if (isTerminal(job.status)) return `next: what each target answered: ${command('attach')}\n`;
  return `next: follow it: ${command('attach')}\n      stop it: ${command('kill')}\n`;
}
