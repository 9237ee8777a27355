/**
 * A scheduled result is a run that a peel's own scheduler started and wants recorded. The peel publishes it, stream
 * job-events keeps it, the masters' shared consumer makes a finished Job and its row of it. May be delivered twice; the
 * job's key is created once.
 */
import { type RecordCodec, record } from '../msgpack/codec.ts';
import { boolean, duration, encoded, jid, name, text, time, valueMap } from '../msgpack/field-types.ts';
import type { DurationNanos, UnixNanos } from '../msgpack/time.ts';
import type { EncodedValue, WireMap } from '../msgpack/wire-value.ts';
import type { Jid } from '../names/ids.ts';

export interface ScheduledResult {
  readonly jid: Jid;
  readonly entry: string;
  readonly module: string;
  readonly args: WireMap;
  readonly success: boolean;
  readonly error: string;
  readonly returnData: EncodedValue;
  readonly duration: DurationNanos;
  readonly timestamp: UnixNanos;
}

export const scheduledResultCodec: RecordCodec<ScheduledResult> = record<ScheduledResult>(
  'ScheduledResult',
  'A scheduled run is over.',
  {
    jid: { key: 'jid', type: jid, doc: 'Made by the peel; must be that of the subject.' },
    entry: { key: 'entry', type: name, doc: 'Name of the schedule entry.' },
    module: { key: 'module', type: name, doc: 'What was run.' },
    args: { key: 'args', type: valueMap, doc: 'With these arguments.' },
    success: { key: 'success', type: boolean, doc: 'It went well.' },
    error: { key: 'error', type: text, omitEmpty: true, doc: 'Why it failed.' },
    returnData: { key: 'return_data', type: encoded, doc: 'The ExecResponse, still encoded.' },
    duration: { key: 'duration', type: duration, doc: 'How long it ran.' },
    timestamp: { key: 'timestamp', type: time, doc: 'When it ended.' },
  },
);
