/**
 * This program stands in for `systemctl` and `journalctl` on the machines that tests make (machines.ts): it starts what the
 * units in /etc/systemd/system say, as they say it: user, environment, directories, limits, and of the sandbox what keeps a
 * program from files and capabilities. A key or a verb that it does not know is an error, so that no word of a unit is passed
 * over in silence; keys that only systemd can enforce are listed as such.
 *
 * Each service has a supervisor, which is this program again: it starts the service once more when its unit says so. Its state is in
 * /run/units, what the service prints in /var/log/journal.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';

const UNITS = '/etc/systemd/system';
const STATE = '/run/units';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const START_MS_MAX = 10_000;
/** What is known and not done here: order and wants (a page starts things itself), and what takes the kernel's filters. */
const ONLY_SYSTEMD = new Set([
  ...[
    'Description',
    'Documentation',
    'After',
    'Before',
    'Wants',
    'Requires',
    'WantedBy',
    'StartLimitIntervalSec',
  ],
  ...[
    'StartLimitBurst',
    'KillMode',
    'KillSignal',
    'SyslogIdentifier',
    'SuccessExitStatus',
    'OOMScoreAdjust',
    'OOMPolicy',
  ],
  ...[
    'TasksMax',
    'Delegate',
    'PrivateDevices',
    'ProtectKernelTunables',
    'ProtectKernelModules',
    'ProtectKernelLogs',
    'ProtectClock',
  ],
  ...[
    'ProtectControlGroups',
    'ProtectHostname',
    'ProtectProc',
    'ProcSubset',
    'RestrictAddressFamilies',
    'RestrictNamespaces',
  ],
  ...[
    'RestrictRealtime',
    'RestrictSUIDSGID',
    'LockPersonality',
    'SystemCallFilter',
    'SystemCallArchitectures',
    'RemoveIPC',
  ],
  ...[
    'SystemCallErrorNumber',
    'KeyringMode',
    'PrivateUsers',
    'MemoryDenyWriteExecute',
    'LimitCORE',
    'ConditionPathExists',
  ],
]);
const DONE_HERE = new Set([
  ...[
    'Type',
    'ExecStart',
    'ExecReload',
    'User',
    'Group',
    'Environment',
    'WorkingDirectory',
    'UMask',
    'LimitNOFILE',
  ],
  ...[
    'Restart',
    'RestartSec',
    'TimeoutStopSec',
    'StateDirectory',
    'StateDirectoryMode',
    'NoNewPrivileges',
    'ProtectSystem',
  ],
  ...[
    'ProtectHome',
    'PrivateTmp',
    'ReadWritePaths',
    'ReadOnlyPaths',
    'InaccessiblePaths',
    'CapabilityBoundingSet',
    'AmbientCapabilities',
  ],
]);

const fail = (text) => {
  console.error(text);
  process.exit(1);
};

function journal(given) {
  const at = given.indexOf('-u');
  if (at < 0) fail('journalctl: only -u UNIT is known here');
  process.stdout.write(readFileSync(`/var/log/journal/${nameOf(given[at + 1])}`));
}

async function manage(given) {
  const flags = given.filter((word) => word.startsWith('-'));
  const [verb, ...units] = given.filter((word) => !word.startsWith('-'));
  const isKill = verb === 'kill' && flags.length === 1 && /^--signal=[A-Z]+$/.test(flags[0]);
  const isEnableNow = verb === 'enable' && flags.join() === '--now';
  if (flags.length > 0 && !isKill && !isEnableNow) fail(`systemctl: ${flags.join(' ')} is not known here`);
  for (const unit of units.map(nameOf)) {
    // systemd reads a unit when it is told to, or when it sees it first; a mistake in it shows then.
    const read = readUnit(unit);
    if (verb === 'start' || isEnableNow) await begin(unit);
    else if (verb === 'stop') await end(unit, read);
    else if (verb === 'restart') {
      await end(unit, read);
      await begin(unit);
    } else if (verb === 'reload') reload(unit, read);
    else if (isKill) process.kill(pidOf(unit) ?? fail(`${unit} does not run`), `SIG${flags[0].slice(9)}`);
    else if (verb === 'is-active') is(pidOf(unit) !== undefined);
    else if (verb !== 'enable') fail(`systemctl: ${verb} is not known here`);
  }
  if (units.length === 0 && verb !== 'daemon-reload') fail(`systemctl: ${verb} of what?`);
}

function is(active) {
  console.log(active ? 'active' : 'inactive');
  if (!active) process.exitCode = 3;
}

const nameOf = (unit) => unit.replace(/\.service$/, '');

/** Keys to lists of values, an empty value having emptied the list before it, as systemd has it. */
function readUnit(unit) {
  const file = `${UNITS}/${unit}.service`;
  if (!existsSync(file)) fail(`Unit ${unit}.service could not be found.`);
  const keys = new Map();
  for (const line of readFileSync(file, 'utf8').replaceAll('\\\n', ' ').split('\n')) {
    if (/^\s*(?:[#;[]|$)/.test(line)) continue;
    const [, key, value] = /^(\w+)\s*=\s*(.*)$/.exec(line.trim()) ?? fail(`${file}: ${line}`);
    if (!DONE_HERE.has(key) && !ONLY_SYSTEMD.has(key)) fail(`${file}: ${key} is not known here`);
    keys.set(key, value === '' && key !== 'CapabilityBoundingSet' ? [] : [...(keys.get(key) ?? []), value]);
  }
  return keys;
}

const last = (unit, key) => unit.get(key)?.at(-1);
const isOn = (unit, key) => ['yes', 'true', 'on', '1'].includes(last(unit, key));
const listed = (unit, key) => (unit.get(key) ?? []).flatMap((value) => value.split(/\s+/)).filter(Boolean);
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const seconds = (text) => 1000 * Number(text.replace(/s$/, ''));

function pidOf(unit) {
  if (!existsSync(`${STATE}/${unit}`)) return undefined;
  const pid = Number(readFileSync(`${STATE}/${unit}`, 'utf8'));
  return pid > 0 && existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`).length > 0
    ? pid
    : undefined;
}

async function begin(unit) {
  if (pidOf(unit) !== undefined) return;
  mkdirSync(STATE, { recursive: true });
  rmSync(`${STATE}/${unit}`, { force: true });
  spawn(process.execPath, [process.argv[1], 'supervise', unit], { detached: true, stdio: 'ignore' }).unref();
  const endMs = Date.now() + START_MS_MAX;
  while (pidOf(unit) === undefined) {
    if (Date.now() > endMs)
      fail(`${unit} did not start: ${readFileSync(`/var/log/journal/${unit}`, 'utf8')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The supervisor sees the mark and does not start it again. */
async function end(unit, read) {
  const pid = pidOf(unit);
  writeFileSync(`${STATE}/${unit}.stopped`, '');
  if (pid !== undefined) process.kill(pid, 'SIGTERM');
  const endMs = Date.now() + seconds(last(read, 'TimeoutStopSec') ?? '90');
  while (pidOf(unit) !== undefined) {
    if (Date.now() > endMs) process.kill(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  rmSync(`${STATE}/${unit}`, { force: true });
}

function reload(unit, read) {
  const pid = pidOf(unit) ?? fail(`${unit} does not run`);
  for (const command of read.get('ExecReload') ?? fail(`${unit} has no ExecReload`))
    execFileSync('bash', ['--norc', '-c', command.replaceAll('$MAINPID', String(pid))]);
}

function supervise(unit) {
  const read = readUnit(unit);
  const log = openSync(`/var/log/journal/${unit}`, 'a');
  rmSync(`${STATE}/${unit}.stopped`, { force: true });
  const run = () => {
    const child = spawn(
      'unshare',
      ['--mount', '--propagation', 'private', 'bash', '--norc', '-c', scriptOf(unit, read)],
      {
        cwd: '/',
        env: { PATH },
        stdio: ['ignore', log, log],
      },
    );
    writeFileSync(`${STATE}/${unit}`, String(child.pid));
    child.once('close', (code, signal) => {
      appendFileSync(`/var/log/journal/${unit}`, `[unit ended: ${signal ?? code}]\n`);
      const restart = last(read, 'Restart') ?? 'no';
      const isAgain = restart === 'always' || (restart === 'on-failure' && code !== 0);
      if (isAgain && !existsSync(`${STATE}/${unit}.stopped`))
        setTimeout(
          () => existsSync(`${STATE}/${unit}.stopped`) || run(),
          seconds(last(read, 'RestartSec') ?? '0.1'),
        );
    });
  };
  run();
}

/** What is done for the service between its supervisor and its program, which replaces the shell in the end. */
function scriptOf(unit, read) {
  const user = last(read, 'User') ?? 'root';
  const [, , , gid, , home, shell] = execFileSync('getent', ['passwd', user], { encoding: 'utf8' })
    .trim()
    .split(':');
  const group = last(read, 'Group') ?? gid;
  const own = { PATH, HOME: home, USER: user, LOGNAME: user, SHELL: shell };
  const state = listed(read, 'StateDirectory').map((dir) => `/var/lib/${dir}`);
  const mode = last(read, 'StateDirectoryMode') ?? '0755';
  if (state.length > 0) own.STATE_DIRECTORY = state.join(':');
  for (const [, key, value] of (read.get('Environment') ?? []).join(' ').matchAll(/"?(\w+)=([^"\s]*)"?/g))
    own[key] = value;
  const [command, ...others] = read.get('ExecStart') ?? [];
  if (command === undefined || others.length > 0) fail(`${unit}: one ExecStart, please`);
  if (!command.startsWith('/')) fail(`${unit}: ExecStart has no whole path`);
  return [
    'set -e',
    ...state.flatMap((dir) => [
      `mkdir -p ${dir}`,
      // As systemd does: what is in it follows when the directory itself had another owner.
      `[ "$(stat -c %U ${dir})" = ${user} ] || chown -R ${user}:${group} ${dir}`,
      `chmod ${mode} ${dir}`,
    ]),
    ...sandbox(read, state),
    // Not everywhere may root lift its own limit.
    ...(read.has('LimitNOFILE')
      ? [`ulimit -n ${last(read, 'LimitNOFILE')} 2>&- || ulimit -n "$(ulimit -Hn)"`]
      : []),
    `umask ${last(read, 'UMask') ?? '0022'}`,
    `cd ${last(read, 'WorkingDirectory') ?? '/'}`,
    `exec env -i ${Object.entries(own)
      .map(([key, value]) => quoted(`${key}=${value}`))
      .join(
        ' ',
      )} setpriv ${privileges(read, user, group)} ${command.replaceAll('$$', '\\$').replaceAll('%%', '%')}`,
  ].join('\n');
}

function privileges(read, user, group) {
  const words = user === 'root' ? [] : [`--reuid ${user}`, `--regid ${group}`, '--init-groups'];
  const caps = (key) => listed(read, key).map((cap) => `+${cap.toLowerCase().replace(/^cap_/, '')}`);
  if (isOn(read, 'NoNewPrivileges')) words.push('--no-new-privs');
  const bound = read.get('CapabilityBoundingSet');
  if (bound?.join('').startsWith('~')) fail('CapabilityBoundingSet with ~ is not known here');
  if (bound !== undefined)
    words.push(`--bounding-set ${['-all', ...caps('CapabilityBoundingSet')].join(',')}`);
  const ambient = caps('AmbientCapabilities').join(',');
  if (ambient !== '') words.push(`--inh-caps ${ambient} --ambient-caps ${ambient}`);
  return words.join(' ');
}

/** Mounts as systemd makes them: what may be written becomes a mount of its own, then the rest is made read-only. */
function sandbox(read, state) {
  const lines = [];
  const paths = (key) => listed(read, key);
  const each = (key, make) => {
    for (const path of paths(key)) {
      const plain = path.replace(/^[-+]+/, '');
      lines.push(path.startsWith('-') ? `[ ! -e ${plain} ] || { ${make(plain)}; }` : make(plain));
    }
  };
  const emptied = (path) => `[ ! -d ${path} ] || mount -t tmpfs -o mode=0755,ro tmpfs ${path}`;
  const readOnly = (path) =>
    `[ ! -e ${path} ] || { mount --rbind ${path} ${path} && mount -o remount,bind,ro ${path}; }`;
  const home = last(read, 'ProtectHome') ?? 'no';
  if (['yes', 'true', 'tmpfs'].includes(home)) lines.push(...['/home', '/root', '/run/user'].map(emptied));
  else if (home === 'read-only') lines.push(...['/home', '/root'].map(readOnly));
  else if (home !== 'no' && home !== 'false') fail(`ProtectHome=${home} is not known here`);
  if (isOn(read, 'PrivateTmp'))
    lines.push('mount -t tmpfs -o mode=1777 tmpfs /tmp', 'mount -t tmpfs -o mode=1777 tmpfs /var/tmp');
  const system = last(read, 'ProtectSystem') ?? 'no';
  const writable = [...state, ...(isOn(read, 'PrivateTmp') ? ['/tmp', '/var/tmp'] : [])];
  for (const path of state) lines.push(`mount --bind ${path} ${path}`);
  each('ReadWritePaths', (path) => `mount --bind ${path} ${path}`);
  if (system === 'strict') {
    writable.push(...paths('ReadWritePaths').map((path) => path.replace(/^[-+]+/, '')));
    const keep = [...writable, '/dev', '/proc', '/sys'].map((path) => `${path}|${path}/*`).join('|');
    lines.push(
      `while read -r _ _ _ _ at _; do case "$at" in ${keep}) ;; *) mount -o remount,bind,ro "$at" 2>/dev/null || true ;; esac; done < <(tac /proc/self/mountinfo)`,
    );
  } else if (['full', 'yes', 'true'].includes(system)) {
    lines.push(...['/usr', '/boot', ...(system === 'full' ? ['/etc'] : [])].map(readOnly));
  } else if (system !== 'no' && system !== 'false') fail(`ProtectSystem=${system} is not known here`);
  each('ReadOnlyPaths', (path) => readOnly(path));
  each(
    'InaccessiblePaths',
    (path) =>
      `if [ -d ${path} ]; then mount -t tmpfs -o mode=000,ro tmpfs ${path}; else mount --bind /dev/null ${path}; fi`,
  );
  return lines;
}

const [tool, ...words] = process.argv.slice(2);
if (tool === 'supervise') supervise(words[0]);
else if (tool === 'journalctl') journal(words);
else await manage(words);
