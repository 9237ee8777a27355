/** These are Salt's filters for network addresses. Those that ask the network (dns_check, http_query) are not here. */
import { isUndefined } from '../../render/undefined.ts';
import { checkItemCount } from '../../values/bounds.ts';
import { Dict } from '../../values/container/dict.ts';
import { lengthOf } from '../../values/container/iterate.ts';
import { PyIterator } from '../../values/container/iterator.ts';
import { Tuple } from '../../values/container/tuple.ts';
import { intOf, normalInt } from '../../values/number/integer.ts';
import { repr, str } from '../../values/print.ts';
import { Bytes, fromLatin1 } from '../../values/text/bytes.ts';
import { textOf } from '../../values/text/markup.ts';
import { truthy } from '../../values/truthy.ts';
import { typeName } from '../../values/type-name.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { takeAll } from '../filters/text-values.ts';
import { needed } from '../host-need.ts';
import { type LibraryFunction, saltFilter, signature } from '../library-function.ts';
import { hostsOf, type IpAddress, ipFromNumber, ipText, isWithin, networkOf, parseIp } from './ip-address.ts';
import { IP_KINDS } from './ip-kinds.ts';

type Version = 4 | 6;

export const SALT_NETWORK_FILTERS: readonly LibraryFunction[] = [
  saltFilter(
    'is_ip',
    signature('is_ip_filter', ['ip_addr', ['options', null]]),
    ([address, options]) =>
      ofVersion(address, 4, options) !== undefined || ofVersion(address, 6, options) !== undefined,
  ),
  saltFilter(
    'is_ipv4',
    signature('is_ipv4_filter', ['ip_addr', ['options', null]]),
    ([address, options]) => ofVersion(address, 4, options) !== undefined,
  ),
  saltFilter(
    'is_ipv6',
    signature('is_ipv6_filter', ['ip_addr', ['options', null]]),
    ([address, options]) => ofVersion(address, 6, options) !== undefined,
  ),
  saltFilter('ipaddr', signature('ipaddr', ['value', ['options', null]]), ([value, options], render) =>
    anyVersion(value, options, render),
  ),
  saltFilter('ipv4', signature('ipv4', ['value', ['options', null]]), ([value, options], render) =>
    onlyVersion(value, 4, options, render),
  ),
  saltFilter('ipv6', signature('ipv6', ['value', ['options', null]]), ([value, options], render) =>
    onlyVersion(value, 6, options, render),
  ),
  perNetwork('ip_host', (address) =>
    ipText({ ...address, prefix: address.prefix ?? (address.version === 4 ? 32 : 128) }),
  ),
  perNetwork('network_hosts', hostTexts),
  perNetwork('network_size', (address) => normalInt(networkOf(address).size)),
  saltFilter('gen_mac', signature('gen_mac', [['prefix', 'AC:DE:48']]), ([prefix], render) => {
    const random = needed(render.host.random, 'random', "the filter 'gen_mac'");
    const byte = () =>
      Math.floor(random() * 256)
        .toString(16)
        .toUpperCase()
        .padStart(2, '0');
    return `${str(prefix)}:${byte()}:${byte()}:${byte()}`;
  }),
  saltFilter(
    'filter_by_networks',
    signature('filter_by_networks', ['values', 'networks']),
    ([values, networks], render) => (networks === null ? values : filterByNetworks(values, networks, render)),
  ),
  saltFilter('ipwrap', signature('ipwrap', ['data']), ([data], render) =>
    Array.isArray(data) || data instanceof Tuple ? takeAll(data, render).map(wrapped) : wrapped(data),
  ),
  saltFilter('mac_str_to_bytes', signature('mac_str_to_bytes', ['mac_str']), ([mac]) => {
    lengthOf(mac);
    return macBytes(str(mac));
  }),
];

function parseValue(value: Value): IpAddress | undefined {
  // Python prints what it is given to read it, which an undefined value refuses.
  const text = isUndefined(value) ? str(value) : textOf(value);
  if (text !== undefined) return parseIp(text);
  const number = intOf(value);
  return number === undefined ? undefined : ipFromNumber(BigInt(number));
}

/** The address as it is written by rule, or undefined if it is none of the version or not of the kinds asked for. */
function ofVersion(value: Value, version: Version, options: Value): string | undefined {
  const address = parseValue(value);
  if (address?.version !== version) return undefined;
  if (!truthy(options)) return ipText(address);
  const kinds = str(options)
    .split(',')
    .map((option) => IP_KINDS.get(option.trim()));
  return kinds.every((isKind) => isKind === undefined || isKind(address)) ? ipText(address) : undefined;
}

function isList(value: Value): boolean {
  return Array.isArray(value) || value instanceof Tuple || value instanceof PyIterator;
}

function onlyVersion(value: Value, version: Version, options: Value, render: RenderContext): Value {
  if (isList(value))
    return takeAll(value, render)
      .map((item) => ofVersion(item, version, options))
      .filter((text) => text !== undefined);
  const isText = textOf(value) !== undefined || value instanceof Bytes;
  return isText ? (ofVersion(value, version, options) ?? null) : null;
}

/** Of a list, the IPv4 addresses come first. */
function anyVersion(value: Value, options: Value, render: RenderContext): Value {
  const items = isList(value) ? takeAll(value, render) : value;
  const four = onlyVersion(items, 4, options, render);
  const six = onlyVersion(items, 6, options, render);
  return Array.isArray(four) && Array.isArray(six) ? [...four, ...six] : (four ?? six);
}

/** Something said of each address of a list, or of the one address; None where there is none. */
function perNetwork(
  name: string,
  say: (address: IpAddress, render: RenderContext) => Value,
): LibraryFunction {
  const takes = signature(name, ['value', ['options', null], ['version', null]]);
  return saltFilter(name, takes, ([value, options, version], render) => {
    const items = isList(value) ? takeAll(value, render) : value;
    const found =
      version === 4 || version === 6
        ? onlyVersion(items, version, options, render)
        : truthy(version)
          ? null
          : anyVersion(items, options, render);
    if (!truthy(found)) return null;
    const said = (Array.isArray(found) ? found : [found]).map((text) => {
      const address = parseIp(str(text));
      return address === undefined ? null : say(address, render);
    });
    return Array.isArray(items) ? said : (said[0] ?? null);
  });
}

function hostTexts(address: IpAddress, render: RenderContext): Value {
  const { first, size } = hostsOf(address);
  checkItemCount(Number(size), render.limits);
  render.charge(Number(size));
  return Array.from({ length: Number(size) }, (_, index) =>
    ipText({ version: address.version, bits: first + BigInt(index), scope: undefined, prefix: undefined }),
  );
}

/** An IPv6 address in brackets, anything else as it is. */
function wrapped(value: Value): Value {
  const address = parseValue(value);
  if (address?.version !== 6) return value;
  if (address.prefix !== undefined) throw notAddress(value);
  return `[${ipText(address)}]`;
}

/** The addresses that are in a network, once for each network that has them; of a dict, those of each key. */
function filterByNetworks(values: Value, networks: Value, render: RenderContext): Value {
  const known = takeAll(networks, render).map(networkOrFail);
  const filter = (addresses: Value): Value[] =>
    takeAll(addresses, render).flatMap((value) => {
      if (known.length === 0) return [];
      const address = parseValue(value);
      if (address === undefined || address.prefix !== undefined) throw notAddress(value);
      render.charge(known.length);
      return known.filter((network) => isWithin(address, [network])).map(() => value);
    });
  if (values instanceof Dict)
    return Dict.of(Array.from(values.entries(), ([key, each]) => [key, filter(each)]));
  if (Array.isArray(values) || values instanceof Tuple || textOf(values) !== undefined) return filter(values);
  throw new PythonError('ValueError', `Do not know how to filter a <class '${typeName(values)}'>`);
}

function networkOrFail(value: Value): string {
  const network = parseValue(value);
  if (network === undefined)
    throw new PythonError('ValueError', `${repr(value)} does not appear to be an IPv4 or IPv6 network`);
  if (networkOf(network).first !== network.bits)
    throw new PythonError('ValueError', `${str(value)} has host bits set`);
  return ipText(network);
}

function notAddress(value: Value): PythonError {
  return new PythonError('ValueError', `${repr(value)} does not appear to be an IPv4 or IPv6 address`);
}

function macBytes(mac: string): Bytes {
  const digits = mac.length === 17 ? mac.replaceAll(mac.charAt(2), '') : mac;
  if (mac.length !== 12 && mac.length !== 17) throw new PythonError('ValueError', 'Invalid MAC address');
  const bytes = digits.match(/../g) ?? [];
  const wrong = bytes.find((byte) => !/^[0-9a-fA-F]{2}$/.test(byte));
  if (wrong !== undefined)
    throw new PythonError('ValueError', `invalid literal for int() with base 16: ${repr(wrong)}`);
  return fromLatin1(bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join(''));
}
