import { describe, expect, it } from 'vitest';
import { formatIpv4, parseIpv6Addresses, parseLocalAddresses, parseRoutes } from './network-tables.ts';

describe('parseRoutes', () => {
  it('reads routes that are up', () => {
    const text =
      'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n' +
      'eth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0   \n' +
      'eth1\t00000000\t010200C0\t0002\t0\t0\t0\t00000000\t0\t0\t0\n' +
      'eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n';
    expect(parseRoutes(text)).toEqual([
      { interface: 'eth0', destination: 0, gateway: 0xc0000201, mask: 0, metric: 100 },
      { interface: 'eth0', destination: 0xc0000200, gateway: 0, mask: 0xffffff00, metric: 0 },
    ]);
  });

  it('reads nothing from nothing', () => {
    expect([parseRoutes(''), parseRoutes('Iface\n\n'), parseRoutes('a\nb c\n')]).toEqual([[], [], []]);
  });
});

describe('parseLocalAddresses', () => {
  it('takes our own addresses, not networks and broadcasts, each once', () => {
    const leaf = (address: string, kind: string) => `        |-- ${address}\n           ${kind}\n`;
    const table =
      leaf('192.0.2.0', '/24 link UNICAST') +
      leaf('192.0.2.2', '/32 host LOCAL') +
      leaf('192.0.2.255', '/32 link BROADCAST') +
      leaf('127.0.0.0', '/8 host LOCAL') +
      leaf('10.1.2.3', '/32 link UNICAST\n           /32 host LOCAL');
    const found = parseLocalAddresses(`Main:\n${table}Local:\n${table}`);
    expect(found.map(formatIpv4)).toEqual(['10.1.2.3', '192.0.2.2']);
  });
});

describe('parseIpv6Addresses', () => {
  it.each([
    ['00000000000000000000000000000001', '::1'],
    ['00000000000000000000000000000000', '::'],
    ['fe800000000000000000000000000000', 'fe80::'],
    ['20010db8000000010000000000000021', '2001:db8:0:1::21'],
    ['20010db8000000000001000000000001', '2001:db8::1:0:0:1'],
    ['20010db8000100020003000400050000', '2001:db8:1:2:3:4:5:0'],
    ['10000000100000000000100000000010', '1000:0:1000::1000:0:10'],
    ['00010002000300040005000600070008', '1:2:3:4:5:6:7:8'],
  ])('writes %s as %s', (hex, address) => {
    expect(parseIpv6Addresses(`${hex} 02 40 20 80     eth0\n`)).toEqual([
      { interface: 'eth0', address, prefixBits: 64 },
    ]);
  });
});
