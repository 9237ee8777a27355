/** The report tells people what happened in a run. */
import type { PlannedFault } from './faults/faults.ts';
import type { SimResult } from './run-sim.ts';
import type { TimelineEntry } from './world/trace.ts';

const seconds = (ms: number) => (ms / 1_000).toFixed(ms < 10_000 ? 1 : 0);

/** `2 h 05 min`, `14 min`, `40 s`. */
export function spanText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return `${Math.round(ms / 1_000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${String(minutes % 60).padStart(2, '0')} min`;
}

export function progressText(seed: number, virtualMs: number, untilMs: number, tookMs: number): string {
  const share = Math.min(100, Math.floor((100 * virtualMs) / untilMs));
  const speed = Math.round(virtualMs / Math.max(1, tookMs));
  return `seed ${seed}: ${spanText(virtualMs)} of ${spanText(untilMs)} (${share} %), ${speed}× real time`;
}

export function summaryText(result: SimResult, tookMs: number): string {
  const { seed, virtualMs, events, jobs, counts, states, files, trust, violations, digest } = result;
  const kinds = new Map<string, number>();
  for (const { kind } of result.faults) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const faults = [...kinds].map(([kind, times]) => `${kind} ${times}`).join(', ') || 'none';
  return [
    `seed ${seed}: ${spanText(virtualMs)} of virtual time in ${seconds(tookMs)} s, ${Math.round(virtualMs / tookMs)}× real time`,
    `  messages    ${events}, ${Math.round((events * 1_000) / tookMs)} a second; trace ${digest}`,
    `  jobs        ${jobs}, with ${counts.commands} commands and ${counts.adoptions} adoptions`,
    `  states      ${states.runs} runs, ${states.restored} states brought back, ${states.died} deaths in the middle`,
    `  files       ${files.published} revisions, ${files.judged} runs compared, ${files.secretsMissing} too early for a secret`,
    `  machines    ${trust.joined} joined, ${trust.revoked} revoked and ${trust.revokedWords} words of theirs ignored, ${trust.rotations} rotations`,
    `  faults      ${faults}`,
    `  violations  ${violations.length === 0 ? 'none' : violations.length}`,
    '',
  ].join('\n');
}

export function failureText(
  words: string,
  result: SimResult,
  plan: readonly PlannedFault[],
  needed: readonly number[],
): string {
  const [first] = result.violations;
  const lines = needed.map((number) => `  ${faultText(number, plan[number])}`);
  return [
    '',
    `Broken after ${seconds(first?.atMs ?? 0)} s: ${first?.rule ?? ''}`,
    `  ${first?.text ?? ''}`,
    `These faults are enough${lines.length === 0 ? ': none at all' : ''}`,
    ...lines,
    `Replay: zester sim${words} --seed ${result.seed} --only ${needed.join(',') || 'none'} --timeline`,
    '',
  ].join('\n');
}

function faultText(number: number, fault: PlannedFault | undefined): string {
  if (fault === undefined) return `${number}`;
  const { atMs, kind, node, forMs, dose } = fault;
  return `${number}: at ${seconds(atMs)} s ${kind} of ${node} for ${seconds(forMs)} s, dose ${dose.toFixed(2)}`;
}

export function timelineText(timeline: readonly TimelineEntry[]): string {
  return timeline
    .map(({ atMs, who, what }) => `${(atMs / 1_000).toFixed(3).padStart(10)}  ${who.padEnd(10)} ${what}\n`)
    .join('');
}
