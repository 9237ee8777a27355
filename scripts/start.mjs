/** `npm start`: set up, then a local fleet in the foreground. Arguments go to `zester up`. */
import { join } from 'node:path';
import { run } from './run.mjs';
import { ROOT, setUp } from './setup.mjs';
import { runMain } from './steps.mjs';

await runMain(async () => {
  await setUp();
  const args = ['up', ...process.argv.slice(2)];
  const { code } = await run(join(ROOT, 'bin', 'zester'), args, { show: true, outlast: true });
  return code;
});
