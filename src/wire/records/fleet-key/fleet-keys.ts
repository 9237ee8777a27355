/**
 * These records are the generations of the fleet key (decision 46), in two places:
 *
 *   fleet-keys/generation.<n>   FleetGeneration: the seed of a generation, sealed so that only masters can open it, and how far
 *                               its rotation is. Created once, which is the rotation; changed once more, when the overlap ends.
 *                               Generation 1 has no record: it is the seed of the account.
 *   secrets/_fleet_keys         FleetKeyList: the public halves that peels go by, newest first. What is not listed is refused.
 *                               Made from the records, by any master.
 */
import { type RecordCodec, record } from '../../msgpack/codec.ts';
import { listOf } from '../../msgpack/container-types.ts';
import { choice, integer, name, optionalTime, time } from '../../msgpack/field-types.ts';
import type { UnixNanos } from '../../msgpack/time.ts';
import { type AgentsPublicKey, agentsPublicKeyCodec } from './agents-keys.ts';

/** Generations that can be good at a time; two are in practice. */
const LISTED_MAX = 32;

/** The first one has the seed of the account, and nothing names it where it can be left out. */
export const FIRST_GENERATION = 1;

export const FLEET_PHASES = ['overlap', 'final'] as const;
/** `overlap`: the generation before it is still good. */
export type FleetPhase = (typeof FLEET_PHASES)[number];

export interface FleetGeneration {
  readonly seed: string;
  readonly curve: string;
  readonly command: string;
  readonly phase: FleetPhase;
  readonly created: UnixNanos;
  readonly createdBy: string;
  /** Of the question that asked for it: the same question again is answered with this record. */
  readonly request: string;
  readonly overlapMinMs: number;
  readonly overlapMaxMs: number;
  readonly ended: UnixNanos | undefined;
}

export const fleetGenerationCodec: RecordCodec<FleetGeneration> = record<FleetGeneration>(
  'FleetGeneration',
  'Additive. One generation of the fleet key, for masters only.',
  {
    seed: { key: 'seed', type: name, doc: 'Its seed, sealed under a key that masters derive; base64url.' },
    curve: { key: 'curve', type: name, doc: 'Its curve public key, `X…`.' },
    command: { key: 'command', type: name, doc: 'Its command public key, base64url.' },
    phase: {
      key: 'phase',
      type: choice('phase', FLEET_PHASES),
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

export interface FleetPublicKey {
  readonly generation: number;
  readonly curve: string;
  readonly command: string;
  readonly since: UnixNanos | undefined;
  readonly until: UnixNanos | undefined;
}

export const fleetPublicKeyCodec: RecordCodec<FleetPublicKey> = record<FleetPublicKey>(
  'FleetPublicKey',
  'Additive. The public halves of one generation of the fleet key.',
  {
    generation: { key: 'generation', type: integer, doc: 'Its number, from 1.' },
    curve: { key: 'curve', type: name, doc: 'Curve public key, `X…`: proofs of commands, sealed secrets.' },
    command: {
      key: 'command',
      type: name,
      doc: 'Command public key, base64url: cancels, certificates of operators.',
    },
    since: { key: 'since', type: optionalTime, omitEmpty: true, doc: 'When it was made.' },
    until: { key: 'until', type: optionalTime, omitEmpty: true, doc: 'When it ends at the latest.' },
  },
);

export interface FleetKeyList {
  readonly keys: readonly FleetPublicKey[];
  /** Empty where the agents key was never rotated. */
  readonly agents: readonly AgentsPublicKey[];
  /** Over how long peels spread the renewal of credentials by an older agents key. */
  readonly renewSpreadMs: number;
}

export const fleetKeyListCodec: RecordCodec<FleetKeyList> = record<FleetKeyList>(
  'FleetKeyList',
  'Additive. The generations of the fleet key that peels go by.',
  {
    keys: {
      key: 'keys',
      type: listOf(fleetPublicKeyCodec.type, LISTED_MAX),
      doc: 'Newest first. What is not here is refused.',
    },
    agents: {
      key: 'agents',
      type: listOf(agentsPublicKeyCodec.type, LISTED_MAX),
      omitEmpty: true,
      doc: 'Keys by which credentials of peels are good, newest first: whoever has them by another than the first one renews them now.',
    },
    renewSpreadMs: {
      key: 'renew_spread_ms',
      type: integer,
      omitEmpty: true,
      doc: 'Over how many milliseconds peels spread that.',
    },
  },
);
