/**
 * TLS options make the client check whom it talks to: TLS 1.3, our own CA and nothing else, and the name or address it
 * dialled.
 *
 * The client library gives TLS no server name when the address is an IP, and Node then compares the certificate with
 * `localhost`: a certificate for `localhost` would pass for any machine, one for the right address would not. So for
 * servers that are named by address the certificate must be good for one of the addresses we were told.
 */
import { isIP } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, type PeerCertificate } from 'node:tls';
import type { TlsOptions } from '@nats-io/transport-node';
import type { NatsUrl } from './nats-url.ts';

/** What Node calls a host that it was told no name of. */
const NO_NAME = 'localhost';

/** `servers` are those we were told last: a connection that is made anew may go to others. */
export function tlsOptions(caFile: string, servers: () => readonly NatsUrl[]): TlsOptions {
  const checks: Pick<ConnectionOptions, 'minVersion' | 'checkServerIdentity'> = {
    minVersion: 'TLSv1.3',
    checkServerIdentity: (name, certificate) => identityError(name, certificate, servers()),
  };
  return { caFile, ...checks };
}

export function identityError(
  name: string,
  certificate: PeerCertificate,
  servers: readonly NatsUrl[],
): Error | undefined {
  const addresses = servers.map(({ host }) => host).filter((host) => isIP(host) !== 0);
  // With an address among the servers, `localhost` may be what Node calls that one: then it proves nothing.
  const isName = name !== NO_NAME || addresses.length === 0;
  const names = isName ? [name] : addresses;
  const errors = names.map((each) => checkServerIdentity(each, certificate));
  return errors.includes(undefined) ? undefined : errors[0];
}
