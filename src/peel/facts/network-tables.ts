/** Parses the kernel's network tables as /proc/net prints them. IPv4 addresses are unsigned 32-bit numbers here. */

export interface Route {
  readonly interface: string;
  readonly destination: number;
  readonly gateway: number;
  readonly mask: number;
  readonly metric: number;
}

const ROUTE_UP = 0x1;

/** /proc/net/route, routes that are up. Numbers are printed in the byte order of little-endian machines. */
export function parseRoutes(text: string): readonly Route[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [name, destination, gateway, flags, , , metric, mask] = line.trim().split(/\s+/);
      if (name === undefined || mask === undefined) return [];
      if ((Number.parseInt(flags ?? '', 16) & ROUTE_UP) === 0) return [];
      return [
        {
          interface: name,
          destination: littleEndian(destination),
          gateway: littleEndian(gateway),
          mask: littleEndian(mask),
          metric: Number(metric),
        },
      ];
    });
}

function littleEndian(hex: string | undefined): number {
  return Buffer.from((hex ?? '').padStart(8, '0'), 'hex').readUInt32LE();
}

/** /proc/net/fib_trie: our own addresses are its leaves of type LOCAL. Each occurs in two tables; sorted, once. */
export function parseLocalAddresses(text: string): readonly number[] {
  const found = new Set<number>();
  let leaf: number | undefined;
  for (const line of text.split('\n')) {
    const [, address] = /\|-- (\d+\.\d+\.\d+\.\d+)$/.exec(line) ?? [];
    if (address !== undefined) leaf = parseIpv4(address);
    else if (leaf !== undefined && /^\s+\/32 host LOCAL$/.test(line)) found.add(leaf);
  }
  return [...found].sort((a, b) => a - b);
}

export interface Ipv6Address {
  readonly interface: string;
  readonly address: string;
  readonly prefixBits: number;
}

/** /proc/net/if_inet6: address, index, prefix length, scope, flags, name. */
export function parseIpv6Addresses(text: string): readonly Ipv6Address[] {
  return text.split('\n').flatMap((line) => {
    const [, hex, prefix, name] = /^([0-9a-f]{32}) \S+ (\S+) \S+ \S+\s+(\S+)$/.exec(line.trim()) ?? [];
    if (hex === undefined || prefix === undefined || name === undefined) return [];
    return [{ interface: name, address: formatIpv6(hex), prefixBits: Number.parseInt(prefix, 16) }];
  });
}

export function formatIpv4(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
}

function parseIpv4(text: string): number {
  return text.split('.').reduce((address, part) => address * 256 + Number(part), 0);
}

/** As RFC 5952 wants it: no leading zeros, the longest run of two or more zero groups as `::`. */
function formatIpv6(hex: string): string {
  const groups = (hex.match(/.{4}/g) ?? []).map((group) => Number.parseInt(group, 16).toString(16));
  const text = groups.join(':');
  const runs = [...text.matchAll(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g)].map((match) => match[0]);
  const [longest] = runs.sort((a, b) => b.length - a.length);
  if (longest === undefined) return text;
  const at = text.search(new RegExp(`(?<![0-9a-f])${longest}(?![0-9a-f])`));
  return `${text.slice(0, at).replace(/:$/, '')}::${text.slice(at + longest.length).replace(/^:/, '')}`;
}
