/**
 * `diffSources` and `diffMirror` tell what differs from what is published: in the directories of the publisher, and on the
 * disk of a peel. Each of them compares by itself, because only it has the files; nothing is changed by it.
 *
 * A peel is asked directly, for the function `files.diff`, and answers with a list of records like those of a publisher. It
 * may say anything: what is no such record is FILES_PEEL_FAILED.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { outcomeOf } from '../../core/jobs/target-row.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { encodeValue } from '../../wire/msgpack/msgpack-encode.ts';
import type { WireValue } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import {
  type FilesDifference,
  type FilesDiffReply,
  filesDifferenceCodec,
} from '../../wire/records/fileserver.ts';
import type { Row } from '../../wire/records/job-return.ts';
import { QUESTIONS } from '../ask.ts';
import type { ClientContext } from '../client-context.ts';
import { askPeel } from '../direct/ask-peel.ts';
import { responseIn } from '../jobs/return-response.ts';
import { askPublisher } from './ask-publisher.ts';

const ANSWER_MS = 35_000;
const PEEL_ANSWER_MS = 30_000;
const DIFF_FUNCTION = 'files.diff';
/** A peel has two sets; more would be no answer to this question. */
const PEEL_SETS_MAX = 16;

/** `set` empty: all of them. */
export function diffSources(client: ClientContext, set: string): Promise<FilesDiffReply> {
  return unlessAborted(askPublisher(client, QUESTIONS.filesDiff, { set }, ANSWER_MS), client.signal);
}

/** FILES_PEEL_SILENT when it does not answer, FILES_PEEL_FAILED when it cannot tell. */
export async function diffMirror(
  client: ClientContext,
  peel: PeelId,
  set: string,
): Promise<readonly FilesDifference[]> {
  const call = { functionName: DIFF_FUNCTION, id: set, args: {}, timeoutMs: PEEL_ANSWER_MS };
  return differencesIn(peel, await askPeel(client, call, peel));
}

function differencesIn(peel: PeelId, row: Row): readonly FilesDifference[] {
  const outcome = outcomeOf(row);
  if (outcome === 'unreachable' || outcome === 'running')
    throw zesterError('FILES_PEEL_SILENT', { peel, reason: row.error });
  const failed = (reason: string, code = '') =>
    zesterError('FILES_PEEL_FAILED', { peel, reason }, { reasonCode: code });
  const response = responseIn(row);
  if (response?.isReadable !== true) throw failed(row.error || 'it said nothing');
  const { success, error, code, results } = response.value;
  const [result] = results;
  if (!success || result === undefined) throw failed(error || result?.error || 'it does not say why', code);
  const sets = differencesOf(result.data.result);
  if (sets === undefined) throw failed('its answer is no list of differences');
  return sets;
}

function differencesOf(value: WireValue | undefined): readonly FilesDifference[] | undefined {
  if (!Array.isArray(value) || value.length > PEEL_SETS_MAX) return undefined;
  const read = (value as readonly WireValue[]).map((each) =>
    decoded(filesDifferenceCodec, encodeValue(each)),
  );
  const sets = read.flatMap((each) => (each.isReadable ? [each.value] : []));
  return sets.length === value.length ? sets : undefined;
}
