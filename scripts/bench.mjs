/** `npm run bench [name … [--option …]]`: bundles and runs the programs in bench/, one after the other. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from './run.mjs';
import { ROOT, setUp } from './setup.mjs';
import { runMain, SetUpError } from './steps.mjs';

const USAGE = 'npm run bench [-- name … [--option …]]: the benchmarks in bench/, all of them without a name';

await runMain(async () => {
  const words = process.argv.slice(2);
  if (words.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  await setUp();
  const named = words.findIndex((word) => word.startsWith('-'));
  const wanted = named < 0 ? words : words.slice(0, named);
  const options = named < 0 ? [] : words.slice(named);
  const names = readdirSync(join(ROOT, 'bench'))
    .filter((file) => file.endsWith('.bench.ts'))
    .map((file) => basename(file, '.bench.ts'))
    .filter((name) => wanted.length === 0 || wanted.includes(name));
  if (names.length === 0)
    throw new SetUpError(`no benchmark${wanted.length > 0 ? ` named ${wanted}` : ' yet'}`);
  let worst = 0;
  for (const name of names) worst = Math.max(worst, await runBench(name, options));
  return worst;
});

/** As the product runs: one file, without the certificates that Node 20 would parse at each start. */
async function runBench(name, options) {
  const esbuild = await import('esbuild');
  const outdir = join(ROOT, 'dist', 'bench');
  const hosts = readdirSync(join(ROOT, 'bench')).filter((file) => file.endsWith('-host.ts'));
  await esbuild.build({
    entryPoints: [`${name}.bench.ts`, ...hosts].map((file) => join(ROOT, 'bench', file)),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outdir,
    outExtension: { '.js': '.mjs' },
    // The NATS client is CommonJS and asks for Node's modules through `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const { code } = await run(
    process.execPath,
    ['--expose-gc', join(outdir, `${name}.bench.mjs`), ...options],
    { cwd: ROOT, env, show: true },
  );
  return code;
}
