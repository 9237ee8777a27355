/**
 * Tells what the machine runs on, in the words of Salt's grains `virtual` and `virtual_subtype`: a container first, then a
 * hypervisor, else hardware. From files alone: no program is started, so what only the processor could say is `virtual`.
 *
 * Each file is one sign of several. One that cannot be read, as the environment of the first process for all but root,
 * says nothing; where the signs that are left do not tell, there is no fact.
 */
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { ReadFiles } from '../../system/files.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { knownFacts, readText, type TextFiles } from './machine-text.ts';

interface Virtual {
  readonly virtual: string;
  readonly virtual_subtype?: string;
}

type MachineFiles = TextFiles & Pick<ReadFiles, 'stat'>;
type Read = (path: string) => Promise<string>;

export async function virtualFacts(files: MachineFiles): Promise<WireMap> {
  const read: Read = async (path) => {
    try {
      return (await readText(files, path)) ?? '';
    } catch (error) {
      if (!isZesterError(error)) throw error;
      return '';
    }
  };
  const found = (await containerOf(files, read)) ?? (await xenOf(files, read)) ?? (await hypervisorOf(read));
  return knownFacts({ ...found });
}

/** By what a manager of containers calls itself. */
const CONTAINERS: ReadonlyMap<string, Virtual> = new Map([
  ['docker', { virtual: 'container', virtual_subtype: 'Docker' }],
  ['lxc', { virtual: 'container', virtual_subtype: 'LXC' }],
  ['lxc-libvirt', { virtual: 'container', virtual_subtype: 'LXC' }],
  ['podman', { virtual: 'container', virtual_subtype: 'Podman' }],
  ['systemd-nspawn', { virtual: 'systemd-nspawn' }],
]);

async function containerOf(files: MachineFiles, read: Read): Promise<Virtual | undefined> {
  const [, inEnvironment = ''] = /(?:^|\0)container=([^\0]*)/.exec(await read('/proc/1/environ')) ?? [];
  const said = (await read('/run/systemd/container')).trim() || inEnvironment;
  const known = CONTAINERS.get(said);
  if (known !== undefined) return known;
  const groups = await read('/proc/1/cgroup');
  if (/:\/lxc\//.test(groups)) return CONTAINERS.get('lxc');
  if (await isThere(files, '/.dockerenv')) return CONTAINERS.get('docker');
  if (/:\/(?:system\.slice\/docker|docker\/|docker-ce\/)/.test(groups)) return CONTAINERS.get('docker');
  return (await isThere(files, '/run/.containerenv')) ? CONTAINERS.get('podman') : undefined;
}

async function xenOf(files: MachineFiles, read: Read): Promise<Virtual | undefined> {
  const isXen = (await isThere(files, '/proc/xen')) || (await read('/sys/hypervisor/type')).trim() === 'xen';
  if (!isXen) return undefined;
  const isHost = (await read('/proc/xen/capabilities')).includes('control_d');
  if (isHost) return { virtual: 'xen', virtual_subtype: 'Xen Dom0' };
  const product = (await read('/sys/class/dmi/id/product_name')).trim();
  return { virtual: 'xen', virtual_subtype: product === 'HVM domU' ? 'Xen HVM DomU' : 'Xen PV DomU' };
}

/** By what the firmware says of vendor and product; the first that fits. */
const FIRMWARES: readonly (readonly [RegExp, Virtual])[] = [
  [/VirtualBox/, { virtual: 'VirtualBox' }],
  [/VMware/, { virtual: 'VMware' }],
  [/Microsoft Corporation Virtual Machine/, { virtual: 'VirtualPC' }],
  [/Parallels/, { virtual: 'Parallels' }],
  [/Google/, { virtual: 'gce' }],
  [/Amazon EC2/, { virtual: 'Nitro', virtual_subtype: 'Amazon EC2' }],
  [/BHYVE/, { virtual: 'bhyve' }],
  [/RHEV Hypervisor/, { virtual: 'kvm', virtual_subtype: 'rhev' }],
  [/oVirt/, { virtual: 'kvm', virtual_subtype: 'ovirt' }],
  [/QEMU|KVM|OpenStack|Bochs/, { virtual: 'kvm' }],
];

async function hypervisorOf(read: Read): Promise<Virtual | undefined> {
  const [vendor, product] = [
    await read('/sys/class/dmi/id/sys_vendor'),
    await read('/sys/class/dmi/id/product_name'),
  ];
  const firmware = `${vendor.trim()} ${product.trim()}`;
  const known = FIRMWARES.find(([pattern]) => pattern.test(firmware));
  if (known !== undefined) return known[1];
  const processor = await read('/proc/cpuinfo');
  if (processor === '') return undefined;
  if (processor.includes('QEMU Virtual CPU')) return { virtual: 'kvm' };
  return { virtual: /^flags\s*:.*\bhypervisor\b/m.test(processor) ? 'virtual' : 'physical' };
}

async function isThere(files: MachineFiles, path: string): Promise<boolean> {
  return (await files.stat(path)) !== undefined;
}
