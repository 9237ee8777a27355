/**
 * Collects `network.*` and `default_ipv4`, from /proc and /sys alone.
 *
 * The kernel tells in /proc which IPv4 addresses are ours but not on which interface; the interface is the one whose
 * network holds the address. An address without a network of its own (a /32 on a tunnel) is in `ipv4` and at no
 * interface.
 */
import type { ReadFiles } from '../../system/files.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { knownFacts, readLine, readText } from './machine-text.ts';
import {
  formatIpv4,
  type Ipv6Address,
  parseIpv6Addresses,
  parseLocalAddresses,
  parseRoutes,
  type Route,
} from './network-tables.ts';

type NetworkFiles = Pick<ReadFiles, 'read' | 'list' | 'stat'>;

export async function networkFacts(files: NetworkFiles): Promise<WireMap> {
  const hostname = await readLine(files, '/proc/sys/kernel/hostname');
  const tables = await readTables(files);
  return knownFacts({
    hostname,
    fqdn: hostname === undefined ? undefined : fqdnOf(hostname, (await readText(files, '/etc/hosts')) ?? ''),
    ipv4: tables.addresses?.map(formatIpv4),
    ipv6: tables.ipv6?.map(({ address }) => address),
    interfaces: await interfaceFacts(files, tables),
  });
}

/** The address from which this machine talks to the world. */
export async function defaultAddressFacts(files: NetworkFiles): Promise<WireMap> {
  const { addresses = [], routes } = await readTables(files);
  const address = defaultAddress(addresses, routes);
  return knownFacts({ default_ipv4: address === undefined ? undefined : formatIpv4(address) });
}

interface Tables {
  readonly routes: readonly Route[];
  /** Undefined where the kernel has no such table. */
  readonly addresses: readonly number[] | undefined;
  readonly ipv6: readonly Ipv6Address[] | undefined;
}

async function readTables(files: NetworkFiles): Promise<Tables> {
  const trie = await readText(files, '/proc/net/fib_trie');
  const ipv6 = await readText(files, '/proc/net/if_inet6');
  return {
    routes: parseRoutes((await readText(files, '/proc/net/route')) ?? ''),
    addresses: trie === undefined ? undefined : parseLocalAddresses(trie),
    ipv6: ipv6 === undefined ? undefined : parseIpv6Addresses(ipv6),
  };
}

/** The full name that /etc/hosts gives for the host name, as `hostname -f` would find it. Nobody asks the DNS. */
export function fqdnOf(hostname: string, hosts: string): string {
  if (hostname.includes('.')) return hostname;
  for (const line of hosts.split('\n')) {
    const [, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const full = names.find((name) => name.startsWith(`${hostname}.`));
    if (full !== undefined && (names.includes(hostname) || names[0] === full)) return full;
  }
  return hostname;
}

/** On the interface of the default route with the lowest metric; there in the network of the gateway, if in any. */
export function defaultAddress(addresses: readonly number[], routes: readonly Route[]): number | undefined {
  const [route] = routes
    .filter((candidate) => candidate.destination === 0 && candidate.mask === 0)
    .sort((a, b) => a.metric - b.metric);
  if (route === undefined) return undefined;
  const placed = addresses.map((address) => ({ address, network: networkOf(address, routes) }));
  const onInterface = placed.filter(({ network }) => network?.interface === route.interface);
  const nearGateway = onInterface.find(({ network }) => network && holds(network, route.gateway));
  return (nearGateway ?? onInterface[0])?.address;
}

/** The directly connected network that holds the address; the smallest, when several do. */
function networkOf(address: number, routes: readonly Route[]): Route | undefined {
  const [smallest] = routes
    .filter((route) => route.gateway === 0 && route.mask !== 0 && holds(route, address))
    .sort((a, b) => b.mask - a.mask);
  return smallest ?? (holds(LOOPBACK, address) ? LOOPBACK : undefined);
}

/** In no routing table that /proc/net/route shows. */
const LOOPBACK: Route = { interface: 'lo', destination: 0x7f000000, gateway: 0, mask: 0xff000000, metric: 0 };

function holds({ destination, mask }: Route, address: number): boolean {
  return (address & mask) === (destination & mask);
}

/** More are left out: a host of many containers has hundreds, and the list goes into one message. */
const INTERFACES_MAX = 512;

async function interfaceFacts(files: NetworkFiles, tables: Tables): Promise<WireMap[] | undefined> {
  const names = await files.list('/sys/class/net');
  const facts: WireMap[] = [];
  for (const name of names?.slice(0, INTERFACES_MAX) ?? []) {
    const directory = `/sys/class/net/${name}`;
    // `bonding_masters` is a file there; and an interface may be gone by now.
    if ((await files.stat(directory))?.kind !== 'directory') continue;
    const mac = await readLine(files, `${directory}/address`);
    facts.push(
      knownFacts({
        name,
        mac: mac === NO_MAC ? undefined : mac,
        flags: flagNames((await readLine(files, `${directory}/flags`)) ?? ''),
        addrs: addressesOf(name, tables),
      }),
    );
  }
  return names === undefined ? undefined : facts;
}

const NO_MAC = '00:00:00:00:00:00';

/** With their prefix length. */
function addressesOf(name: string, { addresses = [], ipv6 = [], routes }: Tables): string[] {
  const v4 = addresses.flatMap((address) => {
    const network = networkOf(address, routes);
    return network?.interface === name ? [`${formatIpv4(address)}/${bitsOf(network.mask)}`] : [];
  });
  const v6 = ipv6.filter((entry) => entry.interface === name);
  return [...v4, ...v6.map(({ address, prefixBits }) => `${address}/${prefixBits}`)];
}

function bitsOf(mask: number): number {
  return mask.toString(2).replaceAll('0', '').length;
}

/** By bit, with Go's names. Whether an interface is running is not in the file. */
const FLAGS: readonly (readonly [bit: number, name: string])[] = [
  [0x1, 'up'],
  [0x2, 'broadcast'],
  [0x8, 'loopback'],
  [0x10, 'pointtopoint'],
  [0x1000, 'multicast'],
];

function flagNames(hex: string): string[] {
  const bits = Number.parseInt(hex, 16) || 0;
  return FLAGS.filter(([bit]) => (bits & bit) !== 0).map(([, name]) => name);
}
