/** `npm run soak`: the long runs in test/soak. Arguments go to vitest. */
import { join } from 'node:path';
import { run } from './run.mjs';
import { ROOT, setUp } from './setup.mjs';
import { runMain } from './steps.mjs';

await runMain(async () => {
  await setUp();
  const config = join(ROOT, 'scripts', 'vitest.soak.config.mjs');
  const args = ['run', '--config', config, ...process.argv.slice(2)];
  const { code } = await run(join(ROOT, 'node_modules', '.bin', 'vitest'), args, { cwd: ROOT, show: true });
  return code;
});
