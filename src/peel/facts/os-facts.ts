/** Collects `os.*`: which system, which release, which kernel, for how long. */
import type { ReadFiles } from '../../system/files.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { knownFacts, readLine, readText, type TextFiles } from './machine-text.ts';
import { virtualFacts } from './virtual-facts.ts';

export async function osFacts(files: TextFiles & Pick<ReadFiles, 'stat'>): Promise<WireMap> {
  const release = parseOsRelease(
    (await readText(files, '/etc/os-release')) ?? (await readText(files, '/usr/lib/os-release')) ?? '',
  );
  const platform = release.get('ID');
  const machine = (await readLine(files, '/proc/sys/kernel/arch')) ?? (await archOfPrograms(files));
  return knownFacts({
    name: 'linux',
    family: platform === undefined ? undefined : familyOf(platform, release.get('ID_LIKE') ?? ''),
    platform,
    full_name: release.get('NAME'),
    pretty_name: release.get('PRETTY_NAME'),
    codename: codenameOf(release),
    platform_version: await versionOf(files, release),
    arch: machine === undefined ? undefined : (GO_ARCH[machine] ?? machine),
    kernel: await readLine(files, '/proc/sys/kernel/osrelease'),
    kernel_arch: machine,
    // systemd itself tells by this directory that it is the init; of others nobody needs to know the name.
    init: (await files.stat('/run/systemd/system'))?.kind === 'directory' ? 'systemd' : undefined,
    uptime: parseUptime((await readText(files, '/proc/uptime')) ?? ''),
    boot_time: parseBootTime((await readText(files, '/proc/stat')) ?? ''),
    ...(await virtualFacts(files)),
  });
}

/** Shell assignments, one on a line; values may stand in quotes. */
export function parseOsRelease(text: string): ReadonlyMap<string, string> {
  const assignments = text.matchAll(/^([A-Z][A-Z0-9_]*)=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S*))\s*$/gm);
  return new Map(
    [...assignments].map(([, key = '', double, single, bare = '']) => [
      key,
      double?.replace(/\\(.)/g, '$1') ?? single ?? bare,
    ]),
  );
}

/** These write it only behind the version: `8.5 (Green Obsidian)`. What others write there is something else. */
const CODENAME_IN_VERSION = ['almalinux', 'rhel', 'rocky'];

/** `bookworm`. */
function codenameOf(release: ReadonlyMap<string, string>): string | undefined {
  const [, behind] = /\(([^()]+)\)$/.exec(release.get('VERSION') ?? '') ?? [];
  const isThere = CODENAME_IN_VERSION.includes(release.get('ID') ?? '');
  return release.get('VERSION_CODENAME') || (isThere ? behind : undefined);
}

/** Families as Zester 0.7 names them. A platform that is not here goes by what it says it is like. */
const FAMILIES: Readonly<Record<string, string>> = {
  debian: 'debian',
  ubuntu: 'debian',
  linuxmint: 'debian',
  raspbian: 'debian',
  fedora: 'fedora',
  rhel: 'rhel',
  centos: 'rhel',
  rocky: 'rhel',
  almalinux: 'rhel',
  ol: 'rhel',
  amzn: 'rhel',
  scientific: 'rhel',
  sles: 'suse',
  suse: 'suse',
  opensuse: 'suse',
  'opensuse-leap': 'suse',
  'opensuse-tumbleweed': 'suse',
  arch: 'arch',
  alpine: 'alpine',
  gentoo: 'gentoo',
};

function familyOf(platform: string, like: string): string {
  const known = [platform, ...like.split(' ')].find((id) => Object.hasOwn(FAMILIES, id));
  return known === undefined ? platform : (FAMILIES[known] ?? platform);
}

/**
 * Debian's os-release knows only the major version, and before a release none; the point release, or `trixie/sid`, is in
 * a file of its own.
 */
async function versionOf(
  files: TextFiles,
  release: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const version = release.get('VERSION_ID');
  if (release.get('ID') !== 'debian') return version;
  const written = await readLine(files, '/etc/debian_version');
  return version === undefined || (written !== undefined && /^\d/.test(written)) ? written : version;
}

/** The kernel's names for machines, as Go's names. */
const GO_ARCH: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  i386: '386',
  i686: '386',
  aarch64: 'arm64',
  armv6l: 'arm',
  armv7l: 'arm',
  riscv64: 'riscv64',
  ppc64le: 'ppc64le',
  s390x: 's390x',
};

const ELF_MAGIC = '7f454c46';
const ELF_MACHINE_AT = 18;
/** The numbers of ELF headers. */
const ELF_MACHINES: Readonly<Record<number, string>> = {
  3: 'i686',
  21: 'ppc64le',
  22: 's390x',
  40: 'armv7l',
  62: 'x86_64',
  183: 'aarch64',
  243: 'riscv64',
};

/** Kernels before 6.1 do not say what they run on in /proc; the header of a program that every machine has does. */
async function archOfPrograms(files: TextFiles): Promise<string | undefined> {
  const program = await files.read('/bin/sh');
  if (program === undefined) return undefined;
  const header = Buffer.from(program).subarray(0, ELF_MACHINE_AT + 2);
  if (header.length < ELF_MACHINE_AT + 2 || header.toString('hex', 0, 4) !== ELF_MAGIC) return undefined;
  const bigEndian = header[5] === 2;
  return ELF_MACHINES[bigEndian ? header.readUInt16BE(ELF_MACHINE_AT) : header.readUInt16LE(ELF_MACHINE_AT)];
}

/** Whole seconds. */
function parseUptime(text: string): number | undefined {
  const [, seconds] = /^(\d+)\.\d+ /.exec(text) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}

/** Seconds since 1970. From the kernel, and not counted back from the uptime: that would waver. */
function parseBootTime(text: string): number | undefined {
  const [, seconds] = /^btime (\d+)$/m.exec(text) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
