/**
 * Shortens returns until they fit a message. What is said twice goes first: data that the texts tell as well, but for
 * its numbers. Then the longest texts are cut, each with a mark that says so; when there are too many results for that,
 * the last ones are left out and one line says how many. What a job did, succeeded in and failed at stays; what it
 * printed can be cut. Pure.
 */

import { decoded } from '../../wire/msgpack/decoded.ts';
import { tryEncode } from '../../wire/msgpack/try-encode.ts';
import { ENCODED_NIL } from '../../wire/msgpack/wire-value.ts';
import { MESSAGE_BYTES_MAX } from '../../wire/names/limits.ts';
import {
  type ExecResponse,
  execResponseCodec,
  type StateResult,
  stateResultCodec,
} from '../../wire/records/exec.ts';
import { type Return, returnCodec } from '../../wire/records/job-return.ts';
import type { OpenReturn } from './make-return.ts';

/** What NATS takes unless its operator says otherwise; taken as long as no server has told. */
const PAYLOAD_BYTES_DEFAULT = 1_048_576;
/** The server counts headers with the payload; and a master adds an outcome when it stores the row. */
const ROOM_BYTES = 2_048;
/** Texts are never cut shorter than this; then results are left out. */
const TEXT_CHARS_MIN = 256;

/** How many bytes a message may have on a server that takes `payloadBytesMax`. */
export function messageRoom(payloadBytesMax: number = PAYLOAD_BYTES_DEFAULT): number {
  return Math.min(payloadBytesMax, MESSAGE_BYTES_MAX) - ROOM_BYTES;
}

export function encodeReturnWithin(made: OpenReturn, bytesMax: number): Uint8Array {
  return firstThatFits(bytesMax, shorterReturns(made), (each) => returnCodec.encode(each));
}

/** A stored return for a server that takes less than the one it was made for. */
export function refitReturn(bytes: Uint8Array, bytesMax: number): Uint8Array {
  if (bytes.length <= bytesMax) return bytes;
  const value = returnCodec.decode(bytes);
  return encodeReturnWithin({ value, response: decodedResponse(value.returnData) }, bytesMax);
}

export function encodeResponseWithin(value: ExecResponse, bytesMax: number): Uint8Array {
  return firstThatFits(bytesMax, shorterResponses(value), (each) => execResponseCodec.encode(each));
}

function firstThatFits<T>(
  bytesMax: number,
  candidates: Iterable<T>,
  encode: (value: T) => Uint8Array,
): Uint8Array {
  let bytes: Uint8Array | undefined;
  for (const candidate of candidates) {
    bytes = tryEncode(() => encode(candidate));
    if (bytes !== undefined && bytes.length <= bytesMax) return bytes;
  }
  // Even the shortest is over a limit that no real server has.
  return bytes ?? new Uint8Array();
}

function* shorterReturns({ value, response }: OpenReturn): Generator<Return> {
  if (response === undefined) yield value;
  for (const shorter of response === undefined ? [] : shorterResponses(response)) {
    const returnData = tryEncode(() => execResponseCodec.encode(shorter));
    if (returnData !== undefined) yield { ...value, error: shorter.error, returnData };
  }
  yield { ...value, error: cut(value.error, TEXT_CHARS_MIN), returnData: ENCODED_NIL };
}

function* shorterResponses(response: ExecResponse): Generator<ExecResponse> {
  yield response;
  const told = withoutLargeData(response);
  yield told;
  for (let charsMax = longestText(told) >> 1; charsMax > TEXT_CHARS_MIN; charsMax >>= 1)
    yield withShortTexts(told, charsMax);
  const short = withShortTexts(told, TEXT_CHARS_MIN);
  yield short;
  for (let kept = response.results.length >> 1; kept > 0; kept >>= 1) yield withResults(short, kept);
  yield withResults(short, 0);
}

function withoutLargeData(response: ExecResponse): ExecResponse {
  const results = response.results.map((result) => ({
    ...result,
    data: Object.fromEntries(
      Object.entries(result.data).filter(([, value]) => ['number', 'boolean'].includes(typeof value)),
    ),
  }));
  return { ...response, results };
}

function withShortTexts(response: ExecResponse, charsMax: number): ExecResponse {
  const results = response.results.map((result) => ({
    ...result,
    diff: cut(result.diff, charsMax),
    error: cut(result.error, charsMax),
    details: Object.fromEntries(
      Object.entries(result.details).map(([key, text]) => [key, cut(text, charsMax)]),
    ),
  }));
  return { ...response, results, error: cut(response.error, charsMax) };
}

function withResults(response: ExecResponse, kept: number): ExecResponse {
  const left = response.results.length - kept;
  if (left === 0) return response;
  // Not in `error`: a return with an error counts as failed.
  const mark: StateResult = stateResultCodec.create({
    name: 'return',
    details: { shortened: `${left} of ${response.results.length} results left out: too large for a message` },
  });
  return { ...response, results: [...response.results.slice(0, kept), mark] };
}

function longestText({ results, error }: ExecResponse): number {
  const texts = results.flatMap((result) => [result.diff, result.error, ...Object.values(result.details)]);
  return texts.reduce((most, text) => Math.max(most, text.length), error.length);
}

function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  // Half a character at the end could not be encoded.
  const kept = text.slice(0, charsMax).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… [shortened by zester: ${text.length - kept.length} of ${text.length} characters left out]`;
}

/** Undefined when it is none; then only leaving it out helps. */
function decodedResponse(bytes: Uint8Array): ExecResponse | undefined {
  const response = decoded(execResponseCodec, bytes);
  return response.isReadable ? response.value : undefined;
}
