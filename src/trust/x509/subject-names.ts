/**
 * These functions read the names a certificate is good for: DNS names and IP addresses, as a person lists them for
 * `zester ca issue`. Which of the two a text is decides how TLS clients compare it, so a text that looks like a broken
 * address is an error and not a DNS name that will never match.
 */
import { zesterError } from '../../core/errors/zester-error.ts';

export type SubjectName =
  | { readonly kind: 'dns'; readonly name: string }
  /** 4 or 16 bytes. */
  | { readonly kind: 'ip'; readonly address: Uint8Array };

const DNS_CHARS_MAX = 253;
const DNS_NAME =
  /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export function parseSubjectName(text: string): SubjectName {
  const address = parseIpv4(text) ?? parseIpv6(text);
  if (address !== undefined) return { kind: 'ip', address };
  const name = text.toLowerCase();
  // A name whose last label is all digits is an address gone wrong: there is no such top-level domain.
  if (name.length > DNS_CHARS_MAX || !DNS_NAME.test(name) || /(?:^|\.)[0-9]+$/.test(name))
    throw zesterError('TRUST_CERTIFICATE_NAME', { name: text });
  return { kind: 'dns', name };
}

function parseIpv4(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? Uint8Array.from(bytes) : undefined;
}

/** Eight groups of four hex digits, one run of zero groups as `::`, the last two groups also as IPv4. No zones. */
function parseIpv6(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (!text.includes(':') || halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, i) => groups(half, i === halves.length - 1));
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 16 ? Uint8Array.from(head) : undefined;
  // `::` stands for at least one group.
  if (tail === undefined || head.length + tail.length > 14) return undefined;
  const zeros = new Array<number>(16 - head.length - tail.length).fill(0);
  return Uint8Array.from([...head, ...zeros, ...tail]);
}

function groups(text: string, isLast: boolean): readonly number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const bytes: number[] = [];
  for (const [i, part] of parts.entries()) {
    const ipv4 = isLast && i === parts.length - 1 ? parseIpv4(part) : undefined;
    if (ipv4 === undefined && !/^[0-9a-f]{1,4}$/i.test(part)) return undefined;
    const group = Number.parseInt(part, 16);
    bytes.push(...(ipv4 ?? [group >> 8, group & 0xff]));
  }
  return bytes;
}
