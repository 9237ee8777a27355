/** These tables tell loopback, private and the other kinds of addresses apart, as Python 3.11 does. */
import { type IpAddress, isWithin } from './ip-address.ts';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const UNSPECIFIED = ['0.0.0.0/32', '::/128'];
const LINK_LOCAL = ['169.254.0.0/16', 'fe80::/10'];
const SITE_LOCAL = ['fec0::/10'];
const MULTICAST = ['224.0.0.0/4', 'ff00::/8'];
const PRIVATE = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/29',
  '192.0.0.170/31',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
  '::/127',
  '::ffff:0:0/96',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  'fc00::/7',
  'fe80::/10',
];
const RESERVED = [
  '240.0.0.0/4',
  '::/8',
  '100::/8',
  '200::/7',
  '400::/6',
  '800::/5',
  '1000::/4',
  '4000::/2',
  '8000::/2',
  'c000::/3',
  'e000::/4',
  'f000::/5',
  'f800::/6',
  'fe00::/9',
];

type IsKind = (address: IpAddress) => boolean;

const isPrivate: IsKind = (address) => isWithin(mappedFour(address), PRIVATE);
const isLinkLocal: IsKind = (address) => isWithin(address, LINK_LOCAL);
const isSiteLocal: IsKind = (address) => isWithin(address, SITE_LOCAL);
/** An IPv6 interface is only one of these if its whole network is. */
const isLoopback: IsKind = (address) => isWithin(address, LOOPBACK) && isWhole(address);
const isUnspecified: IsKind = (address) => isWithin(address, UNSPECIFIED) && isWhole(address);

/** By the names that Salt's options have; several names for one kind. */
export const IP_KINDS: ReadonlyMap<string, IsKind> = new Map<string, IsKind>([
  ['global', (address) => !isPrivate(address)],
  ['public', (address) => !isPrivate(address)],
  ['private', isPrivate],
  ['link-local', isLinkLocal],
  ['link_local', isLinkLocal],
  ['linklocal', isLinkLocal],
  ['ll', isLinkLocal],
  ['loopback', isLoopback],
  ['lo', isLoopback],
  ['multicast', (address) => isWithin(address, MULTICAST)],
  ['reserved', (address) => isWithin(address, RESERVED)],
  ['site-local', isSiteLocal],
  ['site_local', isSiteLocal],
  ['sl', isSiteLocal],
  ['unspecified', isUnspecified],
]);

function isWhole({ version, prefix }: IpAddress): boolean {
  return version === 4 || prefix === undefined || prefix === 128;
}

/** An IPv4 address in IPv6 clothes is as private as the address itself. */
function mappedFour(address: IpAddress): IpAddress {
  const isMapped = address.version === 6 && address.bits >> 32n === 0xffffn;
  return isMapped ? { ...address, version: 4, bits: address.bits & 0xffffffffn } : address;
}
