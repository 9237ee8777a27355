/**
 * This script bundles every program whose entry exists into one CommonJS file (the form that starts fastest on Node
 * 20), with a code cache beside those that people call, and the search for nats-server into dist/setup/, where the
 * set-up step loads it from.
 *
 * Each file is written beside its place and renamed, so that a program that starts during a build gets the old or
 * the new one, never half of one. `npm run build` always builds; setup.mjs builds only when something changed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const PROGRAMS = [
  { entry: 'src/cli/main.ts', out: 'dist/zester.cjs', isCached: true },
  { entry: 'src/master/main.ts', out: 'dist/zester-master.cjs', isCached: true },
  { entry: 'src/peel/main.ts', out: 'dist/zester-peel.cjs', isCached: true },
  { entry: 'src/sim/main.ts', out: 'dist/zester-sim.cjs' },
  { entry: 'src/cli/authoring/states-program.ts', out: 'dist/zester-states.cjs' },
];

/** What the set-up needs from the product's own code. */
const SETUP_MODULE = {
  contents: [
    "export { findServer } from './src/nats-server/find-server.ts';",
    "export { systemClock } from './src/runtime/system-clock.ts';",
    "export { explainError, isZesterError } from './src/core/errors/zester-error.ts';",
  ].join('\n'),
  resolveDir: ROOT,
  sourcefile: 'setup-module.ts',
  loader: 'ts',
};

/** Builds everything; returns the programs that were built, by output path. Throws when a bundle fails. */
export async function build() {
  const esbuild = await import('esbuild');
  // Whose sources it was for: not those of this build. setup.mjs writes the next one.
  rmSync(join(ROOT, 'dist', '.stamp'), { force: true });
  await bundle(esbuild, { stdin: SETUP_MODULE, format: 'esm' }, 'dist/setup/find-server.mjs');
  const present = PROGRAMS.filter(({ entry }) => existsSync(join(ROOT, entry)));
  for (const { entry, out } of present)
    await bundle(esbuild, { entryPoints: [join(ROOT, entry)], format: 'cjs' }, out);
  for (const { out, isCached } of present) if (isCached) makeCodeCache(join(ROOT, out));
  return present.map(({ out }) => out);
}

/** A program without its cache is only slower to start: that does not fail a build, but it is said. */
function makeCodeCache(bundle) {
  const maker = join(ROOT, 'scripts', 'make-code-cache.cjs');
  const { status, stderr } = spawnSync(process.execPath, [maker, bundle], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) console.warn(`no code cache for ${bundle}, it will start slower: ${stderr.trim()}`);
}

/** The commit of the working tree; `unknown` without git or outside a clone. */
export function commit() {
  // safe.directory: root may build a clone that belongs to someone else; asking for HEAD runs nothing of that clone.
  const git = spawnSync('git', ['-c', `safe.directory=${ROOT}`, 'rev-parse', 'HEAD'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return git.status === 0 ? git.stdout.trim() : 'unknown';
}

async function bundle(esbuild, input, out) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const outfile = join(ROOT, out);
  const { outputFiles } = await esbuild.build({
    ...input,
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    target: 'node20',
    outfile,
    sourcemap: 'external',
    minifySyntax: true,
    // Comments and blanks would stay in memory for as long as a program runs, twice as large if one is not ASCII.
    minifyWhitespace: true,
    legalComments: 'eof',
    define: {
      __ZESTER_VERSION__: JSON.stringify(version),
      __ZESTER_COMMIT__: JSON.stringify(commit()),
    },
    write: false,
    logLevel: 'warning',
  });
  mkdirSync(dirname(outfile), { recursive: true });
  for (const file of outputFiles) {
    const temporary = `${file.path}.${process.pid}.tmp`;
    writeFileSync(temporary, file.contents);
    renameSync(temporary, file.path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const built = await build().catch((error) => {
    // esbuild has already printed what is wrong and where.
    console.error(error.errors === undefined ? error : 'build failed');
    process.exit(1);
  });
  for (const out of built) console.log(`built ${out}`);
  if (built.length === 0) console.log('no program has an entry yet; built dist/setup only');
}
