/**
 * This file decides whether a job that a client asks for can be taken at all, before anything is written. What comes out
 * has each target once and nothing in it that only masters may say.
 */

import { NANOS_PER_SECOND } from '../../wire/msgpack/time.ts';
import { tryEncode } from '../../wire/msgpack/try-encode.ts';
import { execRequestCodec } from '../../wire/records/exec.ts';
import { type Job, jobCodec, PROTOCOL_VERSION } from '../../wire/records/job.ts';
import { zesterError } from '../errors/zester-error.ts';
import { execRequestOf } from './exec-request.ts';

/** A day less than records are kept, so that a job is never waited for longer than its record lives. */
const TIMEOUT_DAYS_MAX = 6;
const DAY = 86_400n * NANOS_PER_SECOND;
/** The server counts headers as part of a message: expected sequence, message id or proof. */
const HEADER_BYTES = 512;
/** What a record gains on its way: epochs, owner, counts, why it failed, the event around it. */
const RECORD_GROWTH_BYTES = 1_024;

export function acceptableJob(asked: Job): Job {
  const { jid, protocol } = asked;
  if (protocol > PROTOCOL_VERSION)
    throw zesterError('MASTER_PROTOCOL', { jid, protocol, own: PROTOCOL_VERSION });
  if (asked.function === '') throw zesterError('MASTER_NO_FUNCTION', { jid });
  if (asked.targets.length === 0) throw zesterError('MASTER_NO_TARGETS', { jid });
  if (asked.timeout > BigInt(TIMEOUT_DAYS_MAX) * DAY) {
    const days = Number(asked.timeout / DAY);
    throw zesterError('MASTER_TIMEOUT_TOO_LONG', { jid, days, max: TIMEOUT_DAYS_MAX });
  }
  const { failed_reason: _notTheirs, ...metadata } = asked.metadata;
  return { ...asked, targets: [...new Set(asked.targets)], offlineAtDispatch: [], metadata };
}

/** The claim as it will fit every message it ends up in. The hint for people is what goes first when it does not. */
export function fittingClaim(claim: Job, payloadBytesMax: number): Job {
  const max = payloadBytesMax - HEADER_BYTES;
  if (recordBytes(claim) <= max && requestBytes(claim) <= max) return claim;
  const bare: Job = { ...claim, offlineAtDispatch: [] };
  const bytes = Math.max(recordBytes(bare), requestBytes(bare));
  if (bytes <= max) return bare;
  throw zesterError('MASTER_JOB_TOO_LARGE', { jid: claim.jid, targets: claim.targets.length, bytes, max });
}

function recordBytes(job: Job): number {
  return encodedBytes(() => jobCodec.encode(job)) + RECORD_GROWTH_BYTES;
}

function requestBytes(job: Job): number {
  return encodedBytes(() => execRequestCodec.encode(execRequestOf(job, Number.MAX_SAFE_INTEGER)));
}

/** What is over the contract's own limit fits nothing. */
function encodedBytes(encode: () => Uint8Array): number {
  return tryEncode(encode)?.length ?? Number.MAX_SAFE_INTEGER;
}
