/**
 * A peel asks for new credentials before its own expire, over the bus and with the key that it has: the subject says who asks, and the
 * server has checked that. It gets a new JWT for the same key. Asking twice gives two JWTs, of which the later counts longer; both
 * are good.
 */
import { type RecordCodec, record } from '../../msgpack/codec.ts';
import { name, optionalTime, text } from '../../msgpack/field-types.ts';
import type { UnixNanos } from '../../msgpack/time.ts';

export interface RenewRequest {
  /** Must be the key of the enrollment. */
  readonly publicKey: string;
}

export const renewRequestCodec: RecordCodec<RenewRequest> = record<RenewRequest>(
  'RenewRequest',
  'Additive. A peel asks for new credentials.',
  { publicKey: { key: 'public_key', type: name, doc: 'Its user key, `U…`.' } },
);

export interface RenewReply {
  readonly jwt: string;
  readonly expiresAt: UnixNanos | undefined;
  readonly error: string;
  readonly code: string;
}

export const renewReplyCodec: RecordCodec<RenewReply> = record<RenewReply>(
  'RenewReply',
  'Additive. New credentials for the same key.',
  {
    jwt: { key: 'jwt', type: text, omitEmpty: true, doc: 'The new user JWT.' },
    expiresAt: { key: 'expires_at', type: optionalTime, omitEmpty: true, doc: 'When it expires.' },
    error: { key: 'error', type: text, omitEmpty: true, doc: 'Why there are none.' },
    code: { key: 'code', type: name, omitEmpty: true, doc: 'Code of that error.' },
  },
);
