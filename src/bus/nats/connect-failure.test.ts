import {
  AuthorizationError,
  ConnectionError,
  TimeoutError,
  UserAuthenticationExpiredError,
} from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { zesterError } from '../../core/errors/zester-error.ts';
import { areCredentialsRefused, connectError, isWorthAnotherTry } from './connect-failure.ts';

const errno = (code: string) => Object.assign(new Error(code), { code });
const codeOf = (cause: unknown) => connectError(cause, 'tls://h:1', '/ca', 0).code;

describe('why a connection failed', () => {
  it.each([
    [new TimeoutError(), 'BUS_CONNECT_SLOW'],
    [errno('ECONNRESET'), 'BUS_CONNECT_SLOW'],
    [new ConnectionError('error connecting - node provided an undefined error'), 'BUS_CONNECT_SLOW'],
    [new AuthorizationError("'Authentication Timeout'"), 'BUS_CONNECT_SLOW'],
    [new AuthorizationError("'Authorization Violation'"), 'BUS_CREDENTIALS'],
    [new ConnectionError("/ca doesn't exist"), 'BUS_CA_FILE'],
    [errno("EACCES: permission denied, open '/ca'"), 'BUS_CA_FILE'],
    [errno('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'BUS_CERTIFICATE'],
    [errno('SELF_SIGNED_CERT_IN_CHAIN'), 'BUS_CERTIFICATE'],
    [errno('CERT_HAS_EXPIRED'), 'BUS_CERTIFICATE_TIME'],
    [errno('CERT_NOT_YET_VALID'), 'BUS_CERTIFICATE_TIME'],
    [errno('ERR_TLS_CERT_ALTNAME_INVALID'), 'BUS_CERTIFICATE'],
    [errno('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'BUS_CERTIFICATE'],
    [new ConnectionError('connection refused'), 'BUS_UNREACHABLE'],
    [errno('ENOTFOUND'), 'BUS_UNREACHABLE'],
    [zesterError('BUS_SERVER_TOO_OLD', { version: '1', floor: '2' }), 'BUS_SERVER_TOO_OLD'],
  ])('%s: %s', (cause, code) => {
    expect(codeOf(cause)).toBe(code);
  });
});

it('credentials are refused when a server says so, at the first connect or later, and not when it lost patience', () => {
  const violation = new AuthorizationError("'Authorization Violation'");
  const expired = new UserAuthenticationExpiredError('user authentication expired');
  for (const refusal of [violation, expired, connectError(violation, 's', '/ca', 0)])
    expect(areCredentialsRefused(refusal)).toBe(true);
  const slow = new AuthorizationError("'Authentication Timeout'");
  for (const other of [undefined, slow, connectError(slow, 's', '/ca', 0), errno('ENOTFOUND')])
    expect(areCredentialsRefused(other)).toBe(false);
});

describe('whether a command tries again', () => {
  const slow = connectError(new TimeoutError(), 's', '/ca', 0);
  const refused = connectError(new ConnectionError('connection refused'), 's', '/ca', 0);
  const untrusted = connectError(errno('CERT_HAS_EXPIRED'), 's', '/ca', 0);

  it('for as long as it may retry when a server is there, and for a moment when none is', () => {
    expect([0, 29_000, 30_000].map((ms) => isWorthAnotherTry(slow, ms, 30_000))).toEqual([true, true, false]);
    expect([0, 2_999, 3_000].map((ms) => isWorthAnotherTry(refused, ms, 30_000))).toEqual([
      true,
      true,
      false,
    ]);
    expect(isWorthAnotherTry(refused, 100, 50)).toBe(false);
  });

  it('never where the next try would end the same way', () => {
    expect(isWorthAnotherTry(untrusted, 0, 30_000)).toBe(false);
  });
});
