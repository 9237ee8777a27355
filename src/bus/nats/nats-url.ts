/**
 * This file reads addresses of NATS servers as a person writes them. Only `tls://host[:port]` is accepted: with any
 * other scheme the client would say its first words in the clear, and an attacker on the path could keep it there.
 *
 * Names and passwords in an address are refused too: credentials come from a .creds file, and addresses are logged.
 */
import { zesterError } from '../../core/errors/zester-error.ts';

export interface NatsUrl {
  /** Name or address; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** The normal form: `tls://host:port`. */
  readonly url: string;
}

const PORT_DEFAULT = 4222;
const PORT_MAX = 65_535;
const HOST_CHARS_MAX = 253;
const URL = /^tls:\/\/(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?))(?::([0-9]{1,5}))?\/?$/i;

export function parseNatsUrl(text: string): NatsUrl {
  if (!/^tls:\/\//i.test(text)) throw zesterError('BUS_URL_NOT_TLS', { url: withoutUserInfo(text) });
  const [, address, name, portText] = URL.exec(text) ?? [];
  const host = address ?? name;
  const port = portText === undefined ? PORT_DEFAULT : Number(portText);
  if (host === undefined || host.length > HOST_CHARS_MAX || port < 1 || port > PORT_MAX)
    throw zesterError('BUS_URL_INVALID', { url: withoutUserInfo(text) });
  return { host, port, url: `tls://${address === undefined ? host : `[${host}]`}:${port}` };
}

/** Several addresses of one cluster, separated by commas. */
export function parseNatsUrls(text: string): readonly NatsUrl[] {
  return text.split(',').map((part) => parseNatsUrl(part.trim()));
}

function withoutUserInfo(text: string): string {
  return text.replace(/^([a-z]*:\/\/)?.*@/is, '$1…@');
}
