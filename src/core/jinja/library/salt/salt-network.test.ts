/** Salt's network filters; the vectors are from Salt's documentation and Python's ipaddress module. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';
import { ipText, parseIp } from './ip-address.ts';

describe('addresses', () => {
  it.each([
    ["'192.168.0.1'|is_ip", 'True'],
    ["'FE80::'|is_ip", 'True'],
    ["'random'|is_ip", 'False'],
    ["'192.168.0.1'|is_ip(options='loopback')", 'False'],
    ["'127.0.0.1'|is_ip(options='loopback')", 'True'],
    ["'192.168.0.1'|is_ipv4", 'True'],
    ["'FE80::'|is_ipv4", 'False'],
    ["'192.168.0.01'|is_ipv4", 'False'],
    ["'192.168.0.256'|is_ipv4", 'False'],
    ["'fe80::20d:b9ff:fe01:ea8%eth0'|is_ipv6", 'True'],
    ["'1::2::3'|is_ipv6", 'False'],
    ["'::1'|is_ipv6('lo')", 'True'],
    ["'::1/64'|is_ipv6('lo')", 'False'],
    ["'10.0.0.1/8'|is_ipv4", 'True'],
    ['none|is_ip', 'False'],
    ["['192.168.0.1', 'foo', 'bar', 'fe80::']|ipaddr", "['192.168.0.1', 'fe80::']"],
    ["['FF01::1', '224.0.0.1', '::']|ipaddr(options='multicast')", "['224.0.0.1', 'ff01::1']"],
    ["'::'|ipaddr", '::'],
    ["'foo'|ipaddr", 'None'],
    ["['192.168.0.1', 'foo', 'fe80::']|ipv4", "['192.168.0.1']"],
    ["['192.168.0.1', 'foo', 'fe80::']|ipv6", "['fe80::']"],
    ["'fe80::'|ipv4", 'None'],
    ["'127.0.0.1'|ipv4(options='lo')", '127.0.0.1'],
    ["'FE80:0:0::0'|ipv6", 'fe80::'],
    ["'fe80::'|ipv6(options='ll')", 'fe80::'],
    ["'8.8.8.8'|ipv4('global')", '8.8.8.8'],
    ["'10.1.1.1'|ipv4('private, global')", 'None'],
    ["'fec0::1'|ipv6('site-local')", 'fec0::1'],
    ["'::ffff:1.2.3.4'|ipv6", '::ffff:102:304'],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });
});

describe('networks', () => {
  it.each([
    ["'192.168.0.1/30'|network_hosts", "['192.168.0.1', '192.168.0.2']"],
    ["'10.0.0.1/31'|network_hosts", "['10.0.0.0', '10.0.0.1']"],
    ["'10.0.0.1'|network_hosts", "['10.0.0.1']"],
    ["'fe80::1/126'|network_hosts", "['fe80::1', 'fe80::2', 'fe80::3']"],
    ["['10.0.0.1/31', '10.0.0.9/32']|network_hosts", "[['10.0.0.0', '10.0.0.1'], ['10.0.0.9']]"],
    ["'x'|network_hosts", 'None'],
    ["'192.168.0.1'|network_size", '1'],
    ["'192.168.0.1/8'|network_size", '16777216'],
    ["'192.168.0.1/255.255.255.0'|network_size", '256'],
    ["'fe80::/64'|network_size", '18446744073709551616'],
    ["'fe80::1'|network_size(version=4)", 'None'],
    ["'192.168.0.1/28'|ip_host", '192.168.0.1/28'],
    ["'192.168.0.1'|ip_host", '192.168.0.1/32'],
    ["'00:11:22:33:44:55'|mac_str_to_bytes", `b'\\x00\\x11"3DU'`],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it('a MAC address is made by chance of the host', () => {
    expect(printed("'00:50:56'|gen_mac", { host: { random: () => 0.5 } })).toBe('00:50:56:80:80:80');
    expect(failure("'00:50:56'|gen_mac")).toContain("needs the host's 'random'");
    expect(failure("'nope'|mac_str_to_bytes")).toBe('ValueError: Invalid MAC address');
  });
});

describe('parseIp', () => {
  it('reads back what ipText writes', () => {
    const address = fc.oneof(
      fc.record({ version: fc.constant(4 as const), bits: fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }) }),
      fc.record({ version: fc.constant(6 as const), bits: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }) }),
    );
    fc.assert(
      fc.property(
        address,
        fc.option(fc.integer({ min: 0, max: 32 }), { nil: undefined }),
        ({ version, bits }, prefix) => {
          const full = { version, bits, prefix, scope: undefined };
          expect(parseIp(ipText(full))).toEqual(full);
        },
      ),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('0', '1', 'f', ':', '.', '/', '%', 'g'), maxLength: 24 }),
        (text) => {
          expect(() => parseIp(text)).not.toThrow();
        },
      ),
    );
  });
});
