/**
 * `clientNetwork` names who asks at the door by the address of its TCP connection: an IPv4 address as it is, an IPv6 address by its
 * /64, because that is what one machine is given. Headers that name other addresses are not believed.
 */
const GROUPS = 8;
const NETWORK_GROUPS = 4;
const MAPPED_V4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** The address as a person knows it: a socket that listens to both families names IPv4 addresses in an IPv6 form. */
export function clientAddress(address: string): string {
  return MAPPED_V4.exec(address)?.[1] ?? address;
}

export function clientNetwork(named: string): string {
  const address = clientAddress(named);
  if (!address.includes(':')) return address;
  const [plain = ''] = address.split('%');
  return `${v6Groups(plain).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

function v6Groups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'));
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0');
  return [...before, ...(tail === undefined ? [] : zeros), ...after].map((group) =>
    group.toLowerCase().replace(/^0+(?=.)/, ''),
  );
}
