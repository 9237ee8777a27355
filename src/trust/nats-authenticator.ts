/**
 * This authenticator answers the server's nonce with our own signature code instead of the client library's tweetnacl.
 *
 * The library calls the authenticator once for every connection attempt. `readCreds` is called each time, so a peel
 * whose credentials were renewed, or that was revoked and enrolled again, gets in at the next attempt. It must be
 * synchronous, because the library's interface is; when it throws, that attempt fails with its error.
 *
 * The public key is in the JWT and not said beside it: a server that reads its configuration again, for a renewed certificate,
 * drops connections that did (nats-server issue 8606).
 */
import type { Authenticator } from '@nats-io/transport-node';
import type { Creds } from './creds.ts';

export function natsAuthenticator(readCreds: () => Pick<Creds, 'jwt' | 'key'>): Authenticator {
  return (nonce) => {
    const { jwt, key } = readCreds();
    const sig = nonce ? Buffer.from(key.sign(Buffer.from(nonce))).toString('base64') : '';
    return { jwt, sig };
  };
}
