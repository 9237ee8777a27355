/**
 * `installUnit` puts the systemd unit of a daemon in its place, for `zester-peel install` and `zester-master install`. It is written
 * whole and fsynced before it takes its name, so that nobody ever sees half of one. The same again changes nothing; one that a person
 * changed is not overwritten unless told so. It starts nothing: that is the next command, which it tells.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { zesterError } from '../core/errors/zester-error.ts';
import { shellWord } from '../core/shell-word.ts';
import { isUnitOurs, type UnitDaemon, unitText } from '../core/units/unit-file.ts';
import { readOptionWords, separateWords } from '../runtime/option-words.ts';

export interface InstallTarget {
  readonly daemon: UnitDaemon;
  /** Options of the daemon whose value is a path: made absolute, because a unit runs in `/`. */
  readonly pathOptions: readonly string[];
  readonly valueOptions: readonly string[];
  /** Checks the options of the daemon, and answers with the directories that it writes. */
  readonly check: (words: readonly string[]) => readonly string[];
  /** Node and the program. */
  readonly program: readonly string[];
}

const VALUES = ['root', 'user'];
const SWITCHES = ['print', 'force', 'help'];
const UNIT_DIR = 'etc/systemd/system';
const UNIT_MODE = 0o644;
const USER_NAME = /^[a-z_][a-z0-9_-]{0,31}$/;

function installHelp(daemon: UnitDaemon, example: string): string {
  return `${daemon} install: writes the systemd unit of ${daemon}.

Examples:
  ${daemon} install${example}
  ${daemon} install --print${example}

All other options are those of ${daemon}; they are checked and go into the unit.

Options:
  --print       print the unit and write nothing
  --root DIR    the root of the system that it is for, such as an image; default /
  --user NAME   run it as this user; default root
  --force       overwrite a unit that was changed by hand
  --help        show this
`;
}

/** What is printed. */
export function installUnit(words: readonly string[], target: InstallTarget, example: string): string {
  const { daemon, valueOptions } = target;
  const usage = (problem: string) => zesterError('UNIT_USAGE', { problem, daemon });
  const { own, others } = ownWords(words, valueOptions);
  const given = readOptionWords(own, { values: VALUES, switches: SWITCHES }, usage);
  if (given.has('help')) return installHelp(daemon, example);
  const user = given.get('user');
  if (user !== undefined && !USER_NAME.test(user)) throw usage(`${user} is no name of a user`);
  const options = absolutePaths(others, target.pathOptions);
  const writes = target.check(options);
  const text = unitText({ daemon, argv: [...target.program, ...options], writes, user }, sha256);
  if (given.has('print')) return text;
  const root = resolve(given.get('root') ?? '/');
  const file = join(root, UNIT_DIR, `${daemon}.service`);
  const change = writeUnit(file, text, given.has('force'));
  return report(daemon, file, change, root);
}

type Change = 'written' | 'replaced' | 'unchanged';

function writeUnit(file: string, text: string, force: boolean): Change {
  try {
    const before = readUnit(file);
    if (before === text) return 'unchanged';
    if (before !== undefined && !force && !isUnitOurs(before, sha256))
      throw zesterError('UNIT_CHANGED', { file });
    makeFolder(dirname(file));
    const staged = `${file}.new-${process.pid}`;
    const fd = openSync(staged, 'w', UNIT_MODE);
    try {
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(staged, file);
    return before === undefined ? 'written' : 'replaced';
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'UNIT_CHANGED') throw cause;
    throw zesterError('UNIT_UNWRITABLE', { file }, { cause });
  }
}

/** One by one: Node's own recursive mkdir goes round in circles where a file system refuses names as "not found". */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

/** Undefined when there is none. A link, as `systemctl mask` makes one, is somebody's wish. */
function readUnit(file: string): string | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  return lstatSync(file).isSymbolicLink() ? '' : readFileSync(file, 'utf8');
}

function report(daemon: UnitDaemon, file: string, change: Change, root: string): string {
  const words: Readonly<Record<Change, string>> = {
    written: 'wrote',
    replaced: 'replaced',
    unchanged: 'unchanged:',
  };
  const start = `systemctl daemon-reload && systemctl enable --now ${daemon}`;
  const isHere = root === '/';
  const hasSystemd = isHere && statSync('/run/systemd/system', { throwIfNoEntry: false }) !== undefined;
  const next = isHere
    ? `next: \`${start}\`, then \`journalctl -u ${daemon} -f\``
    : `next: \`systemctl --root=${shellWord(root)} enable ${daemon}\``;
  const note =
    isHere && !hasSystemd ? ['  systemd does not run here: the unit waits for a boot with it'] : [];
  return [`${words[change]} ${file}`, ...note, `  ${next}`, ''].join('\n');
}

/** Our own options, and those of the daemon. */
function ownWords(words: readonly string[], daemonValues: readonly string[]) {
  const { options, others: bare } = separateWords(words, [...VALUES, ...daemonValues]);
  const own: string[] = [];
  const others: string[] = [];
  for (let i = 0; i < options.length; i++) {
    const word = options[i] ?? '';
    const name = word.slice(2).split('=')[0] ?? '';
    const takesNext = !word.includes('=') && [...VALUES, ...daemonValues].includes(name);
    const target = [...VALUES, ...SWITCHES].includes(name) ? own : others;
    target.push(word, ...(takesNext && options[i + 1] !== undefined ? [options[i + 1] ?? ''] : []));
    if (takesNext) i += 1;
  }
  return { own, others: [...others, ...bare] };
}

function absolutePaths(words: readonly string[], pathOptions: readonly string[]): readonly string[] {
  const absolute = (path: string) => (isAbsolute(path) ? path : resolve(path));
  return words.map((word, i) => {
    const [, name = '', value = ''] = /^--([a-z-]+)=(.+)$/s.exec(word) ?? [];
    if (pathOptions.includes(name)) return `--${name}=${absolute(value)}`;
    const before = words[i - 1] ?? '';
    return before.startsWith('--') && pathOptions.includes(before.slice(2)) ? absolute(word) : word;
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
