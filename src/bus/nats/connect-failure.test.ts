import {
  AuthorizationError,
  ConnectionError,
  TimeoutError,
  UserAuthenticationExpiredError,
} from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { zesterError } from '../../core/errors/zester-error.ts';
import { connectError, isRefusal, isWorthAnotherTry } from './connect-failure.ts';

const AT = { servers: 's', caFile: '/ca', nowMs: 0 };
const errno = (code: string) => Object.assign(new Error(code), { code });
const codeOf = (cause: unknown) =>
  connectError(cause, { servers: 'tls://h:1', caFile: '/ca', nowMs: 0 }).code;

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

describe('credentials that are refused', () => {
  const endMs = Date.UTC(2026, 4, 1);
  const DAY_MS = 86_400_000;
  const told = (cause: Error, nowMs: number) =>
    connectError(cause, { ...AT, nowMs, credentialsEndMs: endMs });
  const refused = new AuthorizationError("'Authorization Violation'");
  const over = new UserAuthenticationExpiredError("'User Authentication Expired'");

  it('and are over are told so, with their end and the clock, which may be what is wrong', () => {
    const failure = told(refused, endMs + 200 * DAY_MS);
    expect(failure.code).toBe('BUS_CREDENTIALS_EXPIRED');
    expect(failure.message).toContain(
      'good until 2026-05-01T00:00:00Z; the clock of this machine says 2026-11-17',
    );
    expect(failure.hint).toContain('check the clock');
  });

  it('are over by the word of the server, also where our clock says otherwise', () => {
    expect(told(over, endMs - DAY_MS).code).toBe('BUS_CREDENTIALS_EXPIRED');
    expect(told(refused, endMs - DAY_MS).code).toBe('BUS_CREDENTIALS');
  });
});

describe('what a server says of a connection that it had', () => {
  it.each([
    [new AuthorizationError("'Authorization Violation'"), true],
    [new Error('User Authentication Revoked'), true],
    [new AuthorizationError("'Authentication Timeout'"), false],
    [new Error('Stale Connection'), false],
  ])('%s: our credentials are no good: %s', (error, refused) => {
    expect(isRefusal(error)).toBe(refused);
  });
});

describe('whether a command tries again', () => {
  const slow = connectError(new TimeoutError(), AT);
  const refused = connectError(new ConnectionError('connection refused'), AT);
  const untrusted = connectError(errno('CERT_HAS_EXPIRED'), AT);

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
