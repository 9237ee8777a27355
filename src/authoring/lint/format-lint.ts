/** These functions print a report of lint as lines that editors can jump from, and as data. Pure. */
import type { SourcePosition } from '../../core/errors/zester-error.ts';
import { printPlace } from '../../core/states/state-problem.ts';
import type { LintProblem, LintReport, LintTree } from './lint-report.ts';

/** Where the trees are, as a person gave it. */
export type LintDirs = Readonly<Partial<Record<LintTree, string | undefined>>>;

/** `program`: how a person calls zester from here. */
export function lintText(report: LintReport, dirs: LintDirs, program: string): string {
  return [
    ...report.problems.map((problem) => problemLines(problem, report, dirs[problem.tree] ?? '.')),
    summaryLine(report),
    ...(report.isSample ? [`  next: ${factsAdvice(program)}`] : []),
    '',
  ].join('\n');
}

/** A command that works as it stands, but for the name of the peel. */
function factsAdvice(program: string): string {
  return `these facts are samples; for those of a peel: \`${program} peel show <peel> --format yaml > facts.yaml\`, then lint with --facts facts.yaml`;
}

export function lintRecord({ files, settingsFiles, facts, isSample, problems }: LintReport): object {
  return {
    files,
    settings_files: settingsFiles,
    facts,
    sample_facts: isSample,
    errors: countBySeverity(problems, 'error'),
    warnings: countBySeverity(problems, 'warning'),
    problems: problems.map(({ severity, tree, at, message, hint, chain, facts: seen }) => ({
      severity,
      tree,
      file: at.file,
      ...(at.line === undefined ? {} : { line: at.line }),
      ...(at.column === undefined ? {} : { column: at.column }),
      message,
      ...(hint === undefined ? {} : { next: hint }),
      included_from: chain.map(printPlace),
      facts: seen,
    })),
  };
}

export function countBySeverity(problems: readonly LintProblem[], severity: LintProblem['severity']): number {
  return problems.filter((problem) => problem.severity === severity).length;
}

function problemLines(
  { severity, at, message, hint, chain, facts }: LintProblem,
  report: LintReport,
  dir: string,
): string {
  const only =
    facts.length === 0 || facts.length === report.facts.length
      ? ''
      : ` (with the facts of ${facts.join(', ')})`;
  return [
    `${shownPlace(at, dir)}: ${severity}: ${message}${only}`,
    ...chain.map((place) => `  included from ${shownPlace(place, dir)}`),
    ...(hint === undefined ? [] : [`  next: ${hint}`]),
  ].join('\n');
}

/** As it can be opened from where the person stands. What is wrong with the whole tree has the directory for a place. */
function shownPlace(at: SourcePosition, dir: string): string {
  return at.file.startsWith('/')
    ? printPlace(at)
    : printPlace({ ...at, file: `${dir.replace(/\/+$/, '')}/${at.file}` });
}

function summaryLine({ files, settingsFiles, facts, problems }: LintReport): string {
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
  const errors = count(countBySeverity(problems, 'error'), 'error');
  const warnings = count(countBySeverity(problems, 'warning'), 'warning');
  const looked = [
    ...(files === 0 && settingsFiles > 0 ? [] : [count(files, 'state file')]),
    ...(settingsFiles === 0 ? [] : [count(settingsFiles, 'settings file')]),
  ].join(' and ');
  return `${looked}, with the facts of ${facts.join(' and ')}: ${errors}, ${warnings}`;
}
