/**
 * An exec request asks a peel to run something; an exec response is its answer. A request for a job comes without a
 * reply subject and may come any number of times, always with the same bytes; the peel runs it once. A direct request
 * comes with one and is answered once, with an ExecResponse.
 */
import { type RecordCodec, record } from '../msgpack/codec.ts';
import { listOf, mapOf } from '../msgpack/container-types.ts';
import {
  boolean,
  duration,
  epoch,
  integer,
  jid,
  name,
  optionalRecord,
  optionalTime,
  peelId,
  text,
  valueMap,
} from '../msgpack/field-types.ts';
import type { DurationNanos, UnixNanos } from '../msgpack/time.ts';
import type { WireMap } from '../msgpack/wire-value.ts';
import type { Jid, PeelId } from '../names/ids.ts';
import { RESULTS_MAX } from '../names/limits.ts';

export interface ExecRequest {
  readonly protocol: number;
  readonly jid: Jid;
  readonly module: string;
  readonly id: string;
  readonly args: WireMap;
  readonly epoch: number;
  readonly reactorDepth: number;
  readonly deadline: UnixNanos | undefined;
}

export const execRequestCodec: RecordCodec<ExecRequest> = record<ExecRequest>(
  'ExecRequest',
  'Run this. Master or CLI to one peel.',
  {
    protocol: { key: 'v', type: integer, omitEmpty: true, doc: 'Protocol of the sender; 0 was never set.' },
    jid: { key: 'jid', type: jid, doc: 'The job; in direct mode a fresh id per peel.' },
    module: { key: 'module', type: name, doc: 'What to run.' },
    id: { key: 'id', type: text, doc: 'The bare argument: a state, a package, a path. May be empty.' },
    args: { key: 'args', type: valueMap, doc: 'Arguments.' },
    epoch: {
      key: 'epoch',
      type: epoch,
      omitEmpty: true,
      doc: 'Exec epoch of the job; absent in direct mode.',
    },
    reactorDepth: { key: 'rdepth', type: integer, omitEmpty: true, doc: 'How many reactions led here.' },
    deadline: {
      key: 'deadline',
      type: optionalTime,
      omitEmpty: true,
      doc: 'Additive. Not started after it, cancelled at it.',
    },
  },
);

/** Which state of which file a result is of. */
export interface StateOrigin {
  readonly id: string;
  readonly sls: string;
  readonly file: string;
  readonly line: number;
}

export const stateOriginCodec: RecordCodec<StateOrigin> = record<StateOrigin>(
  'StateOrigin',
  'Additive. Which state of which file a result is of.',
  {
    id: { key: 'id', type: text, doc: 'The id of the state, as its file says.' },
    sls: { key: 'sls', type: text, omitEmpty: true, doc: 'The file as it is included; absent for a call.' },
    file: { key: 'file', type: text, omitEmpty: true, doc: 'The path of that file in the tree.' },
    line: { key: 'line', type: integer, omitEmpty: true, doc: 'Where in it the state is declared, from 1.' },
  },
);

export interface StateResult {
  readonly name: string;
  readonly changed: boolean;
  readonly diff: string;
  readonly duration: DurationNanos;
  readonly details: Readonly<Record<string, string>>;
  readonly error: string;
  readonly skipped: boolean;
  readonly skipReason: string;
  readonly data: WireMap;
  readonly state: StateOrigin | undefined;
}

export const stateResultCodec: RecordCodec<StateResult> = record<StateResult>(
  'StateResult',
  'What one state, or one function, did.',
  {
    name: { key: 'name', type: text, doc: '`<module>:<id>`, or the module of a query.' },
    changed: { key: 'changed', type: boolean, doc: 'Something was changed, or would be in a dry run.' },
    diff: { key: 'diff', type: text, doc: 'What was changed.' },
    duration: { key: 'duration', type: duration, doc: 'How long it took.' },
    details: {
      key: 'details',
      type: mapOf(text),
      doc: '`result` of a query; `stdout`, `stderr`, `exitcode` of a command.',
    },
    error: { key: 'error', type: text, omitEmpty: true, doc: 'Why it failed.' },
    skipped: { key: 'skipped', type: boolean, omitEmpty: true, doc: 'It was not run.' },
    skipReason: {
      key: 'skip_reason',
      type: text,
      omitEmpty: true,
      doc: 'Why not: `require_failed`, `onchanges_not_met`.',
    },
    data: {
      key: 'data',
      type: valueMap,
      omitEmpty: true,
      doc: 'Additive. Those of `details` that are more than text, as they are: numbers, lists, maps, bytes that are no UTF-8.',
    },
    state: {
      key: 'state',
      type: optionalRecord(stateOriginCodec),
      omitEmpty: true,
      doc: 'Additive. The state; absent for a function.',
    },
  },
);

export interface ExecResponse {
  readonly protocol: number;
  readonly peelId: PeelId;
  readonly jid: Jid;
  readonly success: boolean;
  readonly test: boolean;
  readonly results: readonly StateResult[];
  readonly error: string;
  /** The code of the error; empty where there is none, and of peels from before it. */
  readonly code: string;
  /** Revisions of the published files that were used, from start to end; 0 where none were. */
  readonly statesRevision: number;
  readonly settingsRevision: number;
}

export const execResponseCodec: RecordCodec<ExecResponse> = record<ExecResponse>(
  'ExecResponse',
  'The answer to a direct request, and `return_data` of a return.',
  {
    protocol: { key: 'v', type: integer, omitEmpty: true, doc: 'Protocol of the peel; 0 was never set.' },
    peelId: { key: 'peel_id', type: peelId, doc: 'Who answers. The subject decides, not this.' },
    jid: { key: 'jid', type: jid, doc: 'From the request.' },
    success: { key: 'success', type: boolean, doc: 'Everything went well.' },
    test: { key: 'test', type: boolean, omitEmpty: true, doc: 'It was a dry run.' },
    results: {
      key: 'results',
      type: listOf(stateResultCodec.type, RESULTS_MAX),
      doc: 'One per state, in execution order.',
    },
    error: { key: 'error', type: text, omitEmpty: true, doc: 'Why nothing, or not everything, was run.' },
    code: {
      key: 'code',
      type: name,
      omitEmpty: true,
      doc: 'Additive. The code of that error, where it is one of reference/errors.md.',
    },
    statesRevision: {
      key: 'states_rev',
      type: integer,
      omitEmpty: true,
      doc: 'Additive. Revision of the published state files that were used; absent: none were.',
    },
    settingsRevision: {
      key: 'settings_rev',
      type: integer,
      omitEmpty: true,
      doc: 'Additive. Revision of the published settings files that were used; absent: none were.',
    },
  },
);
