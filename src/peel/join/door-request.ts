/**
 * `requestDoor` sends one request to the enrollment door of a master and reads one answer, over TLS 1.3, with a limit for everything: time,
 * bytes of the answer, bytes of its headers. A redirect is an answer like any other and is not followed.
 *
 * What goes wrong before there is an answer is a `DoorFailure`, of one of three kinds: nobody there (another master may be asked),
 * a certificate that is not good (fatal), and one that is not good at this time (fatal, and perhaps our own clock).
 */
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { DoorUrl } from '../../core/enroll/door-url.ts';
import type { Clock } from '../../runtime/clock.ts';
import { timeoutSignal } from '../../runtime/signals.ts';
import { VERSION } from '../../runtime/version.ts';
import { ENROLL_ANSWER_BYTES_MAX } from '../../wire/names/enroll-routes.ts';

/** By what the certificate of a door is judged: these CAs, those of the system, or nothing (only to look at it). */
export type DoorAnchors = readonly string[] | 'system' | 'nothing';

export interface DoorRequest {
  readonly path: string;
  /** With a body it is a POST. */
  readonly body?: string;
  readonly authorization?: string;
}

export interface DoorAnswer {
  readonly status: number;
  /** The server's clock, by its own word. */
  readonly date: string;
  readonly retryAfter: string;
  readonly body: string;
  /** Certificates of CAs that the server sent or that Node found for it, PEM. */
  readonly chain: readonly string[];
}

export type DoorFailureKind = 'unreachable' | 'certificate' | 'certificate-time' | 'answer';

/** For our own code: what becomes of it for people is said in doors.ts. */
export class DoorFailure extends Error {
  readonly kind: DoorFailureKind;
  /** Node's, where it has one. */
  readonly code: string;

  constructor(kind: DoorFailureKind, reason: string, code = '') {
    super(reason);
    this.kind = kind;
    this.code = code;
  }
}

export interface DoorLine {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** For the whole of an answer. */
  readonly answerMs?: number;
}

export const ANSWER_MS = 15_000;
const HEADER_BYTES_MAX = 16_384;
const CHAIN_MAX = 8;
/** What Node says about a certificate; as in bus/nats/connect-failure.ts. */
const CERTIFICATE = /CERT|VERIFY|SIGNATURE|ISSUER|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/;
const CERTIFICATE_TIME = /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/;

/** Throws a DoorFailure, or the reason of `signal`. */
export async function requestDoor(
  door: DoorUrl,
  asked: DoorRequest,
  anchors: DoorAnchors,
  { clock, signal, answerMs = ANSWER_MS }: DoorLine,
): Promise<DoorAnswer> {
  const limit = timeoutSignal(clock, answerMs);
  try {
    const message = await openDoor(door, asked, anchors, AbortSignal.any([signal, limit.signal]));
    return await readAnswer(message);
  } catch (cause) {
    signal.throwIfAborted();
    if (limit.signal.aborted)
      throw new DoorFailure('unreachable', `it did not answer within ${answerMs / 1000} s`);
    throw cause instanceof DoorFailure ? cause : failureOf(cause);
  } finally {
    limit.cancel();
  }
}

/** The answer as it begins; its body is still to be read. Rejects with what Node says, or with a DoorFailure. */
export function openDoor(
  door: DoorUrl,
  { path, body, authorization }: DoorRequest,
  anchors: DoorAnchors,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: door.host,
        port: door.port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        // A connection of its own: none may be used again that was judged by something else.
        agent: false,
        minVersion: 'TLSv1.3',
        rejectUnauthorized: anchors !== 'nothing',
        ...(typeof anchors === 'string' ? {} : { ca: [...anchors] }),
        ...(isIP(door.host) === 0 ? { servername: door.host } : {}),
        maxHeaderSize: HEADER_BYTES_MAX,
        headers: {
          'user-agent': `zester-peel/${VERSION}`,
          connection: 'close',
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...(authorization === undefined ? {} : { authorization }),
        },
        signal,
      },
      resolve,
    );
    asked.on('error', (cause) => reject(signal.aborted ? cause : failureOf(cause)));
    asked.end(body);
  });
}

async function readAnswer(message: IncomingMessage): Promise<DoorAnswer> {
  const chain = chainOf(message.socket as TLSSocket);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > ENROLL_ANSWER_BYTES_MAX) {
      message.destroy();
      throw new DoorFailure('answer', `it is longer than ${ENROLL_ANSWER_BYTES_MAX} bytes`);
    }
    pieces.push(piece);
  }
  const { headers, statusCode = 0 } = message;
  return {
    status: statusCode,
    date: headers.date ?? '',
    retryAfter: headers['retry-after'] ?? '',
    body: Buffer.concat(pieces).toString('utf8'),
    chain,
  };
}

function chainOf(socket: TLSSocket): string[] {
  const pems: string[] = [];
  let certificate = socket.getPeerX509Certificate();
  while (certificate !== undefined && pems.length < CHAIN_MAX) {
    if (certificate.ca) pems.push(certificate.toString());
    certificate = certificate.issuerCertificate;
  }
  return pems;
}

function failureOf(cause: unknown): DoorFailure {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  // Node's parser: what came is no HTTP, or its headers are too long.
  if (code.startsWith('HPE_')) return new DoorFailure('answer', 'it is no answer over HTTP', code);
  if (CERTIFICATE_TIME.test(code)) return new DoorFailure('certificate-time', message, code);
  return new DoorFailure(CERTIFICATE.test(code) ? 'certificate' : 'unreachable', message || code, code);
}
