/**
 * This file says what a failed attempt to connect means, and whether a command should try again. Pure: told by the
 * error alone.
 *
 *   refused       nobody listens there, or the name is unknown. A supervised server is back within a moment, so a short
 *                 while is worth it; a wrong address stays wrong.
 *   too slow      a server is there, but the handshake was not over in time or broke off: an overloaded machine, or a
 *                 server that dropped us. Worth all the time that the caller has, and never a reason to doubt the certificate.
 *   CA file, certificate, credentials, anything we refused ourselves    will be the same next time.
 */
import { AuthorizationError, TimeoutError, UserAuthenticationExpiredError } from '@nats-io/transport-node';
import { isZesterError, type ZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';

/** How long a command goes on knocking where nobody listens. */
const REFUSED_MS_MAX = 3_000;

/**
 * What Node says about a certificate: `CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`,
 * `ERR_TLS_CERT_ALTNAME_INVALID`, …
 */
const CERTIFICATE = /CERT|VERIFY|SIGNATURE|ISSUER|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/;
/** How an unfinished handshake looks from here: the other end hung up, or said nothing. */
const BROKEN_OFF = /^(?:ECONNRESET|EPIPE|ETIMEDOUT|ECONNABORTED)$/;
/** The client library's words for a socket that closed without an error. */
const CLOSED_WITHOUT_REASON = /undefined error|socket disconnected/i;
/** A guest that got no turn on the processor presents its credentials too late. */
const LATE_CREDENTIALS = /authentication timeout/i;

/** Of a live connection; the client has no type of its own for it. */
const REVOKED = /authentication revoked/i;

/** A certificate that is not good at this time: by the clock of this machine, which may be what is wrong. */
const CERTIFICATE_TIME = /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/;

export interface ConnectAttempt {
  readonly servers: string;
  readonly caFile: string;
  readonly nowMs: number;
  /** When the credentials expire; undefined: never, or nobody knows. */
  readonly credentialsEndMs?: number | undefined;
}

export function connectError(cause: unknown, attempt: ConnectAttempt): ZesterError {
  if (isZesterError(cause)) return cause;
  const { servers, caFile, nowMs } = attempt;
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (isSlow(cause, code, message)) return zesterError('BUS_CONNECT_SLOW', { servers }, { cause });
  if (isRefusal(cause)) return refusal(cause, attempt);
  // The client library says so in words of its own, or in Node's; both name the file.
  if (message.includes(caFile)) return zesterError('BUS_CA_FILE', { ca: caFile }, { cause });
  if (CERTIFICATE_TIME.test(code)) {
    const verdict = code === 'CERT_NOT_YET_VALID' ? 'not valid yet' : 'expired';
    return zesterError('BUS_CERTIFICATE_TIME', { servers, verdict, now: secondsText(nowMs) }, { cause });
  }
  if (CERTIFICATE.test(code)) return zesterError('BUS_CERTIFICATE', { servers, ca: caFile }, { cause });
  return zesterError('BUS_UNREACHABLE', { servers }, { cause });
}

/** Whether the server does not take the credentials: when they are presented, or later when they run out or are revoked. */
export function isRefusal(cause: unknown): cause is Error {
  if (!(cause instanceof Error) || LATE_CREDENTIALS.test(cause.message)) return false;
  const isKnown = cause instanceof AuthorizationError || cause instanceof UserAuthenticationExpiredError;
  return isKnown || REVOKED.test(cause.message);
}

/** Whether a failure says that the server does not take the credentials. */
export function isCredentialsFailure(failure: unknown): boolean {
  return isZesterError(failure, 'BUS_CREDENTIALS') || isZesterError(failure, 'BUS_CREDENTIALS_EXPIRED');
}

/** A server that refuses says nothing of the reason. Credentials that are over by our clock, or by its word, are one; or a clock. */
function refusal(cause: Error, { servers, nowMs, credentialsEndMs: endMs }: ConnectAttempt): ZesterError {
  const isOver = endMs !== undefined && (nowMs >= endMs || cause instanceof UserAuthenticationExpiredError);
  if (!isOver) return zesterError('BUS_CREDENTIALS', { servers }, { cause });
  const times = { end: secondsText(endMs), now: secondsText(nowMs) };
  return zesterError('BUS_CREDENTIALS_EXPIRED', { servers, ...times }, { cause });
}

function secondsText(ms: number): string {
  return formatRfc3339(nanosFromMs(Math.floor(ms / 1000) * 1000));
}

function isSlow(cause: unknown, code: string, message: string): boolean {
  if (cause instanceof TimeoutError || BROKEN_OFF.test(code)) return true;
  return CLOSED_WITHOUT_REASON.test(message) || LATE_CREDENTIALS.test(message);
}

/** Whether a command that has tried for `triedMs` of its `retryForMs` should try again after this failure. */
export function isWorthAnotherTry(failure: ZesterError, triedMs: number, retryForMs: number): boolean {
  if (failure.code === 'BUS_CONNECT_SLOW') return triedMs < retryForMs;
  return failure.code === 'BUS_UNREACHABLE' && triedMs < Math.min(REFUSED_MS_MAX, retryForMs);
}
