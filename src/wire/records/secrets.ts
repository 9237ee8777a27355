/**
 * A secrets record holds the secrets of one peel, under `secrets/<peel>`: where in the settings each belongs, and the
 * value sealed to that peel's curve key as `ENC[nkey,<base64>]`. A master writes, only that peel can read and open.
 * trust/ seals and opens.
 *
 * Three keys of the map are no paths, and no path can be spelled like them (a path does not begin with a blank): which
 * generation of the fleet key sealed it, which revision of `master-settings` it was made from, and a keyed fingerprint of
 * what is inside, by which a master sees without opening anything that it has nothing to do. Each is left out where it says
 * nothing: generation 1, revision 0, no fingerprint.
 */
import { bareCodec, type Codec } from '../msgpack/codec.ts';
import { mapOf } from '../msgpack/container-types.ts';
import { text } from '../msgpack/field-types.ts';
import { WireError } from '../msgpack/wire-error.ts';

export interface SealedSecrets {
  readonly generation: number;
  /** Of bucket master-settings; a record is never replaced by one of a lower revision. */
  readonly settingsRevision: number;
  /** HMAC under a key of the masters over sender, recipient and all values. */
  readonly fingerprint: string;
  /** Path to `ENC[nkey,…]`. */
  readonly sealed: Readonly<Record<string, string>>;
}

const FIRST_GENERATION = 1;
const GENERATION = ' generation';
const REVISION = ' settings revision';
const FINGERPRINT = ' fingerprint';
const COUNTER = /^(0|[1-9][0-9]{0,15})$/;
const NAME = 'SealedSecrets';

const mapCodec = bareCodec(NAME, 'Path in the settings to sealed value.', mapOf(text));

export const sealedSecretsCodec: Codec<SealedSecrets> = {
  name: NAME,
  doc: mapCodec.doc,
  encode: ({ generation, settingsRevision, fingerprint, sealed }) => {
    for (const path of Object.keys(sealed)) checkPath(path);
    return mapCodec.encode({
      ...(fingerprint === '' ? {} : { [FINGERPRINT]: fingerprint }),
      ...(generation === FIRST_GENERATION ? {} : { [GENERATION]: String(counter(String(generation))) }),
      ...(settingsRevision === 0 ? {} : { [REVISION]: String(counter(String(settingsRevision))) }),
      ...sealed,
    });
  },
  decode: (bytes) => {
    const {
      [GENERATION]: generation = String(FIRST_GENERATION),
      [REVISION]: revision = '0',
      [FINGERPRINT]: fingerprint = '',
      ...sealed
    } = mapCodec.decode(bytes);
    for (const path of Object.keys(sealed)) checkPath(path);
    return {
      generation: counter(generation),
      settingsRevision: counter(revision),
      fingerprint,
      sealed: Object.assign(Object.create(null), sealed),
    };
  },
};

function checkPath(path: string): void {
  if (path.startsWith(' ')) throw new WireError(NAME, '', 'has a path that begins with a blank');
}

function counter(digits: string): number {
  const value = Number(digits);
  if (!COUNTER.test(digits) || !Number.isSafeInteger(value))
    throw new WireError(NAME, '', 'has a counter that is none');
  return value;
}
