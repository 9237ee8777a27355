/**
 * `npm test`: set up, then every check there is. All of them run, also after one has failed, so that one run tells
 * all; the last lines tell the time of each stage and count. `--static` leaves the tests out; other arguments, and
 * ZESTER_TEST_FILTER, narrow them.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.mjs';
import { ROOT, setUp } from './setup.mjs';
import { runMain, runSteps } from './steps.mjs';
import { testTimes } from './test-times.mjs';

const COLOURS = process.stderr.isTTY === true;
const CHECKS = [
  {
    name: 'format and lint',
    tool: 'biome',
    // CI=true makes biome colour its output also where nobody sees colours.
    args: [
      'ci',
      `--colors=${COLOURS ? 'force' : 'off'}`,
      '--diagnostic-level=warn',
      '--error-on-warnings',
      '.',
    ],
  },
  {
    name: 'promise rules',
    tool: 'oxlint',
    args: ['--type-aware', '--deny-warnings', 'src', 'test', 'bench'],
  },
  { name: 'types', tool: 'tsc', args: ['-p', '.'] },
  // The names of the wire are a contract: they stand there before anyone uses them (knip.json).
  { name: 'dead exports', tool: 'knip', args: ['--no-progress', '--treat-config-hints-as-errors'] },
];
/**
 * Stages of tests, one after the other, but for the simulator: it needs processors and nothing else, in its own time, and `real` waits a
 * good part of its time for servers and clocks. So it runs beside `real`, with what that leaves (`nice`), and is told after it.
 */
const STAGES = [
  [{ name: 'unit', args: ['--project', 'unit'] }],
  [
    { name: 'real', args: ['--project', 'real'] },
    // By itself: it tells what part of masters and peels it reaches.
    { name: 'simulator', args: ['--config', join('scripts', 'vitest.sim.config.mjs')], isBeside: true },
  ],
];
const NICE = ['nice', '-n', '19'];

await runMain(async () => {
  const args = process.argv.slice(2);
  await setUp();
  const failedChecks = [];
  const times = testTimes();
  const filter = process.env.ZESTER_TEST_FILTER?.split(/\s+/).filter(Boolean) ?? [];
  // Whoever narrows by the environment is a test of ours that runs `npm test` inside of itself: the checks are done outside.
  if (filter.length === 0)
    await times.stage('static checks', () =>
      runSteps(CHECKS.map((check) => ({ name: check.name, run: () => runCheck(check, failedChecks) }))),
    );
  if (args.includes('--static')) return closeStatic(failedChecks);

  const narrowed = [...args, ...filter];
  const stages = narrowed.length > 0 ? [[{ name: 'tests', args: narrowed }]] : STAGES;
  const counts = [];
  for (const beside of stages) counts.push(...(await runStages(beside, times)));
  times.tell();
  return close(counts.reduce(together), failedChecks);
});

async function runCheck({ name, tool, args }, failed) {
  const { code, output } = await run(join(ROOT, 'node_modules', '.bin', tool), args, {
    cwd: ROOT,
    env: testEnv(),
  });
  if (code === 0) return 'ok';
  failed.push(name);
  process.stderr.write(output);
  return `FAILED (${tool} ended with ${code})`;
}

/** The counts of stages that run beside each other; what the quiet ones printed is told when all are over. */
async function runStages(stages, times) {
  const ended = await Promise.all(
    stages.map((stage) => times.stage(stage.name, () => runTests(stage, times))),
  );
  for (const { output } of ended) process.stdout.write(output);
  return ended.map(({ counts }) => counts);
}

/** Runs vitest, on the terminal unless another stage has it, and counts from the report that it writes beside. */
async function runTests({ args, isBeside = false }, times) {
  const dir = mkdtempSync(join(tmpdir(), 'zester-test-'));
  const report = join(dir, 'report.json');
  const vitest = [
    ...(isBeside ? NICE : []),
    join(ROOT, 'node_modules', '.bin', 'vitest'),
    ...['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
  ];
  try {
    const { code, output } = await run(vitest[0], vitest.slice(1), {
      cwd: ROOT,
      env: testEnv(),
      show: !isBeside,
    });
    const result = JSON.parse(readFileSync(report, 'utf8'));
    // Beside another stage a test takes as long as that one lets it.
    if (!isBeside) times.add(result);
    return { counts: count(result, code), output };
  } catch (error) {
    console.error(`vitest left no report: ${error.message}`);
    return { counts: { passed: 0, failed: 1, skipped: 0 }, output: '' };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function together(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

/** A file that failed outside of its tests counts as one failure; so does a run that failed for no test's sake. */
function count(report, code) {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function closeStatic(failedChecks) {
  console.log(failedChecks.length === 0 ? 'static checks passed' : `failed: ${failedChecks.join(', ')}`);
  return failedChecks.length === 0 ? 0 : 1;
}

/** The last line never says "0 failed" when something did: a failed check counts too, and is named above it. */
function close({ passed, failed, skipped }, failedChecks) {
  if (failedChecks.length > 0) console.log(`failed checks: ${failedChecks.join(', ')}`);
  if (passed + failed === 0) console.log('no test ran');
  const allFailed = failed + failedChecks.length;
  console.log(`${passed} passed, ${allFailed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return allFailed > 0 || passed === 0 ? 1 : 0;
}

/** Node 20 parses NODE_EXTRA_CA_CERTS at every start; the many programs that tests start need none of them. */
function testEnv() {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return COLOURS ? env : { ...env, NO_COLOR: '1' };
}
