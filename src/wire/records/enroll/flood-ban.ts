/**
 * A flood ban keeps a peel out for a while: `flood-guard/<peel>`. The master whose flood guard noticed writes it; the master that
 * signs account documents revokes the key until the ban is over. The record stays, because the next ban of the same peel takes
 * longer. An operator may end a ban before its time; any one master answers, and the same question twice changes nothing.
 */
import { type RecordCodec, record } from '../../msgpack/codec.ts';
import { integer, name, optionalRecord, peelId, text, time } from '../../msgpack/field-types.ts';
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
  /** The operator who ended it before its time; empty: nobody did. */
  readonly liftedBy: string;
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
    liftedBy: {
      key: 'lifted_by',
      type: name,
      omitEmpty: true,
      doc: 'Who let it in again before its time; `until` is when.',
    },
  },
);

export interface PeelUnbanRequest {
  readonly peelId: PeelId;
  readonly operator: string;
}

export const peelUnbanRequestCodec: RecordCodec<PeelUnbanRequest> = record<PeelUnbanRequest>(
  'PeelUnbanRequest',
  'Additive. Let a peel in again that is kept out because it flooded the bus.',
  {
    peelId: { key: 'peel_id', type: peelId, doc: 'Whom.' },
    operator: { key: 'operator', type: name, doc: 'Who asks.' },
  },
);

export interface PeelUnbanReply {
  readonly ban: FloodBan | undefined;
  readonly error: string;
  readonly warning: string;
  readonly code: string;
}

export const peelUnbanReplyCodec: RecordCodec<PeelUnbanReply> = record<PeelUnbanReply>(
  'PeelUnbanReply',
  'Additive. A master answers about one ban.',
  {
    ban: {
      key: 'ban',
      type: optionalRecord(floodBanCodec),
      omitEmpty: true,
      doc: 'The ban as it stands now.',
    },
    error: { key: 'error', type: text, omitEmpty: true, doc: 'Why nothing was done.' },
    warning: { key: 'warning', type: text, omitEmpty: true, doc: 'Done, but not everywhere yet.' },
    code: { key: 'code', type: name, omitEmpty: true, doc: 'Code of that error.' },
  },
);
