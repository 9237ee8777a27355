/**
 * A secrets record holds the secrets of one peel, under `secrets/<peel>`: where in the settings each belongs, and the
 * value sealed to that peel's curve key as `ENC[nkey,<base64>]`. A master writes, only that peel can read and open.
 * trust/ seals and opens.
 */
import { bareCodec, type Codec } from '../msgpack/codec.ts';
import { mapOf } from '../msgpack/container-types.ts';
import { text } from '../msgpack/field-types.ts';

export type SealedSecrets = Readonly<Record<string, string>>;

export const sealedSecretsCodec: Codec<SealedSecrets> = bareCodec(
  'SealedSecrets',
  'Path in the settings to sealed value.',
  mapOf(text),
);
