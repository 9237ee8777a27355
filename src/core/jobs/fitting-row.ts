/**
 * `fittingRow` shortens a row that would not fit a message. A peel shortens what is too large for one, but a row carries
 * a few bytes more than the return it is made of, and the server counts headers too: a return of just the right size
 * would otherwise end the connection of every master that tries to store it. What the peel did stays; what it printed is
 * replaced by a line that says so.
 */

import { MESSAGE_BYTES_MAX } from '../../wire/names/limits.ts';
import { execResponseCodec, stateResultCodec } from '../../wire/records/exec.ts';
import type { Row } from '../../wire/records/job-return.ts';

const ERROR_CHARS_MAX = 4_096;
/** Subject, headers, and everything of a row but its data and its error. */
const ROW_OVERHEAD_BYTES = 2_048;
/** In UTF-8 a UTF-16 unit takes at most this much. */
const BYTES_PER_UNIT_MAX = 3;

export function fittingRow(row: Row, payloadBytesMax: number): Row {
  const bytes = row.returnData.length + row.error.length * BYTES_PER_UNIT_MAX + ROW_OVERHEAD_BYTES;
  return bytes <= Math.min(payloadBytesMax, MESSAGE_BYTES_MAX) ? row : shortened(row);
}

function shortened(row: Row): Row {
  const result = `(${row.returnData.length} bytes: too large to be stored)`;
  const response = execResponseCodec.create({
    peelId: row.peelId,
    jid: row.jid,
    success: row.success,
    results: [stateResultCodec.create({ name: 'return', details: { result } })],
  });
  return {
    ...row,
    returnData: execResponseCodec.encode(response),
    error: row.error.slice(0, ERROR_CHARS_MAX),
  };
}
