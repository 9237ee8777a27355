/**
 * The account documents are the signed JWTs of the accounts that every NATS server must have: `account-docs/accounts`. Grants and
 * revocations travel in the same document (decision 47). The record is the truth and changes by compare-and-set only; servers
 * get copies, and one that has another copy is put right.
 */
import { type RecordCodec, record } from '../../msgpack/codec.ts';
import { listOf } from '../../msgpack/container-types.ts';
import { integer, name, text, time } from '../../msgpack/field-types.ts';
import type { UnixNanos } from '../../msgpack/time.ts';

/** More could not be pushed in one message. */
const BANNED_KEYS_MAX = 4_096;

export interface AccountDocs {
  readonly grantsVersion: number;
  readonly control: string;
  readonly agents: string;
  readonly system: string;
  readonly updatedAt: UnixNanos;
  readonly updatedBy: string;
  /** User keys whose revocation in `agents` is only for a while: the rest is for good. */
  readonly bannedKeys: readonly string[];
}

export const accountDocsCodec: RecordCodec<AccountDocs> = record<AccountDocs>(
  'AccountDocs',
  'Additive. The account documents that every NATS server must have.',
  {
    grantsVersion: { key: 'grants_version', type: integer, doc: 'Which grants they were made from.' },
    control: { key: 'control', type: text, doc: 'JWT of account ZESTER.' },
    agents: { key: 'agents', type: text, doc: 'JWT of account AGENTS, with the revocations.' },
    system: { key: 'system', type: text, doc: 'JWT of account SYS.' },
    updatedAt: { key: 'updated_at', type: time, doc: 'When they were signed.' },
    updatedBy: { key: 'updated_by', type: name, doc: 'Which master, or `auth upgrade`.' },
    bannedKeys: {
      key: 'banned_keys',
      type: listOf(name, BANNED_KEYS_MAX),
      omitEmpty: true,
      doc: 'Revoked only for a while, by the flood guard.',
    },
  },
);
