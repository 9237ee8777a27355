/** Whole machines, as `head -n -0 /etc/os-release /proc/…` shows their files, and what the peel says of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { systemRandom } from '../../runtime/system-random.ts';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { linuxSystem } from '../../system/linux/linux-system.ts';
import type { FaultHook } from '../../system/memory/memory-gate.ts';
import { memorySystem } from '../../system/memory/memory-machine.ts';
import type { System } from '../../system/system.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { factsCodec } from '../../wire/records/facts.ts';
import { collectFacts, type FactsOptions } from './collect-facts.ts';
import { factsDigest } from './facts-digest.ts';

const own = { version: '1.2.3', protocol: 1, curvePublicKey: 'XCURVE' };

function quietLog() {
  const lines: string[] = [];
  const note = (message: string, fields?: object) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const log: FactsOptions['log'] = { debug: note, info: note, warn: note, error: note, with: () => log };
  return { log, lines };
}

/** A machine in memory with the files of a fixture. Its `df` answers for every path it is asked about. */
async function machineOf(fixture: string, fault: FaultHook = () => undefined): Promise<System> {
  let booting = true;
  const system = memorySystem({
    clock: virtualClock(),
    random: seededRandom(1),
    fault: (call) => (booting ? undefined : fault(call)),
    programs: (argv) => (argv[0] === 'df' ? (process) => df(argv, process.print) : undefined),
  });
  const text = readFileSync(join(import.meta.dirname, 'fixtures', `${fixture}.txt`), 'utf8');
  for (const [, path = '', content = ''] of text.matchAll(/^==> (.+) <==\n((?:(?!==> ).*\n)*)/gm)) {
    await system.files.makeDirectory(path.slice(0, path.lastIndexOf('/')), { parents: true });
    await system.files.writeAtomic(path, Buffer.from(content), { mode: 0o644 });
  }
  booting = false;
  return system;
}

function df(argv: readonly string[], print: (text: string) => void): number {
  print('Filesystem     1024-blocks     Used Available Capacity Mounted on\n');
  for (const path of argv.slice(argv.indexOf('--') + 1)) print(`/dev/x 1000 250 700 27% ${path}\n`);
  return 0;
}

async function factsOf(system: System): Promise<{ readonly facts: WireMap; readonly lines: string[] }> {
  const { log, lines } = quietLog();
  return { facts: await collectFacts(system, { log, own }), lines };
}

const SIZES = { total: 1_024_000, used: 256_000, free: 716_800, used_percent: 26.3 };

describe('collectFacts', () => {
  it('tells everything of a Debian 12 server', async () => {
    const { facts, lines } = await factsOf(await machineOf('debian-12'));
    expect(lines).toEqual([]);
    expect(facts).toEqual({
      os: {
        name: 'linux',
        family: 'debian',
        platform: 'debian',
        full_name: 'Debian GNU/Linux',
        pretty_name: 'Debian GNU/Linux 12 (bookworm)',
        codename: 'bookworm',
        platform_version: '12.11',
        arch: 'amd64',
        kernel: '6.1.0-37-amd64',
        kernel_arch: 'x86_64',
        init: 'systemd',
        uptime: 93_784,
        boot_time: 1_769_200_000,
        virtual: 'physical',
      },
      cpu: {
        count: 2,
        logical_count: 2,
        physical_count: 2,
        model: 'Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz',
        vendor: 'GenuineIntel',
        mhz: 2793.436,
        cache_size: 49_152,
      },
      memory: {
        total: 8_336_211_968,
        available: 6_382_702_592,
        used: 1_953_509_376,
        used_percent: 23.4,
        free: 422_379_520,
        swap_total: 1_022_357_504,
        swap_used: 130_023_424,
        swap_free: 892_334_080,
      },
      disk: {
        mounts: [
          { device: '/dev/vda1', mountpoint: '/', fstype: 'ext4', opts: ['rw', 'relatime'], ...SIZES },
          {
            device: '/dev/vdb',
            mountpoint: '/var/lib/postgresql data',
            fstype: 'xfs',
            opts: ['rw', 'noatime'],
            ...SIZES,
          },
        ],
      },
      network: {
        hostname: 'db-01',
        fqdn: 'db-01.example.net',
        ipv4: ['10.10.10.21', '127.0.0.1'],
        ipv6: ['::1', 'fe80::5054:ff:fe3a:1b2c', '2001:db8:0:1::21'],
        interfaces: [
          {
            name: 'ens3',
            mac: '52:54:00:3a:1b:2c',
            flags: ['up', 'broadcast', 'multicast'],
            addrs: ['10.10.10.21/24', 'fe80::5054:ff:fe3a:1b2c/64', '2001:db8:0:1::21/64'],
          },
          { name: 'lo', flags: ['up', 'loopback'], addrs: ['127.0.0.1/8', '::1/128'] },
        ],
      },
      default_ipv4: '10.10.10.21',
      zester_version: '1.2.3',
      protocol_version: 1,
      _curve_public_key: 'XCURVE',
    });
  });

  it('tells the cores, the two networks and the real disks of an Ubuntu 24.04 laptop', async () => {
    const { facts } = await factsOf(await machineOf('ubuntu-24.04'));
    expect(facts).toMatchObject({
      os: { family: 'debian', platform: 'ubuntu', platform_version: '24.04' },
      // The highest speed of the processor, not that of the moment.
      cpu: { count: 4, physical_count: 2, mhz: 4289 },
      network: { hostname: 'web-01.example.net', fqdn: 'web-01.example.net' },
      // Of the two default routes, that with the lower metric.
      default_ipv4: '192.168.1.40',
    });
    expect(mountpoints(facts)).toEqual(['/', '/boot/efi', '/home', '/tank']);
  });

  it('tells the architecture of a Rocky 9, whose kernel does not', async () => {
    const system = await machineOf('rocky-9');
    const before = await factsOf(system);
    expect(before.facts.os).not.toHaveProperty('arch');
    const elf = Buffer.from(`7f454c460201010000000000000000000300${'3e00'}`, 'hex');
    await system.files.makeDirectory('/bin');
    await system.files.writeAtomic('/bin/sh', elf);
    const { facts, lines } = await factsOf(system);
    expect(lines).toEqual([]);
    expect(facts).toMatchObject({
      os: {
        family: 'rhel',
        platform: 'rocky',
        full_name: 'Rocky Linux',
        codename: 'Blue Onyx',
        platform_version: '9.5',
        arch: 'amd64',
        kernel_arch: 'x86_64',
      },
      // Without MemAvailable: free, buffers and cache.
      memory: { available: (1_200_332 + 84_212 + 1_532_408) * 1024 },
      network: { fqdn: 'app-07', interfaces: [{ name: 'bond0' }, { name: 'lo' }] },
    });
    expect(mountpoints(facts)).toEqual(['/', '/boot']);
  });

  it('tells of an Alpine container on ARM, with no more than it can see', async () => {
    const { facts } = await factsOf(await machineOf('alpine-3.20-container'));
    expect(facts).toMatchObject({
      os: { family: 'alpine', platform: 'alpine', platform_version: '3.20.6', arch: 'arm64' },
      network: { interfaces: [{ addrs: ['172.17.0.2/16'] }, {}] },
    });
    expect(facts.cpu).toEqual({ count: 4, logical_count: 4, physical_count: 4 });
    expect(facts.network).not.toHaveProperty('ipv6');
    expect(mountpoints(facts)).toEqual(['/']);
  });

  it('says nothing of a machine that has no files to read, and nothing to the log', async () => {
    const { facts, lines } = await factsOf(memorySystem({ clock: virtualClock(), random: seededRandom(1) }));
    expect(facts).toEqual({
      os: { name: 'linux' },
      zester_version: '1.2.3',
      protocol_version: 1,
      _curve_public_key: 'XCURVE',
    });
    expect(lines).toEqual([]);
  });

  it('collects on this machine, and what it collects can be sent', async () => {
    const system = linuxSystem({ clock: systemClock, random: systemRandom });
    const { facts, lines } = await factsOf(system);
    expect(lines).toEqual([]);
    expect(factsCodec.decode(factsCodec.encode(facts))).toEqual(facts);
    expect(facts).toMatchObject({
      os: { name: 'linux' },
      network: { interfaces: expect.any(Array) as unknown },
    });
    // Nothing of it moves all the time.
    expect(factsDigest((await factsOf(system)).facts)).toBe(factsDigest(facts));
  });
});

describe('a part that cannot be read', () => {
  const unreadable =
    (path: string): FaultHook =>
    (call) =>
      call.path === path ? { fail: 'EIO' } : undefined;

  it.each([
    ['/etc/os-release', 'os'],
    ['/proc/cpuinfo', 'cpu'],
    ['/proc/meminfo', 'memory'],
    ['/proc/self/mountinfo', 'disk'],
    ['/proc/sys/kernel/hostname', 'network'],
  ])('%s costs its own namespace and a line in the log', async (path, namespace) => {
    const whole = await factsOf(await machineOf('debian-12'));
    const { facts, lines } = await factsOf(await machineOf('debian-12', unreadable(path)));
    const { [namespace]: _, ...rest } = whole.facts;
    // What the machine runs on is told from the processor too.
    const { virtual: __, ...os } = whole.facts.os as WireMap;
    expect(facts).toEqual(namespace === 'cpu' ? { ...rest, os } : rest);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`"part":"${namespace}"`);
  });

  it('keeps what was known of it before', async () => {
    const { facts: previous } = await factsOf(await machineOf('debian-12'));
    const { log } = quietLog();
    const machine = await machineOf('ubuntu-24.04', unreadable('/etc/os-release'));
    const facts = await collectFacts(machine, { log, own }, { previous });
    expect(facts.os).toEqual(previous.os);
    expect(facts.cpu).not.toEqual(previous.cpu);
  });

  it('lists disks without sizes when df fails', async () => {
    const noDf: FaultHook = (call) => (call.name === 'start' ? { fail: 'ENOENT' } : undefined);
    const { facts, lines } = await factsOf(await machineOf('rocky-9', noDf));
    expect(facts.disk).toMatchObject({ mounts: [{ mountpoint: '/' }, { mountpoint: '/boot' }] });
    expect(JSON.stringify(facts.disk)).not.toContain('total');
    expect(lines).toHaveLength(1);
  });
});

it('collects only what it is asked for, and takes the rest from before', async () => {
  const { log } = quietLog();
  const { facts: previous } = await factsOf(await machineOf('debian-12'));
  const ubuntu = await machineOf('ubuntu-24.04');
  const facts = await collectFacts(ubuntu, { log, own }, { previous, only: ['memory'] });
  expect(facts).toEqual({ ...previous, memory: facts.memory });
  expect(facts.memory).not.toEqual(previous.memory);
});

function mountpoints(facts: WireMap): readonly string[] {
  const { mounts } = facts.disk as unknown as { readonly mounts: readonly { readonly mountpoint: string }[] };
  return mounts.map(({ mountpoint }) => mountpoint);
}
