/**
 * `unitText` writes the systemd unit of a daemon. Pure: the same plan gives the same text. The first line carries a hash of the rest
 * (given by whoever can hash), by which a unit that a person changed is told from one that is merely old.
 *
 * What is hardened, and what must stay open because the daemon manages the machine, stands in the unit itself, for whoever audits it.
 */
export interface UnitPlan {
  readonly daemon: UnitDaemon;
  /** Program and options, one word each; paths absolute. */
  readonly argv: readonly string[];
  /** Directories that the daemon writes; absolute. */
  readonly writes: readonly string[];
  /** Undefined: root. */
  readonly user: string | undefined;
}

export type UnitDaemon = 'zester-peel' | 'zester-master';

const HEAD = '# Written by `{daemon} install`; sha256 of what follows: ';
const HASH = /^# Written by `zester-\w+ install`; sha256 of what follows: ([0-9a-f]{64})\n/;

export function unitText(plan: UnitPlan, sha256: (text: string) => string): string {
  const body = plan.daemon === 'zester-peel' ? peelUnit(plan) : masterUnit(plan);
  return `${HEAD.replace('{daemon}', plan.daemon)}${sha256(body)}\n${body}`;
}

/** Whether nobody touched it since `unitText` wrote it, in whichever version. */
export function isUnitOurs(text: string, sha256: (text: string) => string): boolean {
  const [line = '', hash] = HASH.exec(text) ?? [];
  return hash !== undefined && sha256(text.slice(line.length)) === hash;
}

/** One word of a command line in a unit: systemd expands `%` and `$`, and takes quotes and backslashes for its own. */
export function unitWord(word: string): string {
  const escaped = word.replaceAll('%', '%%').replaceAll('$', '$$$$');
  if (/^[A-Za-z0-9_@%+=:,./$-]+$/.test(escaped)) return escaped;
  return `"${escaped.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
}

function peelUnit({ argv, user }: UnitPlan): string {
  return `[Unit]
Description=Zester peel: runs what the masters of its fleet ask for
Wants=network-online.target
After=network-online.target time-sync.target
# A machine that nobody can reach any more is worse than one that tries for ever.
StartLimitIntervalSec=0

[Service]
Type=simple
ExecStart=${argv.map(unitWord).join(' ')}
${user === undefined ? '' : `User=${user}\n`}Restart=always
RestartSec=2
# The peel ends what it runs by itself, and says so to the masters. What a command started as a service in a session of its own
# lives on, also over a restart of the peel: systemd must not kill the rest of the group.
KillMode=process
TimeoutStopSec=30
# A command that eats all memory is that command's end, not the peel's.
OOMPolicy=continue
OOMScoreAdjust=-500
LimitNOFILE=65536
KeyringMode=private
# Jobs may start as many processes as the machine can.
TasksMax=infinity

# Left open, because commands and states are children of this unit and manage the whole machine:
#   ProtectSystem, ProtectHome, ReadWritePaths, PrivateTmp   files anywhere, and in the /tmp that others see
#   NoNewPrivileges, CapabilityBoundingSet, RestrictSUIDSGID  packages, users, mounts, commands of other users
#   PrivateDevices, ProtectKernel*, ProtectClock, ProtectHostname   disks, modules, sysctl, time, names
#   PrivateNetwork, RestrictAddressFamilies, SystemCallFilter   whatever a command may need
#   MemoryDenyWriteExecute   Node compiles as it runs
# What a peel may do is decided by who may give it commands; see docs/guides/security.md.

[Install]
WantedBy=multi-user.target
`;
}

function masterUnit({ argv, user, writes }: UnitPlan): string {
  return `[Unit]
Description=Zester master: takes jobs, sends them to peels, lets machines join
Wants=network-online.target
After=network-online.target time-sync.target
StartLimitIntervalSec=0

[Service]
Type=simple
ExecStart=${argv.map(unitWord).join(' ')}
${user === undefined ? '# Without User= it is root, but a root without any capability: the owner of its files and nothing more.\n' : `User=${user}\n`}Restart=always
RestartSec=2
# It hands its running jobs over to another master.
KillMode=mixed
TimeoutStopSec=30
LimitNOFILE=65536

# A master needs its files and the network.
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ReadWritePaths=${writes.map((path) => unitWord(`-${path}`)).join(' ')}
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
UMask=0077
LimitCORE=0
KeyringMode=private

# Left open:
#   MemoryDenyWriteExecute   Node compiles as it runs
#   ProtectHome=yes   sources of states and settings may lie in a home; they are read, not written
#   PrivateNetwork, IPAddressDeny   NATS and the enrollment door

[Install]
WantedBy=multi-user.target
`;
}
