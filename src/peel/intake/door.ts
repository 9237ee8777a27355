/**
 * The door decides what may come in: every message is checked here before anything is kept of it. Pure, given keys and
 * time. A flood is stopped before it: a signature costs a tenth of a millisecond, and is checked within a budget
 * (check-budget.ts).
 *
 *   job      on the command subject, without a reply subject; proven by a master, for this peel (command-proof.ts)
 *   direct   on the command subject, with one; signed by an operator, with a deadline (signed-proof.ts)
 *   cancel   on the cancel subject of any job; signed by a master or an operator. Its payload is not looked at
 *
 * A proof is over the bytes as they came; nothing is decoded before it holds. Taking a job for a direct request or the
 * other way round does not help a forger: each needs its own kind of proof.
 */
import type { Message } from '../../bus/port.ts';
import type { CertificateVerdicts } from '../../trust/certificate-verdicts.ts';
import { type ProofKey, verifyCommandProof } from '../../trust/command-proof.ts';
import type { CertificateTrust } from '../../trust/operator-key.ts';
import type { ProofRefusal } from '../../trust/proof-verdict.ts';
import { verifyCancel, verifyDirect } from '../../trust/signed-proof.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { NANOS_PER_SECOND, type UnixNanos } from '../../wire/msgpack/time.ts';
import { DEADLINE_HEADER, GENERATION_HEADER, PROOF_HEADER } from '../../wire/names/headers.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { MESSAGE_BYTES_MAX } from '../../wire/names/limits.ts';
import { parseJobSubject } from '../../wire/names/subjects.ts';
import { type ExecRequest, execRequestCodec } from '../../wire/records/exec.ts';
import { parseDeadline } from '../../wire/records/proof-bytes.ts';
import { type Proof, parseProof } from '../../wire/records/proof-header.ts';

/** A direct request runs no longer than this, whatever deadline it names. */
const DIRECT_RUN_SECONDS_MAX = 3_600;

export type Arrival =
  | { readonly kind: 'job' | 'direct'; readonly request: ExecRequest; readonly bytes: number }
  | { readonly kind: 'cancel'; readonly jid: Jid; readonly bytes: number };

export type Admission = { readonly arrival: Arrival } | { readonly refused: string };

const UNKNOWN_GENERATION = 'unknown generation of the fleet key';
const UNKNOWN_OPERATOR: ProofRefusal = 'unknown operator';
/** Why something is refused that a newer key may prove. */
export const UNKNOWN_KEY: ReadonlySet<string> = new Set([UNKNOWN_GENERATION, UNKNOWN_OPERATOR]);
const GENERATION_FORM = /^[1-9][0-9]{0,8}$/;

export interface DoorTrust {
  readonly peelId: PeelId;
  /** Of one generation of the fleet key, or of all that are good. */
  readonly commandProofKeys: (generation?: number) => readonly ProofKey[];
  readonly knowsGeneration: (generation: number) => boolean;
  readonly commandKeys: () => readonly Uint8Array[];
  readonly certificates: CertificateVerdicts;
  readonly now: () => UnixNanos;
}

export function admitCommand(message: Message, trust: DoorTrust): Admission {
  if (message.data.length > MESSAGE_BYTES_MAX) return { refused: 'too large' };
  return isDirect(message) ? admitDirect(message, trust) : admitJob(message, trust);
}

/** By its reply subject: a job has none. */
export function isDirect({ reply }: Message): boolean {
  return reply !== undefined;
}

/** Which job a message on a cancel subject is about. */
export function canceledJob(subject: string): Jid | undefined {
  const parsed = parseJobSubject(subject);
  return parsed?.kind === 'cancel' ? parsed.jid : undefined;
}

export function admitCancel(message: Message, jid: Jid, trust: DoorTrust): Admission {
  const verdict = verifyCancel(proofOf(message), jid, certificateTrust(trust));
  return verdict.ok ? { arrival: { kind: 'cancel', jid, bytes: 0 } } : { refused: verdict.reason };
}

function admitJob(message: Message, trust: DoorTrust): Admission {
  const generation = generationOf(message);
  if (generation !== undefined && !trust.knowsGeneration(generation)) return { refused: UNKNOWN_GENERATION };
  const keys = trust.commandProofKeys(generation);
  const verdict = verifyCommandProof(proofOf(message), keys, trust.peelId, message.data);
  return verdict.ok ? admitted('job', message, (request) => request) : { refused: verdict.reason };
}

function admitDirect(message: Message, trust: DoorTrust): Admission {
  const now = trust.now();
  const latest = now + BigInt(DIRECT_RUN_SECONDS_MAX) * NANOS_PER_SECOND;
  const signed = parseDeadline(message.headers.get(DEADLINE_HEADER) ?? '');
  if (signed === undefined) return { refused: 'no deadline' };
  const isTooFar = signed > latest;
  const request = { peel: trust.peelId, deadline: signed, payload: message.data };
  const verdict = verifyDirect(proofOf(message), request, certificateTrust(trust));
  return verdict.ok
    ? admitted('direct', message, (asked) => ({ ...asked, deadline: isTooFar ? latest : signed }))
    : { refused: verdict.reason };
}

function admitted(
  kind: 'job' | 'direct',
  { data }: Message,
  complete: (request: ExecRequest) => ExecRequest,
): Admission {
  const request = decoded(execRequestCodec, data);
  return request.isReadable
    ? { arrival: { kind, request: complete(request.value), bytes: data.length } }
    : { refused: `cannot be decoded: ${request.problem}` };
}

function certificateTrust({ commandKeys, certificates, now }: DoorTrust): CertificateTrust {
  return { commandKeys: commandKeys(), certificates, now: now() };
}

/** Which generation the proof says that it was made with; undefined where it names none. */
function generationOf({ headers }: Message): number | undefined {
  const text = headers.get(GENERATION_HEADER) ?? '';
  return GENERATION_FORM.test(text) ? Number(text) : undefined;
}

function proofOf(message: Message): Proof | undefined {
  return parseProof(message.headers.get(PROOF_HEADER) ?? '');
}
