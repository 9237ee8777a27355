/**
 * These records are the dry run of the reactor's rules: the CLI asks on zester.reactor.test, one master answers from
 * the rules it has loaded.
 */
import { type RecordCodec, record } from '../msgpack/codec.ts';
import { listOf } from '../msgpack/container-types.ts';
import { text, valueMap } from '../msgpack/field-types.ts';
import type { WireMap } from '../msgpack/wire-value.ts';

export interface ReactorTestRequest {
  readonly key: string;
  readonly data: WireMap;
}

export const reactorTestRequestCodec: RecordCodec<ReactorTestRequest> = record<ReactorTestRequest>(
  'ReactorTestRequest',
  'What would happen on this event?',
  {
    key: { key: 'key', type: text, doc: 'Match key: `<origin>/<tag>`.' },
    data: { key: 'data', type: valueMap, omitEmpty: true, doc: 'Data of the event.' },
  },
);

export interface ReactorTestMatch {
  readonly rule: string;
  readonly actions: readonly string[];
  readonly errors: readonly string[];
}

export const reactorTestMatchCodec: RecordCodec<ReactorTestMatch> = record<ReactorTestMatch>(
  'ReactorTestMatch',
  'One rule that matches.',
  {
    rule: { key: 'rule', type: text, doc: 'The rule.' },
    actions: { key: 'actions', type: listOf(text), omitEmpty: true, doc: 'What it would do.' },
    errors: { key: 'errors', type: listOf(text), omitEmpty: true, doc: 'Why it would not.' },
  },
);

export interface ReactorTestResponse {
  readonly matched: readonly ReactorTestMatch[];
  readonly error: string;
}

export const reactorTestResponseCodec: RecordCodec<ReactorTestResponse> = record<ReactorTestResponse>(
  'ReactorTestResponse',
  'This.',
  {
    matched: {
      key: 'matched',
      type: listOf(reactorTestMatchCodec.type),
      omitEmpty: true,
      doc: 'In order of the rules.',
    },
    error: { key: 'err', type: text, omitEmpty: true, doc: 'Why it cannot be told.' },
  },
);
