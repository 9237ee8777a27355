/** These functions read and write IPv4 and IPv6 addresses with an optional prefix, as Python's `ipaddress` does. */

export interface IpAddress {
  readonly version: 4 | 6;
  readonly bits: bigint;
  /** The zone of an IPv6 address, after `%`. */
  readonly scope: string | undefined;
  /** Given where the text had one: `10.0.0.1/8`. */
  readonly prefix: number | undefined;
}

const WIDTH = { 4: 32, 6: 128 } as const;

export function parseIp(text: string): IpAddress | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return parseAddress(text);
  const address = parseAddress(text.slice(0, slash));
  if (address === undefined) return undefined;
  const prefix = parsePrefix(text.slice(slash + 1), address.version);
  return prefix === undefined ? undefined : { ...address, prefix };
}

function parseAddress(text: string): IpAddress | undefined {
  const four = parseFour(text);
  if (four !== undefined) return { version: 4, bits: four, scope: undefined, prefix: undefined };
  const [address = '', scope, ...rest] = text.split('%');
  if (rest.length > 0 || scope === '') return undefined;
  const six = parseSix(address);
  return six === undefined ? undefined : { version: 6, bits: six, scope, prefix: undefined };
}

/** A zero in front could mean octal, so Python refuses it. */
function parseFour(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part))) return undefined;
  const numbers = parts.map(Number);
  if (numbers.some((number) => number > 255)) return undefined;
  return numbers.reduce((bits, number) => (bits << 8n) | BigInt(number), 0n);
}

function parseSix(text: string): bigint | undefined {
  const groups = withFourInHex(text)?.split(':');
  if (groups === undefined || groups.length < 3 || groups.length > 9) return undefined;
  const filled = fillGap(groups);
  if (filled?.length !== 8 || !filled.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  return filled.reduce((bits, group) => (bits << 16n) | BigInt(Number.parseInt(group, 16)), 0n);
}

/** The last two groups may be written as an IPv4 address. */
function withFourInHex(text: string): string | undefined {
  const colon = text.lastIndexOf(':');
  if (!text.includes('.', colon + 1)) return text;
  const four = parseFour(text.slice(colon + 1));
  if (four === undefined) return undefined;
  return `${text.slice(0, colon + 1)}${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`;
}

/** `::` stands for as many zero groups as are missing, at least one; there may be one of it. */
function fillGap(groups: readonly string[]): string[] | undefined {
  const inner = groups.slice(1, -1).indexOf('') + 1;
  if (inner === 0) return [...groups];
  if (groups.indexOf('', inner + 1) >= 0 && groups.indexOf('', inner + 1) < groups.length - 1)
    return undefined;
  const before = groups.slice(0, inner);
  const after = groups.slice(inner + 1);
  // An empty group at an edge is only the other colon of the gap.
  if (before[0] === '') {
    if (before.length > 1) return undefined;
    before.pop();
  }
  if (after.at(-1) === '') {
    if (after.length > 1) return undefined;
    after.pop();
  }
  const missing = 8 - before.length - after.length;
  return missing < 1 ? undefined : [...before, ...Array<string>(missing).fill('0'), ...after];
}

/** A number of bits, or for IPv4 a mask, which may also be inverted (`0.0.0.255`). */
function parsePrefix(text: string, version: 4 | 6): number | undefined {
  if (/^[0-9]+$/.test(text)) {
    const prefix = Number(text);
    return prefix <= WIDTH[version] ? prefix : undefined;
  }
  const mask = version === 4 ? parseFour(text) : undefined;
  if (mask === undefined) return undefined;
  const digits = mask.toString(2).padStart(32, '0');
  if (/^1*0*$/.test(digits)) return digits.replaceAll('0', '').length;
  return /^0*1*$/.test(digits) ? digits.replaceAll('1', '').length : undefined;
}

export function ipFromNumber(value: bigint): IpAddress | undefined {
  if (value < 0n || value >= 1n << 128n) return undefined;
  return { version: value < 1n << 32n ? 4 : 6, bits: value, scope: undefined, prefix: undefined };
}

export function ipText({ version, bits, scope, prefix }: IpAddress): string {
  const address = version === 4 ? fourText(bits) : sixText(bits);
  return address + (scope === undefined ? '' : `%${scope}`) + (prefix === undefined ? '' : `/${prefix}`);
}

function fourText(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
}

/** The first of the longest runs of two and more zero groups is left out. */
function sixText(bits: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) => ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  const runs = [
    ...groups
      .map((group) => (group === '0' ? '0' : 'x'))
      .join('')
      .matchAll(/0{2,}/g),
  ];
  const longest = runs.reduce<RegExpMatchArray | undefined>(
    (best, run) => (best === undefined || run[0].length > best[0].length ? run : best),
    undefined,
  );
  if (longest?.index === undefined) return groups.join(':');
  const after = longest.index + longest[0].length;
  return `${groups.slice(0, longest.index).join(':')}::${groups.slice(after).join(':')}`;
}

/** The network that an address with its prefix lies in. */
export interface IpNetwork {
  readonly first: bigint;
  readonly size: bigint;
}

export function networkOf({ version, bits, prefix }: IpAddress): IpNetwork {
  const size = 1n << BigInt(WIDTH[version] - (prefix ?? WIDTH[version]));
  return { first: bits - (bits % size), size };
}

/** Which of a network's addresses a machine may have: not its own, and for IPv4 not the one of all. */
export function hostsOf(address: IpAddress): IpNetwork {
  const { first, size } = networkOf(address);
  if (size <= 2n) return { first, size };
  return { first: first + 1n, size: size - (address.version === 4 ? 2n : 1n) };
}

export function isWithin(address: IpAddress, networks: readonly string[]): boolean {
  return networks.some((text) => {
    const network = parseIp(text);
    if (network === undefined || network.version !== address.version) return false;
    const { first, size } = networkOf(network);
    return address.bits >= first && address.bits < first + size;
  });
}
