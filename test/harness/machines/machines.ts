/**
 * This file makes several machines out of this one: each has a host name, a network card on a common cable, processes and
 * directories of its own (`/etc`, `/root`, `/opt`, `/srv`, `/tmp`, `/usr/local`, `/var/lib`, `/var/log`), made of Linux namespaces, and shares the
 * kernel and `/usr` with its host. Nothing of the host is changed, its network included: the cable is a bridge in a namespace
 * of its own.
 *
 * A machine has what a page may expect of it: node, nats-server, and root's shell. `systemctl`, `journalctl` and `scp` are
 * stand-ins (service-stand-in.mjs, `SCP`): no systemd and no sshd runs in here.
 *
 * Everything ends with the test file, and also when the test process is killed: the kernel then kills the first process of
 * each machine, and all others with it. Root only.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll } from 'vitest';
import { type Ended, ROOT, type RunningProgram, scratchDir, start } from '../programs/program.ts';
import { until } from '../until.ts';

/** Of the machine, not of the host: what a program is started with must not depend on who runs the test. */
const MACHINE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const TOOLS: Readonly<Record<string, string>> = {
  ip: 'iproute2',
  curl: 'curl',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
  useradd: 'passwd',
};
/** The directories of its own, by the name that they have in the place of the machine. */
const OWN_DIRS: Readonly<Record<string, string>> = {
  etc: '/etc',
  'local-bin': '/usr/local/bin',
  'local-sbin': '/usr/local/sbin',
  log: '/var/log',
  lib: '/var/lib',
  opt: '/opt',
  root: '/root',
  srv: '/srv',
  // Last: the places of the machines are below the host's /tmp.
  tmp: '/tmp',
};
/** What a machine has of the host's /etc: users, names, log-ins, where libraries are. */
const ETC = [
  ...['passwd', 'group', 'shadow', 'gshadow', 'login.defs', 'default', 'skel', 'shells', 'nsswitch.conf'],
  ...['pam.d', 'security', 'environment', 'host.conf', 'os-release', 'debian_version', 'localtime', 'motd'],
  ...[
    'ld.so.cache',
    'ld.so.conf',
    'ld.so.conf.d',
    'ssl/openssl.cnf',
    'alternatives',
    'machine-id',
    'protocols',
    'services',
  ],
];
/** In each machine: the homes of root on all of them, by host name; only the stand-in of scp looks there. */
const CABLE_DIR = '/mnt';
const SCP = `#!/bin/bash
# scp FILE… root@HOST: puts files into the home of root on another machine, with the modes that they have.
set -euo pipefail
target=\${@: -1}
host=\${target#root@}; host=\${host%:}
[ "$target" = "root@$host:" ] && [ -d "${CABLE_DIR}/$host" ] || { echo "scp: no way to $target" >&2; exit 1; }
cp --preserve=mode -- "\${@:1:$#-1}" "${CABLE_DIR}/$host/"
`;
const NETWORK = '10.20.0';
const READY_MS_MAX = 20_000;
/** Longer than the loops of a page that start a server again. */
const SCRIPT_S_MAX = 90;

export interface MachinesOptions {
  /** Short host names; each is also known to all as `<name>.<domain>`. */
  readonly names: readonly string[];
  readonly domain: string;
  readonly natsServer: string;
  /** The machine that has the repository, built, in /root/zester. */
  readonly withRepository: string;
}

/** What is missing here to make machines, as something that one can type; undefined when nothing is. */
export function missingForMachines(): string | undefined {
  const dirs = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const missing = Object.keys(TOOLS).filter((tool) => !dirs.some((dir) => existsSync(join(dir, tool))));
  if (missing.length === 0) return undefined;
  const packages = new Set(missing.map((tool) => TOOLS[tool]));
  return `${missing.join(', ')} not found; on Debian: apt-get install ${[...packages].join(' ')}`;
}

export class Machine {
  readonly name: string;
  readonly address: string;
  /** Its first process, as the host sees it. */
  private readonly pid: number;
  private readonly place: string;

  constructor(name: string, address: string, pid: number, place: string) {
    this.name = name;
    this.address = address;
    this.pid = pid;
    this.place = place;
  }

  /** Runs a script as root's shell does. What it exports, its umask and its directory hold for the next one, as in one terminal. */
  run(script: string): Promise<Ended> {
    return this.begin(script).ended;
  }

  /** The same, of which one sees what it prints while it runs. */
  begin(script: string): RunningProgram {
    const kept = '/run/terminal';
    const around = [
      // One stream, as on a terminal.
      'set -euo pipefail; exec 2>&1',
      `cd /root; [ ! -e ${kept} ] || . ${kept}`,
      `trap 'rc=$?; { export -p; echo "umask $(umask); cd $(pwd)"; } > ${kept}; exit $rc' EXIT`,
      script,
    ];
    const env = ['env', '-i', `PATH=${MACHINE_PATH}`, 'HOME=/root', 'USER=root', 'LANG=C.UTF-8'];
    return this.enter([...env, 'timeout', String(SCRIPT_S_MAX), 'bash', '--norc', '-c', around.join('\n')]);
  }

  /** The text of a file of this machine. */
  read(path: string): string {
    return execFileSync('nsenter', ['-t', String(this.pid), '-m', 'cat', path], { encoding: 'utf8' });
  }

  /** What was printed by its services, for the message of a failed test. */
  logs(): string {
    return execFileSync(
      'bash',
      ['--norc', '-c', `tail -n 15 ${join(this.place, 'log')}/journal/* 2>/dev/null || true`],
      {
        encoding: 'utf8',
      },
    );
  }

  private enter(words: readonly string[]): RunningProgram {
    return start('nsenter', ['-t', String(this.pid), '-m', '-u', '-n', '-p', '--', ...words]);
  }
}

const firstProcesses = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of firstProcesses) child.kill('SIGKILL');
  await until(
    () => [...firstProcesses].every((child) => child.exitCode !== null || child.signalCode !== null),
    'the machines to end',
  );
});

/** Ready for the first command when it returns. */
export async function makeMachines(options: MachinesOptions): Promise<ReadonlyMap<string, Machine>> {
  const base = scratchDir();
  const cable = await firstProcess(
    'ip link add br0 type bridge && ip link set br0 up',
    ['--net', '--fork'],
    base,
  );
  const hosts = ['127.0.0.1 localhost'];
  for (const [at, name] of options.names.entries())
    hosts.push(`${addressOf(at)} ${name}.${options.domain} ${name}`);
  for (const name of options.names) layOut(join(base, name), name, hosts);
  const machines = await Promise.all(
    options.names.map(async (name, at) => {
      const place = join(base, name);
      const namespaces = ['--mount', '--uts', '--net', '--pid', '--fork', '--mount-proc'];
      const pid = await firstProcess(mountScript(base, name, options), namespaces, place);
      connect(cable, pid, at);
      return new Machine(name, addressOf(at), pid, place);
    }),
  );
  return new Map(machines.map((machine) => [machine.name, machine]));
}

const addressOf = (at: number) => `${NETWORK}.${at + 11}`;

/** The directories of one machine, before it is started. */
function layOut(place: string, name: string, hosts: readonly string[]): void {
  for (const dir of Object.keys(OWN_DIRS)) mkdirSync(join(place, dir), { recursive: true });
  const etc = ETC.filter((path) => existsSync(join('/etc', path)));
  execFileSync('cp', ['-a', '--parents', ...etc, join(place, 'etc')], { cwd: '/etc' });
  mkdirSync(join(place, 'etc/systemd/system'), { recursive: true });
  chmodSync(join(place, 'tmp'), 0o1777);
  chmodSync(join(place, 'root'), 0o700);
  mkdirSync(join(place, 'log/journal'));
  writeFileSync(join(place, 'etc/hostname'), `${name}\n`);
  writeFileSync(join(place, 'etc/hosts'), `${hosts.join('\n')}\n`);
  writeFileSync(join(place, 'local-sbin/scp'), SCP, { mode: 0o755 });
  const standIn = join(place, 'local-sbin/systemctl');
  copyFileSync(join(import.meta.dirname, 'service-stand-in.mjs'), `${standIn}.mjs`);
  const call = `#!/bin/sh\nexec node "$(dirname "$0")/systemctl.mjs" "\${0##*/}" "$@"\n`;
  for (const tool of ['systemctl', 'journalctl'])
    writeFileSync(join(place, 'local-sbin', tool), call, { mode: 0o755 });
}

function mountScript(
  base: string,
  name: string,
  { names, domain, natsServer, withRepository }: MachinesOptions,
) {
  const place = join(base, name);
  const file = (from: string, to: string) => `touch ${to} && mount --bind ${from} ${to}`;
  const dir = (from: string, to: string) => `mkdir -p ${to} && mount --bind ${from} ${to}`;
  return [
    `hostname ${name}`,
    // What is below a directory of the host that is covered in a moment is brought over before.
    file(natsServer, join(place, 'local-bin/nats-server')),
    file(process.execPath, join(place, 'local-sbin/node')),
    ...(name === withRepository
      ? ['bin', 'dist'].map((part) => dir(join(ROOT, part), join(place, 'root/zester', part)))
      : []),
    'mount -t tmpfs tmpfs /run',
    `mount -t tmpfs tmpfs ${CABLE_DIR}`,
    ...names.map((other) => dir(join(base, other, 'root'), join(CABLE_DIR, `${other}.${domain}`))),
    ...Object.entries(OWN_DIRS).map(([from, to]) => `mount --rbind ${join(place, from)} ${to}`),
    'ip link set lo up',
  ].join(' && ');
}

/** Starts a process in new namespaces that lives until the test ends; answers its id when the script has run in it. */
async function firstProcess(script: string, namespaces: readonly string[], place: string): Promise<number> {
  const ready = 'it stands';
  // A shell that waits for its input to end, and takes in the orphans of the machine meanwhile.
  const first = `set -e; ${script}; echo ${ready}; read -r || exit 0`;
  const wrapped = [
    '--pdeathsig',
    'KILL',
    'unshare',
    '--propagation',
    'private',
    '--kill-child',
    ...namespaces,
  ];
  // --norc: with a socket for its input bash takes itself for a remote login.
  const child = spawn('setpriv', [...wrapped, 'bash', '--norc', '-c', first], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  firstProcesses.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  await until(() => said.includes(ready) || isOver(), `the machine in ${place}`, READY_MS_MAX);
  if (isOver())
    throw new Error(`no machine in ${place}: ended with ${child.exitCode ?? child.signalCode}: ${said}`);
  return Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'));
}

/** A card in the machine, its other end in the bridge. */
function connect(cable: number, pid: number, at: number): void {
  const on = (where: number, ...words: string[]) =>
    execFileSync('nsenter', ['-t', String(where), '-n', 'ip', ...words]);
  on(cable, 'link', 'add', `port${at}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid));
  on(cable, 'link', 'set', `port${at}`, 'master', 'br0', 'up');
  on(pid, 'address', 'add', `${addressOf(at)}/24`, 'dev', 'eth0');
  on(pid, 'link', 'set', 'eth0', 'up');
}
