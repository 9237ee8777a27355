/** `npm run bench [name …]`: bundles and runs the programs in bench/, one after the other. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from './run.mjs';
import { ROOT, setUp } from './setup.mjs';
import { runMain, SetUpError } from './steps.mjs';

await runMain(async () => {
  await setUp();
  const wanted = process.argv.slice(2);
  const names = readdirSync(join(ROOT, 'bench'))
    .filter((file) => file.endsWith('.bench.ts'))
    .map((file) => basename(file, '.bench.ts'))
    .filter((name) => wanted.length === 0 || wanted.includes(name));
  if (names.length === 0)
    throw new SetUpError(`no benchmark${wanted.length > 0 ? ` named ${wanted}` : ' yet'}`);
  let worst = 0;
  for (const name of names) worst = Math.max(worst, await runBench(name));
  return worst;
});

/** As the product runs: one file, without the certificates that Node 20 would parse at each start. */
async function runBench(name) {
  const esbuild = await import('esbuild');
  const outfile = join(ROOT, 'dist', 'bench', `${name}.mjs`);
  await esbuild.build({
    entryPoints: [join(ROOT, 'bench', `${name}.bench.ts`)],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outfile,
    // The NATS client is CommonJS and asks for Node's modules through `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const { code } = await run(process.execPath, ['--expose-gc', outfile], { cwd: ROOT, env, show: true });
  return code;
}
