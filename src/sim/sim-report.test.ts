import { describe, expect, it } from 'vitest';
import type { PlannedFault } from './faults/faults.ts';
import type { SimResult } from './run-sim.ts';
import { failureText, progressText, spanText, summaryText, timelineText } from './sim-report.ts';

const fault = (kind: PlannedFault['kind'], atMs: number): PlannedFault => ({
  atMs,
  kind,
  node: 'peel-2',
  forMs: 12_400,
  dose: 0.256,
});
const plan = [fault('kill', 1_500), fault('cut', 30_000), fault('kill', 61_000)];
const result: SimResult = {
  seed: 7,
  violations: [],
  faults: plan,
  digest: '100-abc',
  events: 100,
  virtualMs: 7_500_000,
  jobs: 12,
  counts: { published: 100, stored: 40, commands: 30, adoptions: 2, olderReports: 0 },
  states: { runs: 9, restored: 4, died: 1 },
  files: { published: 12, judged: 5, secretsMissing: 1 },
  trust: { joined: 8, revoked: 3, revokedWords: 2, rotations: 4 },
  timeline: [],
};

describe('the report of a run', () => {
  it.each([
    [499, '0 s'],
    [40_000, '40 s'],
    [14 * 60_000, '14 min'],
    [125 * 60_000, '2 h 05 min'],
  ])('tells %i ms as %s', (ms, text) => {
    expect(spanText(ms)).toBe(text);
  });

  it('tells how far it is, and no more than all of it', () => {
    expect(progressText(7, 30_000, 60_000, 1_000)).toBe('seed 7: 30 s of 1 min (50 %), 30× real time');
    expect(progressText(7, 90_000, 60_000, 1_000)).toContain('(100 %)');
  });

  it('sums a run up', () => {
    expect(summaryText(result, 2_500)).toBe(
      [
        'seed 7: 2 h 05 min of virtual time in 2.5 s, 3000× real time',
        '  messages    100, 40 a second; trace 100-abc',
        '  jobs        12, with 30 commands and 2 adoptions',
        '  states      9 runs, 4 states brought back, 1 deaths in the middle',
        '  files       12 revisions, 5 runs compared, 1 too early for a secret',
        '  machines    8 joined, 3 revoked and 2 words of theirs ignored, 4 rotations',
        '  faults      kill 2, cut 1',
        '  violations  none',
        '',
      ].join('\n'),
    );
    expect(summaryText({ ...result, faults: [] }, 2_500)).toContain('  faults      none');
  });

  it('names what broke, the faults that are enough, and the command that shows it again', () => {
    const broken = { ...result, violations: [{ atMs: 61_200, rule: 'nothing breaks', text: 'it did' }] };
    expect(failureText(' --peels 5', broken, plan, [0, 2])).toBe(
      [
        '',
        'Broken after 61 s: nothing breaks',
        '  it did',
        'These faults are enough',
        '  0: at 1.5 s kill of peel-2 for 12 s, dose 0.26',
        '  2: at 61 s kill of peel-2 for 12 s, dose 0.26',
        'Replay: zester sim --peels 5 --seed 7 --only 0,2 --timeline',
        '',
      ].join('\n'),
    );
    const alone = failureText('', broken, plan, []);
    expect(alone).toContain('These faults are enough: none at all');
    expect(alone).toContain('--only none');
  });

  it('prints a timeline, one line each', () => {
    const text = timelineText([{ atMs: 1_234.5, who: 'peel-1', what: 'starts' }]);
    expect(text).toBe('     1.234  peel-1     starts\n');
  });
});
