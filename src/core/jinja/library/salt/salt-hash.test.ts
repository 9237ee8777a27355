/** Salt's filters for hashes and encodings; the vectors are Salt's documentation's and those of the standards. */
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { failure, printed } from '../../../../../test/harness/states/printed-expression.ts';

const options = {
  host: {
    digest: (algorithm: string, bytes: Uint8Array): Uint8Array =>
      createHash(algorithm).update(bytes).digest(),
    hmac: (algorithm: string, key: Uint8Array, bytes: Uint8Array): Uint8Array =>
      createHmac(algorithm, key).update(bytes).digest(),
  },
};

describe('hashes', () => {
  it.each([
    ["'random'|md5", '7ddf32e17a6ac5ce04a8ecbf782ca509'],
    ["'abc'|sha1", 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ["'random'|sha256", 'a441b15fe9a3cf56661190a0b93b9dec7d04127288cc87250967cf3b52894d11'],
    ["'é'|sha256", '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c'],
    ["('abc'|sha512)[:16]", 'ddaf35a193617aba'],
    ["'random'|uuid", '3652b285-26ad-588e-a5dc-c2ee65edc804'],
    ["'web1.example.com'|uuid", 'f3b8c3cb-cdbe-556f-a3cc-e5b1d3639ed9'],
    ["'get salted'|hmac('shared secret', 'eBWf9bstXg+NiP5AOwppB5HMvZiYMPzEM9W5YMm/AmQ=')", 'True'],
    ["'random'|hmac('secret', 'blah')", 'False'],
    ["('get salted'|hmac_compute('shared secret'))[:8]", '78159ff5'],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression, options)).toBe(expected);
  });

  it.each([
    ['5|md5', "TypeError: expected str, bytes, or bytearray not <class 'int'>"],
    ['missing|md5', "TypeError: expected str, bytes, or bytearray not <class 'StrictUndefined'>"],
  ])('{{ %s }} fails: %s', (expression, expected) => {
    expect(failure(expression, options)).toBe(expected);
  });

  it.each([
    ["'a'|md5", 'digest'],
    ["'a'|uuid", 'digest'],
    ["'a'|hmac('b', 'c')", 'hmac'],
  ])('{{ %s }} says that the host has no %s', (expression, ability) => {
    expect(failure(expression)).toContain(`needs the host's '${ability}', which it does not provide`);
  });
});

describe('encodings', () => {
  it.each([
    ["'random'|base64_encode", 'cmFuZG9t'],
    ["'é'|base64_encode", 'w6k='],
    ["''|base64_encode", ''],
    ["'Z2V0IHNhbHRlZA=='|base64_decode", 'get salted'],
    ["'/w=='|base64_decode", "b'\\xff'"],
    ["'a b'|to_bytes", "b'a b'"],
    ["'é'|to_bytes('latin-1')", "b'\\xe9'"],
  ])('{{ %s }} is %s', (expression, expected) => {
    expect(printed(expression)).toBe(expected);
  });

  it('a text that is cut off is an error', () => {
    expect(failure("'Z2V'|base64_decode")).toBe('Error: Incorrect padding');
  });
});
