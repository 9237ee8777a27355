/**
 * This step installs npm packages when they are missing or are not those of package-lock.json.
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
  // npm's own waits (10 s, then 60 s, package by package) make a machine without network look hung for ten minutes.
  // We try the whole once more instead, which goes on from what npm's cache then has.
  '--fetch-retries=0',
];
const TRIES_MAX = 2;

export async function ensurePackages(root, say) {
  const stampFile = join(root, 'node_modules', '.zester-stamp');
  const stamp = readText(stampFile);
  const wanted = wantedStamp(root);
  if (stamp === wanted) return 'current';
  // The packages may be right although our stamp is not: someone ran npm by hand. Not so after a change of Node.
  const isSameNode = stamp === undefined || platformOf(stamp) === platformOf(wanted);
  const isCurrent = isSameNode && installedEqualsLock(root);
  if (!isCurrent) await install(root, say);
  writeFileSync(stampFile, wanted);
  return isCurrent ? 'current' : 'installed';
}

async function install(root, say) {
  const command = isLockComplete(root) ? ['ci'] : ['install', '--no-save'];
  const env = { ...process.env, ...npmCache() };
  for (let tries = 1; ; tries++) {
    say(`installing (npm ${command.join(' ')}) …`);
    if (command[0] === 'install') rmSync(join(root, 'node_modules'), { recursive: true, force: true });
    const { code, output } = await npm([...command, ...NPM_OPTIONS], { cwd: root, env });
    // npm calls it a success when it could not fetch a binary of this platform: binaries are optional packages.
    if (code === 0 && installedEqualsLock(root)) return;
    if (tries < TRIES_MAX) continue;
    throw new SetUpError(
      [
        ...output.trim().split('\n').slice(0, 15),
        '',
        `npm packages could not be installed (npm ${command[0]} ended with ${code}).`,
        'Check that this machine reaches its npm registry (npm ping) and that you may write here, then run again.',
      ].join('\n'),
    );
  }
}

/** The npm that runs us, if one does: its version and settings are the ones that the user chose. */
function npm(args, options) {
  const runner = process.env.npm_execpath;
  return runner?.endsWith('npm-cli.js')
    ? run(process.execPath, [runner, ...args], options)
    : run('npm', args, options);
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

function platformOf(stamp) {
  return stamp.slice(stamp.indexOf(' '));
}

/** Every package of the lock is there in its version; optional ones may be missing unless they are for this platform. */
function installedEqualsLock(root) {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  const wanted = readPackages(join(root, 'package-lock.json'));
  if (installed === undefined || wanted === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = installed[path];
    return found === undefined
      ? entry.optional === true && !isForHere(entry)
      : found.version === entry.version;
  });
}

/** Optional packages that name no platform serve those of other platforms, as far as our tools go. */
function isForHere({ os, cpu, libc }) {
  if (!os?.includes(process.platform) || !cpu?.includes(process.arch)) return false;
  const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
  return libc?.includes(isGlibc ? 'glibc' : 'musl') ?? true;
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
