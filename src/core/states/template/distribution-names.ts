/**
 * This table spells distributions as Salt does in its grains, by what os-release and the fact `os.family` call them.
 */

/** By the id in os-release. */
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
  'opensuse-leap': 'SUSE',
  'opensuse-tumbleweed': 'SUSE',
  raspbian: 'Raspbian',
  rhel: 'RedHat',
  rocky: 'Rocky',
  scientific: 'ScientificLinux',
  sles: 'SUSE',
  ubuntu: 'Ubuntu',
};

/** Where Salt does not take the name that os-release gives. */
const FULL_NAMES: Readonly<Record<string, string>> = {
  'opensuse-leap': 'Leap',
  sles: 'SLES',
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

/** Two distributions share the id `centos`; their names differ. */
const CENTOS_STREAM = 'CentOS Stream';

export function saltOsName(platform: string, fullName: string | undefined): string {
  return fullName === CENTOS_STREAM ? fullName : spelled(OS_NAMES, platform);
}

export function saltFullName(platform: string, fullName: string | undefined): string | undefined {
  return Object.hasOwn(FULL_NAMES, platform) ? FULL_NAMES[platform] : fullName;
}

export function saltFamily(family: string): string {
  return spelled(OS_FAMILIES, family);
}

/** What is not in the table goes by its own name, with a capital. */
function spelled(names: Readonly<Record<string, string>>, id: string): string {
  return (Object.hasOwn(names, id) ? names[id] : undefined) ?? id.charAt(0).toUpperCase() + id.slice(1);
}
