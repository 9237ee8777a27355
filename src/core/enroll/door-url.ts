/**
 * This file reads the address of an enrollment door as a person writes it: `https://host[:port]`, a comma between several. Nothing
 * else is taken: a path would be ignored, a name and password logged, and `http` says everything in the clear.
 */
import { ENROLL_PORT } from '../../wire/names/enroll-routes.ts';

export interface DoorUrl {
  /** Name or address; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** The normal form: `https://host:port`. */
  readonly url: string;
}

const PORT_MAX = 65_535;
const HOST_CHARS_MAX = 253;
const DOORS_MAX = 16;
const URL_TEXT =
  /^https:\/\/(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?))(?::([0-9]{1,5}))?\/?$/i;

/** Undefined for what is no such address. */
export function parseDoorUrl(text: string): DoorUrl | undefined {
  const [, address, name, portText] = URL_TEXT.exec(text.trim()) ?? [];
  const host = address ?? name;
  const port = portText === undefined ? ENROLL_PORT : Number(portText);
  if (host === undefined || host.length > HOST_CHARS_MAX || port < 1 || port > PORT_MAX) return undefined;
  return { host, port, url: `https://${address === undefined ? host : `[${host}]`}:${port}` };
}

/** All of a list with commas; undefined when one of them is none, or there are too many. */
export function parseDoorUrls(text: string): readonly DoorUrl[] | undefined {
  const parsed = text.split(',').map(parseDoorUrl);
  const doors = parsed.filter((door) => door !== undefined);
  return doors.length === parsed.length && doors.length <= DOORS_MAX ? doors : undefined;
}
