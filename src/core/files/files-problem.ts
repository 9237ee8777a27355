/**
 * `filesProblem` says in one line what is wrong with the files of a master or a peel, for its heartbeat. It always fits: a
 * heartbeat that cannot be written would make the living look dead. Pure.
 */
import { NAME_BYTES_MAX } from '../../wire/names/limits.ts';

export interface SetProblem {
  readonly set: string;
  /** May have several lines. */
  readonly problem: string;
}

const CUT = '…';
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Each gets an equal share of the room. Empty when there is none. */
export function filesProblem(problems: readonly SetProblem[]): string {
  const separator = '; ';
  const shareBytes = Math.floor(NAME_BYTES_MAX / Math.max(1, problems.length)) - separator.length;
  return problems
    .map(({ set, problem }) => `${set}: ${firstLines(problem)}`)
    .map((line) => cutTo(line, shareBytes))
    .join(separator);
}

/** The first line of several may say no more than how many there are. */
function firstLines(problem: string): string {
  return problem.split('\n').slice(0, 2).join(' ');
}

/** At most so many bytes in UTF-8, and no half of a character. */
function cutTo(text: string, bytesMax: number): string {
  const bytes = encoder.encode(text);
  if (bytes.length <= bytesMax) return text;
  const room = bytesMax - encoder.encode(CUT).length;
  return decoder.decode(bytes.subarray(0, room)).replace(/\ufffd+$/, '') + CUT;
}
