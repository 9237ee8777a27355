/**
 * `npm run soak`: the long runs in test/soak. `--minutes N` is the length of the chaos (default 60), `--seed N` repeats a
 * run; `--seeds N` runs the simulator alone, for so many fresh seeds. Other arguments go to vitest, so a part of a file's
 * name picks one.
 */
import { join } from 'node:path';
import { run } from './run.mjs';
import { ROOT, setUp } from './setup.mjs';
import { runMain, SetUpError } from './steps.mjs';

const VARIABLES = {
  '--minutes': 'ZESTER_SOAK_MINUTES',
  '--seed': 'ZESTER_CHAOS_SEED',
  '--seeds': 'ZESTER_SIM_SEEDS',
};

const USAGE = `npm run soak [-- options] [-- part of a file's name]: the long runs in test/soak
  --minutes N   length of the chaos on real processes, 60 without it
  --seeds N     only the simulator, for so many fresh seeds
  --seed N      repeats a run of the chaos, or says with which seed the simulator begins`;

await runMain(async () => {
  if (process.argv.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const { args, env } = readArguments(process.argv.slice(2));
  await setUp();
  const config = join(ROOT, 'scripts', 'vitest.soak.config.mjs');
  const vitest = join(ROOT, 'node_modules', '.bin', 'vitest');
  const options = { cwd: ROOT, env: { ...process.env, ...env }, show: true };
  const { code } = await run(vitest, ['run', '--config', config, ...args], options);
  return code;
});

function readArguments(words) {
  const args = [];
  const env = {};
  for (let i = 0; i < words.length; i++) {
    const [name, inline] = words[i].split('=', 2);
    const variable = VARIABLES[name];
    if (variable === undefined) {
      args.push(words[i]);
      continue;
    }
    const value = inline ?? words[++i];
    if (!(Number(value) > 0))
      throw new SetUpError(`${name} needs a number above 0, not ${value ?? 'nothing'}`);
    env[variable] = value;
  }
  if (env[VARIABLES['--seeds']] !== undefined && args.length === 0) args.push('sim-seeds');
  return { args, env };
}
