/**
 * A flood ban keeps a peel out for a while: `flood-guard/<peel>`. The master whose flood guard noticed writes it; the master that
 * signs account documents revokes the key until the ban is over. The record stays for a while longer, because the next
 * ban of the same peel takes longer.
 */
import { type RecordCodec, record } from '../../msgpack/codec.ts';
import { integer, name, peelId, text, time } from '../../msgpack/field-types.ts';
import type { UnixNanos } from '../../msgpack/time.ts';
import type { PeelId } from '../../names/ids.ts';

export interface FloodBan {
  readonly peelId: PeelId;
  readonly publicKey: string;
  readonly since: UnixNanos;
  readonly until: UnixNanos;
  /** How often it was kept out lately; 1 at first. */
  readonly count: number;
  readonly reason: string;
  readonly noticedBy: string;
}

export const floodBanCodec: RecordCodec<FloodBan> = record<FloodBan>(
  'FloodBan',
  'Additive. A peel that flooded the bus is kept out for a while.',
  {
    peelId: { key: 'peel_id', type: peelId, doc: 'The peel; the same as the key.' },
    publicKey: { key: 'public_key', type: name, doc: 'Its user key.' },
    since: { key: 'since', type: time, doc: 'When it was cut off.' },
    until: { key: 'until', type: time, doc: 'When it may come back.' },
    count: { key: 'count', type: integer, doc: 'How often lately.' },
    reason: { key: 'reason', type: text, doc: 'What it did, for people.' },
    noticedBy: { key: 'noticed_by', type: name, doc: 'Which master noticed.' },
  },
);
