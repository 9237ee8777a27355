/**
 * The address on which a daemon serves health and metrics is `host:port`, `[v6]:port`, or `off`. Port 0 takes a free
 * one.
 */

export interface HealthAddress {
  readonly host: string;
  readonly port: number;
}

const ADDRESS = /^(?:\[([0-9a-fA-F:.]+)\]|([a-zA-Z0-9.-]+)):(\d{1,5})$/;
const PORT_MAX = 65_535;
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** Undefined for what is neither. */
export function parseHealthAddress(text: string): HealthAddress | 'off' | undefined {
  if (text === 'off') return 'off';
  const [, v6, name, digits] = ADDRESS.exec(text) ?? [];
  const host = v6 ?? name;
  const port = Number(digits);
  return host === undefined || port > PORT_MAX ? undefined : { host, port };
}

export function addressText({ host, port }: HealthAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Nobody but this machine can ask there. */
export function isLoopback({ host }: HealthAddress): boolean {
  return LOOPBACK.test(host);
}
