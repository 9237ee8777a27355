/**
 * Facts under the names and with the values that Salt's grains have, for `grains` in templates. Only what the peel
 * really knows is there. A custom fact of the same name wins.
 *
 * `os` is the one name that means two things: a map of facts here, the name of the distribution in Salt. In `grains` it
 * is Salt's; `facts.os.family`, and `grains.get` with a path, reach the map.
 */
import { isWireMap, type WireMap, type WireValue } from '../../wire/wire-value.ts';
import { lookUpPath } from './data-path.ts';

const MEBIBYTE = 1_048_576;

/** Distributions as Salt spells them, by their id in os-release. */
const OS_NAMES: Readonly<Record<string, string>> = {
  almalinux: 'AlmaLinux',
  alpine: 'Alpine',
  amzn: 'Amazon',
  arch: 'Arch',
  centos: 'CentOS',
  debian: 'Debian',
  fedora: 'Fedora',
  gentoo: 'Gentoo',
  linuxmint: 'Mint',
  ol: 'OEL',
  opensuse: 'SUSE',
  'opensuse-leap': 'Leap',
  'opensuse-tumbleweed': 'Tumbleweed',
  raspbian: 'Raspbian',
  rhel: 'RedHat',
  rocky: 'Rocky',
  sles: 'SUSE',
  ubuntu: 'Ubuntu',
};

const OS_FAMILIES: Readonly<Record<string, string>> = {
  alpine: 'Alpine',
  arch: 'Arch',
  debian: 'Debian',
  fedora: 'RedHat',
  gentoo: 'Gentoo',
  rhel: 'RedHat',
  suse: 'Suse',
};

/** Each grain from the facts; undefined where it is not known. */
const GRAINS: Readonly<Record<string, (facts: WireMap, peelId: string) => WireValue | undefined>> = {
  id: (_, peelId) => peelId,
  os: (facts) => spelled(OS_NAMES, lookUpPath(facts, 'os.platform')),
  os_family: (facts) => spelled(OS_FAMILIES, lookUpPath(facts, 'os.family')),
  osfullname: (facts) => spelled(OS_NAMES, lookUpPath(facts, 'os.platform')),
  osrelease: (facts) => lookUpPath(facts, 'os.platform_version'),
  osmajorrelease: majorRelease,
  osfinger: (facts) => {
    const [name, major] = [spelled(OS_NAMES, lookUpPath(facts, 'os.platform')), majorRelease(facts)];
    return name === undefined || major === undefined ? undefined : `${String(name)}-${major}`;
  },
  osarch: (facts) => lookUpPath(facts, 'os.arch'),
  cpuarch: (facts) => lookUpPath(facts, 'os.kernel_arch'),
  kernel: (facts) => (lookUpPath(facts, 'os.name') === 'linux' ? 'Linux' : undefined),
  kernelrelease: (facts) => lookUpPath(facts, 'os.kernel'),
  host: (facts) => textOf(facts, 'network.hostname')?.replace(/\..*$/, ''),
  nodename: (facts) => lookUpPath(facts, 'network.hostname'),
  localhost: (facts) => lookUpPath(facts, 'network.hostname'),
  fqdn: (facts) => lookUpPath(facts, 'network.fqdn'),
  domain: (facts) => textOf(facts, 'network.fqdn')?.replace(/^[^.]*\.?/, ''),
  ipv4: (facts) => lookUpPath(facts, 'network.ipv4'),
  ipv6: (facts) => lookUpPath(facts, 'network.ipv6'),
  num_cpus: (facts) => lookUpPath(facts, 'cpu.count'),
  cpu_model: (facts) => lookUpPath(facts, 'cpu.model'),
  mem_total: (facts) => mebibytes(lookUpPath(facts, 'memory.total')),
  swap_total: (facts) => mebibytes(lookUpPath(facts, 'memory.swap_total')),
};

/** The names this table adds, for the documentation. */
export const GRAIN_NAMES: readonly string[] = Object.keys(GRAINS);

export function grainsOf(facts: WireMap, peelId: string): WireMap {
  const known = Object.entries(GRAINS).flatMap(([name, from]) => {
    const value = from(facts, peelId);
    return value === undefined ? [] : [[name, value] as const];
  });
  const grains: WireMap = Object.fromEntries(known);
  const { os } = facts;
  return isWireMap(os) && grains.os !== undefined
    ? { ...grains, ...facts, os: grains.os }
    : { ...grains, ...facts };
}

/** `os_family`, `os:family` and `os.family`; the way with steps goes through the facts. */
export function lookUpGrain(
  grains: WireMap,
  facts: WireMap,
  path: string,
  delimiter?: string,
): WireValue | undefined {
  return lookUpPath(grains, path, delimiter) ?? lookUpPath(facts, path, delimiter);
}

function majorRelease(facts: WireMap): number | undefined {
  const [major] = /^\d+/.exec(textOf(facts, 'os.platform_version') ?? '') ?? [];
  return major === undefined ? undefined : Number(major);
}

function textOf(facts: WireMap, path: string): string | undefined {
  const value = lookUpPath(facts, path);
  return typeof value === 'string' ? value : undefined;
}

/** A distribution that is not in the table goes by its own name, with a capital. */
function spelled(names: Readonly<Record<string, string>>, id: WireValue | undefined): WireValue | undefined {
  if (typeof id !== 'string' || id === '') return undefined;
  return Object.hasOwn(names, id) ? names[id] : id.charAt(0).toUpperCase() + id.slice(1);
}

function mebibytes(bytes: WireValue | undefined): number | undefined {
  return typeof bytes === 'number' || typeof bytes === 'bigint'
    ? Math.floor(Number(bytes) / MEBIBYTE)
    : undefined;
}
