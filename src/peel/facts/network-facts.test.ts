import { describe, expect, it } from 'vitest';
import { defaultAddress, fqdnOf } from './network-facts.ts';
import type { Route } from './network-tables.ts';

describe('fqdnOf', () => {
  it.each([
    ['web', '127.0.1.1 web.example.net web', 'web.example.net'],
    ['web', '127.0.1.1 web.example.net', 'web.example.net'],
    ['web', '127.0.1.1 web web.example.net # ours', 'web.example.net'],
    ['web', '10.0.0.9 webmail.example.net webmail', 'web'],
    ['web', '# 127.0.1.1 web.example.net web', 'web'],
    ['web.example.net', '', 'web.example.net'],
    ['web', '', 'web'],
  ])('of %s with %j is %s', (hostname, hosts, fqdn) => {
    expect(fqdnOf(hostname, hosts)).toBe(fqdn);
  });
});

describe('defaultAddress', () => {
  const route = (name: string, destination: number, mask: number, gateway = 0, metric = 0): Route => ({
    interface: name,
    destination,
    gateway,
    mask,
    metric,
  });
  const net = (third: number) => 0x0a000000 + third * 256;
  const lan = route('eth0', net(1), 0xffffff00);
  const second = route('eth0', net(2), 0xffffff00);

  it('is in the network of the gateway, where an interface has several', () => {
    const routes = [route('eth0', 0, 0, net(2) + 1), lan, second];
    expect(defaultAddress([net(1) + 5, net(2) + 5], routes)).toBe(net(2) + 5);
  });

  it('is any address of the interface, where the gateway is in no network', () => {
    expect(defaultAddress([net(1) + 5], [route('eth0', 0, 0, 0x01020304), lan])).toBe(net(1) + 5);
  });

  it('follows the lowest metric', () => {
    const routes = [route('wifi', 0, 0, net(3) + 1, 600), route('eth0', 0, 0, net(1) + 1, 100), lan];
    expect(defaultAddress([net(3) + 5, net(1) + 5], [...routes, route('wifi', net(3), 0xffffff00)])).toBe(
      net(1) + 5,
    );
  });

  it('belongs to the smallest of the networks that hold it', () => {
    const vpn = route('tun0', 0x0a000000, 0xff000000);
    expect(defaultAddress([net(1) + 5], [vpn, lan, route('eth0', 0, 0, net(1) + 1)])).toBe(net(1) + 5);
  });

  it('is not known without a default route, or without an address on its interface', () => {
    expect(defaultAddress([net(1) + 5], [lan])).toBeUndefined();
    expect(defaultAddress([net(1) + 5], [route('ppp0', 0, 0), lan])).toBeUndefined();
  });
});
