/**
 * This script makes a fresh clone ready: npm packages, the built programs, a nats-server. Each step does nothing when
 * nothing changed, so that a second run costs a fraction of a second. Needs Node and npm; uses only Node's own modules
 * until the packages are there.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, commit } from './build.mjs';
import { ensurePackages } from './packages.mjs';
import { alone } from './setup-lock.mjs';
import { runMain, runSteps, SetUpError } from './steps.mjs';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const NODE_FLOOR = [20, 19];

export async function setUp() {
  checkNode();
  await alone(
    ROOT,
    (line) => console.error(line),
    () =>
      runSteps([
        { name: 'npm packages', run: (say) => ensurePackages(ROOT, say) },
        { name: 'build', run: ensureBuilt },
        { name: 'nats-server', run: ensureServer },
      ]),
  );
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isEnough = major > NODE_FLOOR[0] || (major === NODE_FLOOR[0] && minor >= NODE_FLOOR[1]);
  if (!isEnough)
    throw new SetUpError(
      `Zester needs Node ${NODE_FLOOR.join('.')} or newer; this is ${process.versions.node} (${process.execPath}).\n` +
        'Install a newer Node (https://nodejs.org/en/download) and run again.',
    );
}

/** The stamp is written last: a build that was interrupted, or whose output was removed, is done again. */
export async function ensureBuilt() {
  const stampFile = join(ROOT, 'dist', '.stamp');
  const stamp = sourceHash();
  const last = existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, 'utf8')) : { outputs: [] };
  const isCurrent = last.stamp === stamp && last.outputs.every((out) => existsSync(join(ROOT, out)));
  if (isCurrent) return 'current';
  const outputs = await build().catch((error) => {
    // esbuild has already printed what is wrong and where; anything else is ours to show.
    if (error.errors === undefined) throw error;
    throw new SetUpError('the build failed; see the messages above');
  });
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(`${stampFile}.tmp`, JSON.stringify({ stamp, outputs }));
  renameSync(`${stampFile}.tmp`, stampFile);
  return outputs.length === 0 ? 'no program has an entry yet' : `built ${outputs.join(', ')}`;
}

/** What the build itself is made of. */
const BUILD_FILES = [
  ...['package.json', 'package-lock.json'],
  ...['scripts/build.mjs', 'scripts/make-code-cache.cjs', 'bin/code-cache.cjs'],
];

/** Changes with everything that goes into a bundle, and with the Node that its code cache is for. */
function sourceHash() {
  const hash = createHash('sha256').update(commit()).update(process.version);
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    // `path` until Node 21 called it `parentPath`.
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  for (const file of [...sources, ...BUILD_FILES].sort())
    hash.update(`${file}\0`).update(readFileSync(join(file.startsWith('/') ? '' : ROOT, file)));
  return hash.digest('hex');
}

async function ensureServer(say) {
  const module = pathToFileURL(join(ROOT, 'dist', 'setup', 'find-server.mjs')).href;
  const { explainError, findServer, isZesterError, systemClock } = await import(module);
  try {
    const { version, path } = await findServer({ env: process.env, clock: systemClock, say });
    return `${version} (${path})`;
  } catch (error) {
    throw isZesterError(error) ? new SetUpError(explainError(error)) : error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runMain(setUp);
