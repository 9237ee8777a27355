/**
 * Peel tags are what operators said of a peel, under `peel-tags/<peel>`: derived from its enrollment by masters, for the peel
 * itself, which chooses its settings by them. Masters go by the enrollment. Facts that an operator set may be secret, so they
 * travel sealed to the peel.
 */
import { type RecordCodec, record } from '../../msgpack/codec.ts';
import { mapOf } from '../../msgpack/container-types.ts';
import { enrollmentId, integer, text } from '../../msgpack/field-types.ts';
import type { EnrollmentId } from '../../names/ids.ts';
import { TAGS_MAX } from './enrollment.ts';

export interface PeelTags {
  readonly enrollment: EnrollmentId;
  readonly tags: Readonly<Record<string, string>>;
  /** `ENC[nkey,…]`: a msgpack map of the facts; empty: there are none. */
  readonly sealedFacts: string;
  /** Of the fleet key that sealed them; 0: there are none, or a master that did not tell it wrote them. */
  readonly generation: number;
}

export const peelTagsCodec: RecordCodec<PeelTags> = record<PeelTags>(
  'PeelTags',
  'Additive. What operators said of a peel.',
  {
    enrollment: { key: 'enrollment', type: enrollmentId, doc: 'The enrollment that says so.' },
    tags: { key: 'tags', type: mapOf(text, TAGS_MAX), doc: 'Name to value.' },
    sealedFacts: {
      key: 'sealed_facts',
      type: text,
      omitEmpty: true,
      doc: 'Facts that an operator set, sealed to the peel.',
    },
    generation: {
      key: 'generation',
      type: integer,
      omitEmpty: true,
      doc: 'Additive. Generation of the fleet key that sealed them.',
    },
  },
);
