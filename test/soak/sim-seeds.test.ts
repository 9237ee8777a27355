/** The simulator over many fresh seeds: `npm run soak -- --seeds N`. `--seed S` says where to begin. */
import { expect, it } from 'vitest';
import { explainFailure } from '../../src/sim/explain-failure.ts';
import { FAULT_KINDS, planFaults } from '../../src/sim/faults/faults.ts';
import { runSim } from '../../src/sim/run-sim.ts';

const SEEDS = Number(process.env.ZESTER_SIM_SEEDS ?? 100);
const FIRST = Number(process.env.ZESTER_CHAOS_SEED ?? Math.floor(performance.timeOrigin) % 1_000_000_000);
const TOLD_EVERY = 10;
const SIZE = { masters: 3, peels: 8, minutes: 30 };
/** Bad times, and times that are long enough for slow mistakes. */
const INTENSITIES = [2, 0.5];
const JOBS_PER_MINUTE = 6;
const EDITS_PER_MINUTE = 3;
const WORDS = ` --masters ${SIZE.masters} --peels ${SIZE.peels} --minutes ${SIZE.minutes}`;

it(`every promise holds for ${SEEDS} seeds from ${FIRST} on`, async () => {
  let virtualMs = 0;
  let faults = 0;
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const intensity = INTENSITIES[seed % INTENSITIES.length] ?? 1;
    const plan = planFaults({ ...SIZE, intensity, seed, kinds: FAULT_KINDS });
    const options = {
      ...SIZE,
      seed,
      faults: plan,
      jobsPerMinute: JOBS_PER_MINUTE,
      editsPerMinute: EDITS_PER_MINUTE,
      logLevel: 'error' as const,
    };
    const result = await runSim(options);
    if (result.violations.length > 0)
      expect.fail(
        await explainFailure({ options, result, plan, words: `${WORDS} --intensity ${intensity}` }),
      );
    virtualMs += result.virtualMs;
    faults += plan.length;
    const done = seed - FIRST + 1;
    if (done % TOLD_EVERY === 0 || done === SEEDS)
      process.stdout.write(
        `${done} seeds, ${faults} faults, ${(virtualMs / 3_600_000).toFixed(1)} virtual hours\n`,
      );
  }
});
