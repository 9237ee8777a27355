/**
 * This page is the wire reference: records, buckets, streams, consumers, grants, as the tables in src/wire declare
 * them.
 */

import { formatDuration } from '../../src/core/duration.ts';
import { ALL_BUCKETS, type BucketSpec } from '../../src/wire/names/buckets.ts';
import {
  ADMIN_GRANT,
  AGENT_EXPORTS,
  MASTER_GRANT,
  PEEL_TEMPLATE_NAME,
  type Permissions,
  peelGrant,
} from '../../src/wire/names/grants.ts';
import { ALL_CONSUMERS, ALL_OBJECT_STORES, ALL_STREAMS } from '../../src/wire/names/streams.ts';
import { REGISTRY, type RegisteredCodec } from '../../src/wire/records/registry.ts';
import { MADE } from './made.ts';

export function wirePage(): string {
  return `${[
    '# Wire reference',
    MADE,
    'Everything on NATS is MessagePack. Records are maps; readers ignore keys they do not know and take a missing key as empty. Durations are nanoseconds (int64), times the timestamp extension, epochs uint64.',
    '## Records',
    ...REGISTRY.map(recordSection),
    '## Key-value buckets',
    table(['bucket', 'kept', 'history', 'tier', 'hints', 'peels', 'what'], ALL_BUCKETS.map(bucketRow)),
    '## Streams',
    table(
      ['stream', 'subjects', 'kept', 'at most', 'what'],
      ALL_STREAMS.map((spec) => [
        code(spec.name),
        spec.subjects.map(code).join(' '),
        formatDuration(spec.maxAgeMs),
        spec.maxMessages === 0 ? '-' : `${spec.maxMessages} messages, ${spec.maxBytes} bytes`,
        spec.doc,
      ]),
    ),
    '## Durable consumers',
    table(
      ['consumer', 'stream', 'filter', 'starts with', 'ack wait', 'deliveries', 'unacked', 'what'],
      ALL_CONSUMERS.map((spec) => [
        code(spec.name),
        code(spec.stream),
        code(spec.filter),
        spec.deliver,
        formatDuration(spec.ackWaitMs),
        spec.deliveriesMax === 0 ? 'any' : String(spec.deliveriesMax),
        String(spec.ackPendingMax),
        spec.doc,
      ]),
    ),
    '## Object stores',
    table(
      ['store', 'peels read', 'what'],
      ALL_OBJECT_STORES.map((spec) => [code(spec.name), spec.peelReadable ? 'yes' : 'no', spec.doc]),
    ),
    '## What the account of the peels sees',
    table(
      ['subject', 'kind', 'what'],
      AGENT_EXPORTS.map((each) => [code(each.subject), each.kind, each.doc]),
    ),
    '## Grants',
    grantSection('Master', MASTER_GRANT),
    grantSection('Admin', ADMIN_GRANT),
    grantSection('Peel (the server fills in its name)', peelGrant(PEEL_TEMPLATE_NAME)),
  ].join('\n\n')}\n`;
}

function recordSection({ name, doc, fields }: RegisteredCodec): string {
  if (fields === undefined) return `### ${name}\n\n${doc}`;
  const rows = Object.values(fields).map((field) => [
    code(field.key),
    field.type.label,
    field.omitEmpty === true ? 'yes' : '',
    field.doc,
  ]);
  return `### ${name}\n\n${doc}\n\n${table(['key', 'type', 'left out when empty', 'what'], rows)}`;
}

function bucketRow(spec: BucketSpec): string[] {
  const rights = [
    ...spec.peelReads.map((key) => `read ${code(key)}`),
    ...spec.peelWrites.map((key) => `write ${code(key)}`),
  ];
  return [
    code(spec.name),
    spec.ttlMs === 0 ? 'for ever' : formatDuration(spec.ttlMs),
    String(spec.history),
    spec.tier,
    spec.hints === 'none' ? '' : spec.hints,
    rights.join(', '),
    spec.doc,
  ];
}

function grantSection(name: string, grant: Permissions): string {
  const list = (subjects: readonly string[]) => subjects.map((subject) => `- ${code(subject)}`).join('\n');
  return `### ${name}\n\nPublish:\n\n${list(grant.pub)}\n\nSubscribe:\n\n${list(grant.sub)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
