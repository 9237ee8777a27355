/** These are Salt's filters for hashes and encodings. The hashing itself is the host's. */

import { decodeBase64, encodeBase64 } from '../../../base64.ts';
import { str } from '../../values/print.ts';
import { Bytes, latin1 } from '../../values/text/bytes.ts';
import { textOf } from '../../values/text/markup.ts';
import { decodeBytes, encodeText } from '../../values/text/text-codec.ts';
import { typeName } from '../../values/type-name.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { needed } from '../host-need.ts';
import { type LibraryFunction, saltFilter, signature } from '../library-function.ts';
import { decodeUtf8, encodeUtf8 } from '../utf8.ts';

/** The namespace in which Salt makes its identifiers. */
const UUID_NAMESPACE = '91633ebf1c865e33935a28061f4b480e';

export const SALT_HASH_FILTERS: readonly LibraryFunction[] = [
  ...['md5', 'sha1', 'sha256', 'sha512'].map((name) =>
    saltFilter(name, signature(`${name}_digest`, ['instr']), ([input], render) =>
      hexText(digest(name, bytesOf(input), name, render)),
    ),
  ),
  saltFilter(
    'hmac',
    signature('hmac_signature', ['string', 'shared_secret', 'challenge_hmac']),
    ([text, secret, challenge], render) =>
      encodeBase64(hmac(text, secret, 'hmac', render)) === latin1(bytesOf(challenge)),
  ),
  saltFilter(
    'hmac_compute',
    signature('hmac_compute', ['string', 'shared_secret']),
    ([text, secret], render) => hexText(hmac(text, secret, 'hmac_compute', render)),
  ),
  saltFilter('base64_encode', signature('base64_b64encode', ['instr']), ([input]) =>
    encodeBase64(bytesOf(input)),
  ),
  saltFilter('base64_decode', signature('base64_b64decode', ['instr']), ([input]) => fromBase64(input)),
  saltFilter(
    'to_bytes',
    signature('to_bytes', ['s', ['encoding', null], ['errors', 'strict']]),
    ([value, encoding, errors]) => {
      const text = textOf(value);
      return text === undefined
        ? new Bytes(bytesOf(value))
        : encodeText(text, encoding === null ? 'utf-8' : str(encoding), str(errors));
    },
  ),
  saltFilter('uuid', signature('uuid_', ['val']), ([value], render) => {
    const text = value instanceof Bytes ? decodeBytes(value, 'utf-8', 'strict') : value;
    const name = [...hexBytes(UUID_NAMESPACE), ...bytesOf(text)];
    return uuidText(digest('sha1', Uint8Array.from(name), 'uuid', render));
  }),
];

function bytesOf(value: Value): Uint8Array {
  if (value instanceof Bytes) return value.bytes;
  const text = textOf(value);
  if (text === undefined)
    throw new PythonError('TypeError', `expected str, bytes, or bytearray not <class '${typeName(value)}'>`);
  return encodeUtf8(text);
}

function digest(algorithm: string, bytes: Uint8Array, filter: string, render: RenderContext): Uint8Array {
  return needed(render.host.digest, 'digest', `the filter '${filter}'`)(algorithm, bytes);
}

function hmac(text: Value, secret: Value, filter: string, render: RenderContext): Uint8Array {
  const compute = needed(render.host.hmac, 'hmac', `the filter '${filter}'`);
  return compute('sha256', bytesOf(secret), bytesOf(text));
}

export function hexText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function hexBytes(text: string): number[] {
  return (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
}

/** Version 5: the first 16 bytes of a SHA-1, with the version and the variant written into them. */
function uuidText(hash: Uint8Array): string {
  const bytes = hash.slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return hexText(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Bytes that are no text stay bytes. */
function fromBase64(input: Value): Value {
  const bytes = decodeBase64(latin1(bytesOf(input)));
  if (typeof bytes === 'string') throw new PythonError('Error', bytes);
  return decodeUtf8(bytes) ?? new Bytes(bytes);
}
