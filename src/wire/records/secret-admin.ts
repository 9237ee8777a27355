/**
 * Secret admin records are what operators ask the publisher of files about secrets, and its answers. A value travels only
 * sealed to the fleet key (`trust/fleet-seal.ts`), towards the masters; no answer ever has one.
 */
import { type RecordCodec, record } from '../msgpack/codec.ts';
import { listOf } from '../msgpack/container-types.ts';
import { boolean, integer, masterId, name, text } from '../msgpack/field-types.ts';
import type { MasterId } from '../names/ids.ts';

export interface SecretSetRequest {
  readonly file: string;
  readonly path: string;
  readonly sealed: string;
  readonly mustExist: boolean;
  readonly user: string;
}

export const secretSetRequestCodec: RecordCodec<SecretSetRequest> = record<SecretSetRequest>(
  'SecretSetRequest',
  'Additive. Put this value into a settings file of the publisher.',
  {
    file: { key: 'file', type: name, doc: 'Path of the settings file in its tree.' },
    path: { key: 'path', type: name, doc: 'The setting, with dots: `database.password`.' },
    sealed: { key: 'sealed', type: text, doc: 'The value, sealed to the fleet key.' },
    mustExist: {
      key: 'must_exist',
      type: boolean,
      omitEmpty: true,
      doc: 'Only replace a secret that is there: a rotation.',
    },
    user: { key: 'user', type: name, omitEmpty: true, doc: 'Who asks, for the log.' },
  },
);

export interface SecretListRequest {
  /** Only those of this peel; empty: all. */
  readonly peel: string;
}

export const secretListRequestCodec: RecordCodec<SecretListRequest> = record<SecretListRequest>(
  'SecretListRequest',
  'Additive. Which secrets are there?',
  { peel: { key: 'peel', type: name, omitEmpty: true, doc: 'Only those that this peel gets.' } },
);

export interface SecretReencryptRequest {
  readonly peel: string;
}

export const secretReencryptRequestCodec: RecordCodec<SecretReencryptRequest> =
  record<SecretReencryptRequest>(
    'SecretReencryptRequest',
    'Additive. Seal secrets anew, also where nothing changed.',
    { peel: { key: 'peel', type: name, omitEmpty: true, doc: 'Only for this peel; empty: for all.' } },
  );

/** One secret, without its value. */
export interface SecretListing {
  /** As in placeholders: the path in the settings, with its file where two files have the same path. */
  readonly path: string;
  readonly file: string;
  readonly line: number;
  readonly sealedAtRest: boolean;
  readonly peels: readonly string[];
}

const SECRETS_MAX = 100_000;

export const secretListingCodec: RecordCodec<SecretListing> = record<SecretListing>(
  'SecretListing',
  'Additive. One secret, without its value.',
  {
    path: { key: 'path', type: text, doc: 'Its path in the settings.' },
    file: { key: 'file', type: text, doc: 'The settings file that has it.' },
    line: { key: 'line', type: integer, doc: 'Where in that file, from 1.' },
    sealedAtRest: {
      key: 'sealed_at_rest',
      type: boolean,
      omitEmpty: true,
      doc: 'The source tree holds it sealed to the fleet key, not as text.',
    },
    peels: { key: 'peels', type: listOf(name, SECRETS_MAX), doc: 'Known peels that get it, sorted.' },
  },
);

export interface SecretReply {
  readonly master: MasterId;
  readonly secrets: readonly SecretListing[];
  /** Peels that were sealed for by this request. */
  readonly sealed: number;
  readonly settingsRevision: number;
  /** Peels that get the secret and for which the store does not have it sealed. */
  readonly unsealed: readonly string[];
  /** The value took the place of one that stood in the file as plain text. */
  readonly wasPlain: boolean;
  readonly error: string;
  readonly code: string;
}

export const secretReplyCodec: RecordCodec<SecretReply> = record<SecretReply>(
  'SecretReply',
  'Additive. The publisher answers a question about secrets.',
  {
    master: { key: 'master', type: masterId, doc: 'Who answers.' },
    secrets: { key: 'secrets', type: listOf(secretListingCodec.type, SECRETS_MAX), doc: 'Without values.' },
    sealed: { key: 'sealed', type: integer, omitEmpty: true, doc: 'Peels that were sealed for anew.' },
    settingsRevision: {
      key: 'settings_rev',
      type: integer,
      omitEmpty: true,
      doc: 'Revision of the settings that holds it.',
    },
    unsealed: {
      key: 'unsealed',
      type: listOf(name, SECRETS_MAX),
      doc: 'Peels that get it and for which it is not sealed yet.',
    },
    wasPlain: {
      key: 'was_plain',
      type: boolean,
      omitEmpty: true,
      doc: 'It took the place of a value that stood in the file as plain text.',
    },
    error: { key: 'error', type: text, omitEmpty: true, doc: 'Why it could not be done.' },
    code: {
      key: 'code',
      type: name,
      omitEmpty: true,
      doc: 'The code of that error, as in reference/errors.md.',
    },
  },
);
