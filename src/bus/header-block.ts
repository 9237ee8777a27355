/**
 * A header block is the form in which headers travel: a version line, perhaps with a status, then `Name: value` lines.
 *
 * Whoever may publish may put any bytes here, and a server stores and hands them on as they are. So nothing in a block
 * can make this fail: a line that is none is passed over, and of a name that stands twice the last one counts, because
 * what the server adds comes after what the sender wrote. And a status line counts only where the server itself is
 * speaking: a stored message can carry one too, and must not be taken for "not found".
 */
import { SEQUENCE_HEADER, STREAM_HEADER } from '../wire/names/headers.ts';
import { isDeliverySubject } from '../wire/names/jetstream.ts';
import type { Headers } from './port.ts';

export interface HeaderBlock {
  readonly headers: Headers;
  /** Set on what the server made itself: 503 no responders, 404 no message, 100 heartbeat … */
  readonly status: number | undefined;
  readonly statusText: string;
}

/** Bytes that headers add to a message. */
export function headerBytes(headers: Headers | undefined): number {
  if (headers === undefined || headers.size === 0) return 0;
  let bytes = VERSION.length + 2 * LINE_END.length;
  for (const [name, value] of headers)
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value) + ': \r\n'.length;
  return bytes;
}

const LINE_END = '\r\n';
const VERSION = 'NATS/1.0';
const SPACE = 0x20;
const STATUS_LINE = /^NATS\/1\.0 +(\d{3})(?: +(.*))?$/;

/** False for a block whose first line is the version alone, which is almost every one: no need to parse it for this. */
export function mayHaveStatus(block: Uint8Array): boolean {
  return block[VERSION.length] === SPACE;
}

/** `reply`: where the message wants its answer; a delivery of a consumer is known by it. */
export function parseHeaderBlock(block: string, reply: string | undefined): HeaderBlock {
  const [first = '', ...lines] = block.split(LINE_END);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const isStored = isDeliverySubject(reply) || (headers.has(STREAM_HEADER) && headers.has(SEQUENCE_HEADER));
  const [, code, statusText = ''] = (isStored ? null : STATUS_LINE.exec(first)) ?? [];
  return { headers, status: code === undefined ? undefined : Number(code), statusText };
}
