/**
 * This file writes returns as people read them: state runs state by state, everything else as what it answered. The
 * good ones first.
 */
import { responseIn } from '../../client/jobs/return-response.ts';
import type { ExecResponse } from '../../wire/records/exec.ts';
import type { Row } from '../../wire/records/job-return.ts';
import { formatStateRun, groupStateRuns, isStateRun, type StateLook } from './format-state-run.ts';
import { groupReturns, renderGroup } from './render-return.ts';

export function isOfStates(value: Row): boolean {
  return isStateRun(responseOf(value));
}

/** Undefined when there is none or it cannot be read. */
function responseOf(value: Row): ExecResponse | undefined {
  const answer = responseIn(value);
  return answer?.isReadable ? answer.value : undefined;
}

export function returnsText(returns: readonly Row[], look: StateLook): string {
  const others: Row[] = [];
  const runs: Parameters<typeof groupStateRuns>[0][number][] = [];
  for (const value of returns) {
    const response = responseOf(value);
    if (isStateRun(response)) runs.push({ value, response });
    else others.push(value);
  }
  const texts = [
    ...groupReturns(others).map((group) => ({
      isGood: group.isGood,
      text: renderGroup(group, look.paint),
    })),
    ...groupStateRuns(runs).map((group) => ({ isGood: group.isGood, text: formatStateRun(group, look) })),
  ];
  return texts
    .sort((a, b) => Number(b.isGood) - Number(a.isGood))
    .map(({ text }) => text)
    .join('');
}
