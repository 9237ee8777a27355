/**
 * This file reads the answer inside a return: what the function said on its target. A peel wrote it, so it may be
 * anything.
 */
import { type Decoded, decoded } from '../../wire/msgpack/decoded.ts';
import { ENCODED_NIL } from '../../wire/msgpack/wire-value.ts';
import { type ExecResponse, execResponseCodec } from '../../wire/records/exec.ts';
import type { Return } from '../../wire/records/job-return.ts';

/** Undefined when there is none. */
export function responseIn({ returnData }: Return): Decoded<ExecResponse> | undefined {
  const isNil = returnData.length === ENCODED_NIL.length && returnData[0] === ENCODED_NIL[0];
  return isNil ? undefined : decoded(execResponseCodec, returnData);
}
