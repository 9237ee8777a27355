/**
 * This table has Salt's names of facts: from it `grains` in templates, `grains.get`, `G@`, top files and the
 * documentation are made. A grain is worked out from the facts each time it is asked for, so nothing is stored or sent
 * twice. Where Salt and Zester have different words for a value (`Debian` and `debian`), the grain has Salt's.
 *
 * A master works them out from what peels say of themselves, so the functions bear any nonsense, and take time in
 * proportion to it. What is not known is undefined.
 */
import { isWireMap, type WireMap, type WireValue } from '../../../wire/msgpack/wire-value.ts';
import { lookUpPath } from './data-path.ts';
import { saltFamily, saltFullName, saltOsName } from './distribution-names.ts';

export interface Grain {
  readonly value: (facts: WireMap, peelId: string) => WireValue | undefined;
  /** What it is and from which fact, for the documentation. */
  readonly doc: string;
  /** Its keys are the names of interfaces, which may have dots in them. */
  readonly isByInterface?: true;
}

/** What templates ask for that want to know which Salt they run on; the recorded one (scripts/record-salt.sh). */
const SALT_VERSION = [3008, 2];

const MEBIBYTE = 1_048_576;
/** As many as a peel reports. */
const INTERFACES_MAX = 512;
const NO_MAC = '00:00:00:00:00:00';

export const GRAINS: ReadonlyMap<string, Grain> = new Map<string, Grain>([
  ['id', { value: (_, peelId) => peelId, doc: 'id of the peel' }],
  ['os', { value: osName, doc: 'distribution: `Debian`, `Ubuntu`, `RedHat`, `Rocky`; from `os.platform`' }],
  ['os_family', { value: osFamily, doc: '`Debian`, `RedHat`, `Suse`, `Arch`, `Alpine`; from `os.family`' }],
  ['osfullname', { value: osFullName, doc: 'name in os-release, `Debian GNU/Linux`; from `os.full_name`' }],
  [
    'oscodename',
    {
      value: codename,
      doc: '`bookworm`, from `os.codename`; where there is none, `os.pretty_name`, as in Salt',
    },
  ],
  ['osrelease', { value: osRelease, doc: '`12` on Debian, `24.04`, `9.5`; from `os.platform_version`' }],
  ['osrelease_info', { value: osReleaseInfo, doc: 'list of the numbers in `osrelease`; in Salt a tuple' }],
  ['osmajorrelease', { value: majorRelease, doc: 'first number of `osrelease`' }],
  ['osfinger', { value: osFinger, doc: 'name and release: `Debian-12`, `Ubuntu-24.04`, `Rocky Linux-9`' }],
  ['virtual', fact('os.virtual', '`physical`, `kvm`, `VMware`, `container` and so on')],
  ['virtual_subtype', fact('os.virtual_subtype', '`Docker`, `LXC`, `Amazon EC2` and so on')],
  ['saltversion', { value: () => SALT_VERSION.join('.'), doc: 'the Salt whose state files these are like' }],
  ['saltversioninfo', { value: () => SALT_VERSION, doc: 'list of the numbers in `saltversion`' }],
  ['osarch', { value: osArch, doc: 'architecture of packages: `amd64` on Debian, `x86_64` on others' }],
  ['lsb_distrib_codename', { value: lsbCodename, doc: 'as `oscodename`, but `os.pretty_name` on RedHat' }],
  ['lsb_distrib_id', fact('os.full_name', 'name in os-release')],
  ['lsb_distrib_release', { value: lsbRelease, doc: 'the same as `osrelease`' }],
  ['cpuarch', fact('os.kernel_arch', '`x86_64`, `aarch64`')],
  ['kernel', { value: kernel, doc: '`Linux`' }],
  ['kernelrelease', fact('os.kernel', 'release of the kernel')],
  ['init', fact('os.init', '`systemd`; not there with another init')],
  ['host', { value: hostName, doc: 'host name up to its first dot' }],
  ['nodename', fact('network.hostname', 'host name')],
  ['localhost', fact('network.hostname', 'host name')],
  ['fqdn', fact('network.fqdn', 'host name with domain, as /etc/hosts has it; nobody asks the DNS')],
  ['domain', { value: domain, doc: '`fqdn` after its first dot' }],
  ['ipv4', fact('network.ipv4', 'list of all addresses')],
  ['ipv6', fact('network.ipv6', 'list of all addresses')],
  [
    'fqdn_ip4',
    {
      value: defaultAddresses,
      doc: 'list with the address of the default route, from `default_ipv4`; Salt asks the DNS for it',
    },
  ],
  ['ip_interfaces', byInterface(() => true, 'lists of addresses by interface')],
  [
    'ip4_interfaces',
    byInterface((address) => !address.includes(':'), 'lists of IPv4 addresses by interface'),
  ],
  ['ip6_interfaces', byInterface((address) => address.includes(':'), 'lists of IPv6 addresses by interface')],
  ['hwaddr_interfaces', { value: hardwareAddresses, doc: 'MAC address by interface', isByInterface: true }],
  ['num_cpus', fact('cpu.count', 'number of processors')],
  ['cpu_model', fact('cpu.model', 'model of the processor')],
  [
    'mem_total',
    { value: mebibytes('memory.total'), doc: 'MiB of memory; from `memory.total`, which counts bytes' },
  ],
  [
    'swap_total',
    {
      value: mebibytes('memory.swap_total'),
      doc: 'MiB of swap; from `memory.swap_total`, which counts bytes',
    },
  ],
]);

/** Grains of every Salt minion that no peel has, for the documentation. */
export const ABSENT_GRAINS: readonly string[] = [
  ...['biosreleasedate', 'biosversion', 'boardname', 'cpu_flags', 'cwd', 'disks', 'dns', 'efi', 'fqdn_ip6'],
  ...['fqdns', 'gid', 'gpus', 'groupname', 'ip4_gw', 'ip6_gw', 'ip_gw', 'kernelparams', 'kernelversion'],
  ...['locale_info', 'lsb_distrib_description', 'machine_id', 'manufacturer', 'master'],
  ...['mdadm', 'num_gpus', 'path', 'pid', 'productname', 'ps', 'pythonexecutable', 'pythonpath'],
  ...['pythonversion', 'saltpath', 'selinux', 'serialnumber', 'server_id'],
  ...['shell', 'ssds', 'systemd', 'systempath', 'uid', 'username', 'uuid'],
  ...['zfs_support', 'zmqversion'],
];

/** A fact under another name, as it is. */
function fact(path: string, doc: string): Grain {
  return { value: (facts) => lookUpPath(facts, path), doc: `${doc}; from \`${path}\`` };
}

function osName(facts: WireMap): string | undefined {
  const platform = textOf(facts, 'os.platform');
  return platform && saltOsName(platform, textOf(facts, 'os.full_name'));
}

function osFamily(facts: WireMap): string | undefined {
  const family = textOf(facts, 'os.family');
  return family && saltFamily(family);
}

function osFullName(facts: WireMap): string | undefined {
  return saltFullName(textOf(facts, 'os.platform') ?? '', textOf(facts, 'os.full_name'));
}

/** Salt drops the point release of Debian's version, and where there is no version it says so with empty text. */
function osRelease(facts: WireMap): string | undefined {
  const platform = textOf(facts, 'os.platform');
  const version = textOf(facts, 'os.platform_version') ?? (platform && '');
  return platform === 'debian' ? version?.split('.', 1)[0] : version;
}

function lsbRelease(facts: WireMap): string | undefined {
  return /^\d/.test(osRelease(facts) ?? '') ? osRelease(facts) : undefined;
}

/** Fedora says in os-release that it has none. */
const NO_CODENAME = 'fedora';

function codename(facts: WireMap): string | undefined {
  const written = textOf(facts, 'os.codename');
  if (written !== undefined) return written;
  return textOf(facts, 'os.platform') === NO_CODENAME ? '' : textOf(facts, 'os.pretty_name');
}

function lsbCodename(facts: WireMap): string | undefined {
  return (textOf(facts, 'os.platform') === 'rhel' && textOf(facts, 'os.pretty_name')) || codename(facts);
}

const PARTS_MAX = 8;

function osReleaseInfo(facts: WireMap): readonly WireValue[] | undefined {
  const parts = osRelease(facts)?.split('.', PARTS_MAX);
  return parts?.map((part) => (/^\d{1,9}$/.test(part) ? Number(part) : part));
}

function majorRelease(facts: WireMap): number | undefined {
  const [major] = /^\d{1,9}/.exec(osRelease(facts) ?? '') ?? [];
  return major === undefined ? undefined : Number(major);
}

/** These go by their short name in `osfinger`; those with the whole release. */
const FINGER_BY_OS = ['AlmaLinux', 'Debian', 'Raspbian'];
const FINGER_WITH_RELEASE = ['NixOS', 'Pop', 'Ubuntu'];

function osFinger(facts: WireMap): string | undefined {
  const os = osName(facts);
  const name = os !== undefined && FINGER_BY_OS.includes(os) ? os : osFullName(facts);
  const [major] = osReleaseInfo(facts) ?? [];
  const release = FINGER_WITH_RELEASE.includes(os ?? '') ? osRelease(facts) : (major as string | number);
  return name === undefined || release === undefined ? undefined : `${name}-${release}`;
}

/** Go's names of architectures where dpkg has another one. */
const DPKG_ARCHES: Readonly<Record<string, string>> = { '386': 'i386', arm: 'armhf', ppc64le: 'ppc64el' };

function osArch(facts: WireMap): WireValue | undefined {
  const arch = textOf(facts, 'os.arch');
  if (textOf(facts, 'os.family') !== 'debian') return lookUpPath(facts, 'os.kernel_arch');
  return arch !== undefined && Object.hasOwn(DPKG_ARCHES, arch) ? DPKG_ARCHES[arch] : arch;
}

function kernel(facts: WireMap): string | undefined {
  return textOf(facts, 'os.name') === 'linux' ? 'Linux' : undefined;
}

function hostName(facts: WireMap): string | undefined {
  return textOf(facts, 'network.hostname')?.split('.', 1)[0];
}

function domain(facts: WireMap): string | undefined {
  const fqdn = textOf(facts, 'network.fqdn');
  const dot = fqdn?.indexOf('.') ?? -1;
  return dot < 0 ? fqdn && '' : fqdn?.slice(dot + 1);
}

function defaultAddresses(facts: WireMap): readonly WireValue[] | undefined {
  const address = textOf(facts, 'default_ipv4');
  return address === undefined ? undefined : [address];
}

function byInterface(isMeant: (address: string) => boolean, doc: string): Grain {
  const value = (facts: WireMap) =>
    ofInterfaces(facts, ({ addrs }) =>
      (Array.isArray(addrs) ? (addrs as readonly WireValue[]) : [])
        .filter((each) => typeof each === 'string')
        .map((each) => each.split('/', 1)[0] ?? '')
        .filter(isMeant),
    );
  return { value, doc: `${doc}; from \`network.interfaces\``, isByInterface: true };
}

/** Salt gives loopback interfaces an address of zeros; the fact has none. */
function hardwareAddresses(facts: WireMap): WireMap | undefined {
  return ofInterfaces(facts, ({ mac, flags }) => {
    const isLoopback = Array.isArray(flags) && flags.includes('loopback');
    return typeof mac === 'string' ? mac : isLoopback ? NO_MAC : undefined;
  });
}

function ofInterfaces(facts: WireMap, pick: (one: WireMap) => WireValue | undefined): WireMap | undefined {
  const interfaces = lookUpPath(facts, 'network.interfaces');
  if (!Array.isArray(interfaces)) return undefined;
  const known = (interfaces as readonly WireValue[]).slice(0, INTERFACES_MAX).flatMap((one) => {
    if (!isWireMap(one) || typeof one.name !== 'string') return [];
    const value = pick(one);
    return value === undefined ? [] : [[one.name, value] as const];
  });
  return Object.fromEntries(known);
}

function mebibytes(path: string): Grain['value'] {
  return (facts) => {
    const bytes = lookUpPath(facts, path);
    if (typeof bytes !== 'number' && typeof bytes !== 'bigint') return undefined;
    return Math.floor(Number(bytes) / MEBIBYTE);
  };
}

/** Undefined also for empty text: nothing is known. */
function textOf(facts: WireMap, path: string): string | undefined {
  const value = lookUpPath(facts, path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
