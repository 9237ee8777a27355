/**
 * These records are the generations of the agents key, which signs the credentials of peels (decision 46), in two places:
 *
 *   fleet-keys/agents.<n>   AgentsGeneration: the seed of a generation, sealed so that only masters can open it, and how far its
 *                           rotation is. Created once, which is the rotation; changed once more, when the overlap ends.
 *                           Generation 1 has no record: it is agents-signing.seed of the auth directory.
 *   secrets/_fleet_keys     AgentsPublicKey: the public halves that NATS servers accept, for peels, which then know whether
 *                           theirs were signed by the newest.
 */
import { type RecordCodec, record } from '../../msgpack/codec.ts';
import { choice, integer, name, optionalTime, time } from '../../msgpack/field-types.ts';
import type { UnixNanos } from '../../msgpack/time.ts';

const AGENTS_PHASES = ['overlap', 'final'] as const;

export interface AgentsGeneration {
  readonly seed: string;
  readonly publicKey: string;
  /** `overlap`: the generation before it is still good. */
  readonly phase: (typeof AGENTS_PHASES)[number];
  readonly created: UnixNanos;
  readonly createdBy: string;
  /** Of the question that asked for it: the same question again is answered with this record. */
  readonly request: string;
  readonly overlapMinMs: number;
  readonly overlapMaxMs: number;
  readonly ended: UnixNanos | undefined;
}

export const agentsGenerationCodec: RecordCodec<AgentsGeneration> = record<AgentsGeneration>(
  'AgentsGeneration',
  'Additive. One generation of the agents key, for masters only.',
  {
    seed: { key: 'seed', type: name, doc: 'Its seed, sealed under a key that masters derive; base64url.' },
    publicKey: { key: 'public_key', type: name, doc: 'Its public key, `A…`.' },
    phase: {
      key: 'phase',
      type: choice('phase', AGENTS_PHASES),
      doc: '`overlap` while the generation before it is still good, then `final`.',
    },
    created: { key: 'created', type: time, doc: 'When the rotation began.' },
    createdBy: { key: 'created_by', type: name, doc: 'Who asked for it.' },
    request: { key: 'request', type: name, doc: 'Id of the question that asked for it.' },
    overlapMinMs: { key: 'overlap_min_ms', type: integer, doc: 'The overlap ends no earlier than this.' },
    overlapMaxMs: { key: 'overlap_max_ms', type: integer, doc: 'The overlap ends no later than this.' },
    ended: { key: 'ended', type: optionalTime, omitEmpty: true, doc: 'When the overlap ended.' },
  },
);

export interface AgentsPublicKey {
  readonly generation: number;
  readonly publicKey: string;
}

export const agentsPublicKeyCodec: RecordCodec<AgentsPublicKey> = record<AgentsPublicKey>(
  'AgentsPublicKey',
  'Additive. The public half of one generation of the agents key.',
  {
    generation: { key: 'generation', type: integer, doc: 'Its number, from 1.' },
    publicKey: { key: 'public_key', type: name, doc: 'Its public key, `A…`.' },
  },
);
