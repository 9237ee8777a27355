/**
 * This is the program behind `zester sim`: it runs seeds, shows how far it is, and tells a failure so that it can be
 * replayed.
 */
import { explainError, isZesterError } from '../core/errors/zester-error.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { systemRandom } from '../runtime/system-random.ts';
import { explainFailure, SHRINK_RUNS_MAX } from './explain-failure.ts';
import { type PlannedFault, planFaults } from './faults/faults.ts';
import { runSim, type SimOptions, type SimResult } from './run-sim.ts';
import { parseSimOptions, type SimRequest } from './sim-options.ts';
import { progressText, summaryText, timelineText } from './sim-report.ts';

const EXIT_VIOLATED = 2;
const PROGRESS_EVERY_MS = 1_000;
const FRESH_SEEDS = 1_000_000_000;
const { isTTY: isTerminal = false } = process.stderr;

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});

async function main(words: readonly string[]): Promise<number> {
  try {
    return await runSeeds(parseSimOptions(words, Math.floor(systemRandom.fraction() * FRESH_SEEDS)));
  } catch (error) {
    if (!isZesterError(error)) throw error;
    process.stderr.write(`zester sim: ${explainError(error)}\n`);
    return error.exitCode;
  }
}

async function runSeeds(request: SimRequest): Promise<number> {
  for (let seed = request.seed; seed < request.seed + request.seeds; seed++) {
    const startedMs = systemClock.monotonicMs();
    const plan = planFaults({ ...request, seed });
    const chosen = request.only?.map((number) => plan[number]).filter((fault) => fault !== undefined) ?? plan;
    const result = await runSim({
      ...optionsOf(request, seed, chosen),
      progress: progressLine(request, seed),
    });
    const tookMs = systemClock.monotonicMs() - startedMs;
    print(request, result, tookMs);
    if (result.violations.length === 0) continue;
    const [broken] = result.violations;
    if (request.only === undefined)
      process.stderr.write(
        `${broken?.rule}: ${broken?.text}\nLooking for the few faults that are enough …\n`,
      );
    const failure = { options: optionsOf(request, seed, chosen), result, plan, words: request.words };
    process.stdout.write(await explainFailure(failure, request.only === undefined ? SHRINK_RUNS_MAX : 0));
    return EXIT_VIOLATED;
  }
  return 0;
}

function optionsOf(request: SimRequest, seed: number, faults: readonly PlannedFault[]): SimOptions {
  const { masters, peels, minutes, jobsPerMinute, editsPerMinute, timeline } = request;
  const logLevel = timeline ? 'info' : 'error';
  return { seed, masters, peels, minutes, jobsPerMinute, editsPerMinute, faults, logLevel };
}

function progressLine(request: SimRequest, seed: number): (virtualMs: number) => void {
  let nextMs = 0;
  const startedMs = systemClock.monotonicMs();
  return (virtualMs) => {
    const nowMs = systemClock.monotonicMs();
    if (!isTerminal || nowMs < nextMs) return;
    nextMs = nowMs + PROGRESS_EVERY_MS;
    process.stderr.write(
      `\r\u001b[K${progressText(seed, virtualMs, request.minutes * 60_000, nowMs - startedMs)}`,
    );
  };
}

function print(request: SimRequest, result: SimResult, tookMs: number): void {
  if (isTerminal) process.stderr.write('\r\u001b[K');
  if (request.timeline) process.stdout.write(timelineText(result.timeline));
  if (request.format === 'json') {
    const { seed, violations, digest, events, virtualMs, jobs, counts, states, files, trust } = result;
    const record = {
      seed,
      violations,
      digest,
      events,
      virtual_ms: virtualMs,
      took_ms: tookMs,
      jobs,
      ...counts,
      state_runs: states.runs,
      states_restored: states.restored,
      state_deaths: states.died,
      revisions: files.published,
      file_runs: files.judged,
      secrets_missing: files.secretsMissing,
      machines_joined: trust.joined,
      machines_revoked: trust.revoked,
      revoked_words: trust.revokedWords,
      rotations: trust.rotations,
    };
    process.stdout.write(`${JSON.stringify(record)}\n`);
    return;
  }
  process.stdout.write(summaryText(result, tookMs));
}
