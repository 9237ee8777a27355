/**
 * The tester is tested: for each broken function the simulator must find a violation. The table of how soon goes to
 * docs/reliability.md by hand.
 */
import { resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FAULT_KINDS, planFaults } from '../../src/sim/faults/faults.ts';
import { breaksOf, brokenModule, MUTANTS } from './sim-mutants.ts';

/** A server that forgets is promised less, so less would be found. */
const KINDS = FAULT_KINDS.filter((kind) => kind !== 'nats-forgets');
/** Some mistakes show only when masters live long enough to make them. */
const INTENSITIES = [0.7, 3];
const TIME_MS_MAX = 900_000;
const RUNS_MAX = Number(process.env.ZESTER_SIM_MUTANT_RUNS ?? 40);

afterEach(() => {
  vi.doUnmock(resolve('src'));
  vi.resetModules();
});

/** The runs in which mutants are looked for. */
function runOf(seed: number) {
  const intensity = INTENSITIES[seed % INTENSITIES.length] ?? 1;
  const plan = { seed, masters: 3, peels: 4, minutes: 10, intensity, kinds: KINDS };
  return {
    ...plan,
    faults: planFaults(plan),
    jobsPerMinute: 30,
    editsPerMinute: 6,
    logLevel: 'error' as const,
  };
}

it(
  'nothing is found where nothing is broken',
  async () => {
    const { runSim } = await import('../../src/sim/run-sim.ts');
    for (let seed = 1; seed <= RUNS_MAX; seed++) expect((await runSim(runOf(seed))).violations).toEqual([]);
  },
  TIME_MS_MAX,
);

describe('the simulator finds', () => {
  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
    'a broken %s',
    async (_, mutant) => {
      const breaks = breaksOf(mutant);
      vi.resetModules();
      for (const each of breaks)
        vi.doMock(resolve(each.module), async (importActual) =>
          brokenModule(each, await importActual<object>()),
        );
      try {
        const { runSim } = await import('../../src/sim/run-sim.ts');
        let virtualMs = 0;
        for (let seed = 1; seed <= RUNS_MAX; seed++) {
          const result = await runSim(runOf(seed));
          virtualMs += result.virtualMs;
          const [found] = result.violations;
          if (found === undefined) continue;
          process.stdout.write(
            `| ${mutant.name} | ${found.rule} | ${seed} | ${(virtualMs / 60_000).toFixed(1)} min |\n`,
          );
          return;
        }
        expect.fail(`not found in ${RUNS_MAX} runs`);
      } finally {
        for (const { module } of breaks) vi.doUnmock(resolve(module));
      }
    },
    TIME_MS_MAX,
  );
});
