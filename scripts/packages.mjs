/**
 * npm packages: installed when they are missing or are not those of package-lock.json.
 *
 * npm writes node_modules/.package-lock.json as the last thing of an install, so an interrupted one does not have it
 * and is done again. Our stamp, written after that, saves the comparison on the next run and remembers the Node major.
 *
 * `npm ci` refuses a lock that does not list the packages for other platforms, and a lock made through a mirror that
 * lacks them cannot list them (npm leaves out, silently, an optional package that it cannot find). For such a lock the
 * same is done in two steps: remove, then `npm install --no-save`, which takes every locked version and changes no file.
 */
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.mjs';
import { SetUpError } from './steps.mjs';

const NPM_OPTIONS = [
  // The tools we build and test with are wanted also where NODE_ENV says production.
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  // npm's own waits (10 s, then 60 s, for each package) make a machine without network look hung for ten minutes.
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=4000',
];

export async function ensurePackages(root, say) {
  const stamp = join(root, 'node_modules', '.zester-stamp');
  const wanted = wantedStamp(root);
  if (readText(stamp) === wanted) return 'current';
  // Without any stamp of ours the packages may still be right: someone ran `npm ci` by hand.
  const byHand = !existsSync(stamp) && installedEqualsLock(root);
  if (!byHand) await install(root, say);
  writeFileSync(stamp, wanted);
  return byHand ? 'current' : 'installed';
}

async function install(root, say) {
  const isComplete = isLockComplete(root);
  const [file, ...first] = process.env.npm_execpath?.endsWith('npm-cli.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  const command = isComplete ? ['ci'] : ['install', '--no-save'];
  say(`installing (npm ${command.join(' ')}) …`);
  if (!isComplete) rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  const args = [...first, ...command, ...NPM_OPTIONS];
  const { code, output } = await run(file, args, { cwd: root, env: { ...process.env, ...npmCache() } });
  if (code !== 0)
    throw new SetUpError(
      [
        output.trim().split('\n').slice(0, 15).join('\n'),
        '',
        `npm packages could not be installed (npm ${command[0]} ended with ${code}).`,
        'Check that this machine reaches its npm registry (npm ping) and that you may write here, then run again.',
      ].join('\n'),
    );
}

/** npm keeps its cache in the home directory; a user without a usable one (nobody) gets one under /tmp. */
function npmCache() {
  const home = process.env.HOME ?? homedir();
  try {
    accessSync(join(home, '.npm'), constants.W_OK);
    return {};
  } catch {
    // Not there yet is fine as long as it can be made.
  }
  try {
    accessSync(home, constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: join(ownTemporaryDir(), 'npm') };
  }
}

/** The same from run to run, unless somebody else was there first. */
function ownTemporaryDir() {
  const dir = join(tmpdir(), `zester-${process.getuid()}`);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return lstatSync(dir).uid === process.getuid() ? dir : mkdtempSync(`${dir}-`);
}

function wantedStamp(root) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const [major] = process.versions.node.split('.');
  return `${hash.digest('hex')} node${major} ${process.platform}-${process.arch}\n`;
}

/** Every package of the lock is there in its version; those for other platforms may be missing. */
function installedEqualsLock(root) {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  const wanted = readPackages(join(root, 'package-lock.json'));
  if (installed === undefined || wanted === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = installed[path];
    return found === undefined ? optional === true : found.version === version;
  });
}

/** Whether the lock lists every optional package that some package names, for whatever platform. */
function isLockComplete(root) {
  const packages = readPackages(join(root, 'package-lock.json'));
  return Object.entries(packages).every(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).every(
      (name) => packages[`${path}/node_modules/${name}`] ?? packages[`node_modules/${name}`],
    ),
  );
}

function readPackages(path) {
  const text = readText(path);
  return text === undefined ? undefined : JSON.parse(text).packages;
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
