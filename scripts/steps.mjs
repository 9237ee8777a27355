/**
 * Steps are numbered lines that tell a person what is going on and how long it took. They go to stderr: stdout is for
 * results.
 */

/** Runs steps in order. Each gets `say`, for a line before long work, and returns what to print at its end. */
export async function runSteps(steps) {
  for (const [index, { name, run }] of steps.entries()) {
    const prefix = `[${index + 1}/${steps.length}] ${name}:`;
    const startMs = performance.now();
    const outcome = await run((line) => console.error(`${prefix} ${line}`));
    console.error(`${prefix} ${outcome}${tookLong(startMs)}`);
  }
}

export function seconds(startMs) {
  return `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
}

/** What stops a script: a message for a person, no stack. */
export class SetUpError extends Error {}

/** Runs `main`; a SetUpError is printed as its message alone. Ends the process with what `main` returns. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(error instanceof SetUpError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}

function tookLong(startMs) {
  return performance.now() - startMs < 500 ? '' : ` (${seconds(startMs)})`;
}
