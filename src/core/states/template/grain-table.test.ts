import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireMap, WireValue } from '../../../wire/msgpack/wire-value.ts';
import { grainsOf } from './grain-names.ts';
import { ABSENT_GRAINS, GRAINS } from './grain-table.ts';

const os = (platform: string, version: string, rest: WireMap = {}): WireMap => ({
  os: { name: 'linux', platform, platform_version: version, arch: 'amd64', kernel_arch: 'x86_64', ...rest },
});

/** Any shape under the names that the table looks at. */
const names = fc.constantFrom(
  ...[
    'os',
    'network',
    'memory',
    'cpu',
    'default_ipv4',
    'platform',
    'platform_version',
    'family',
    'full_name',
  ],
  ...['arch', 'hostname', 'fqdn', 'interfaces', 'name', 'addrs', 'flags', 'mac', 'total', '__proto__'],
);
const { value: nonsense } = fc.letrec<{ value: WireValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<WireValue>('', '.', 'debian', '__proto__', '9'.repeat(400), 7, -1, 2n ** 63n, null, true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 5 }) as fc.Arbitrary<WireMap>,
  ),
}));

describe('what a grain is', () => {
  it.each<[string, WireMap, WireMap]>([
    [
      'Debian',
      os('debian', '12.11', { family: 'debian', full_name: 'Debian GNU/Linux', codename: 'bookworm' }),
      {
        os: 'Debian',
        os_family: 'Debian',
        osfullname: 'Debian GNU/Linux',
        oscodename: 'bookworm',
        osrelease: '12',
        osrelease_info: [12],
        osmajorrelease: 12,
        osfinger: 'Debian-12',
        osarch: 'amd64',
      },
    ],
    [
      'Ubuntu',
      os('ubuntu', '24.04', { family: 'debian', full_name: 'Ubuntu', codename: 'noble' }),
      {
        os: 'Ubuntu',
        os_family: 'Debian',
        osrelease_info: [24, 4],
        osmajorrelease: 24,
        osfinger: 'Ubuntu-24.04',
      },
    ],
    [
      'Rocky',
      os('rocky', '9.5', { family: 'rhel', full_name: 'Rocky Linux', codename: 'Blue Onyx' }),
      {
        os: 'Rocky',
        os_family: 'RedHat',
        osfullname: 'Rocky Linux',
        osrelease: '9.5',
        osfinger: 'Rocky Linux-9',
        osarch: 'x86_64',
      },
    ],
    [
      'CentOS Stream',
      os('centos', '9', { family: 'rhel', full_name: 'CentOS Stream' }),
      { os: 'CentOS Stream', os_family: 'RedHat', osfinger: 'CentOS Stream-9' },
    ],
    [
      'Leap',
      os('opensuse-leap', '15.6', { family: 'suse', full_name: 'openSUSE Leap' }),
      { os: 'SUSE', os_family: 'Suse', osfullname: 'Leap', osfinger: 'Leap-15' },
    ],
    [
      'a machine with interfaces',
      {
        network: {
          hostname: 'web-01',
          fqdn: 'web-01.example.net',
          interfaces: [
            { name: 'lo', flags: ['up', 'loopback'], addrs: ['127.0.0.1/8', '::1/128'] },
            { name: 'eth0.7', mac: '02:00:00:00:00:01', flags: ['up'], addrs: ['192.0.2.7/24'] },
          ],
        },
        default_ipv4: '192.0.2.7',
        memory: { total: 2n * 1_048_576n + 5n },
      },
      {
        host: 'web-01',
        domain: 'example.net',
        fqdn_ip4: ['192.0.2.7'],
        ip_interfaces: { lo: ['127.0.0.1', '::1'], 'eth0.7': ['192.0.2.7'] },
        ip4_interfaces: { lo: ['127.0.0.1'], 'eth0.7': ['192.0.2.7'] },
        ip6_interfaces: { lo: ['::1'], 'eth0.7': [] },
        hwaddr_interfaces: { lo: '00:00:00:00:00:00', 'eth0.7': '02:00:00:00:00:01' },
        mem_total: 2,
      },
    ],
  ])('%s', (_, facts, expected) => {
    expect(grainsOf(facts, 'web-01')).toMatchObject(expected);
  });

  it('is not there where nothing is known, except for the id and the version', () => {
    const known = { id: 'web-01', saltversion: '3008.2', saltversioninfo: [3008, 2] };
    expect(grainsOf({}, 'web-01')).toEqual(known);
  });

  it('gives way to a custom fact of the same name', () => {
    const facts = { ...os('debian', '12', { family: 'debian' }), os_family: 'Mine', id: 'other' };
    expect(grainsOf(facts, 'web-01')).toMatchObject({ os_family: 'Mine', id: 'other', os: 'Debian' });
  });

  it('is worked out from any nonsense that a peel may say', () => {
    fc.assert(
      fc.property(fc.dictionary(names, nonsense), (facts) => {
        expect(() => grainsOf(facts as WireMap, 'web-01')).not.toThrow();
      }),
    );
  });
});

it('no name is said to be there and not to be there', () => {
  expect(ABSENT_GRAINS.filter((name) => GRAINS.has(name))).toEqual([]);
});
