import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasUnprintable } from '../../printable.ts';
import { readEnrollBody } from './read-request.ts';

const signature = Buffer.alloc(64, 7).toString('base64');
const body = {
  peel_id: 'web-01',
  public_key: 'U',
  curve_public_key: 'X',
  hostname: 'web-01.example',
  challenge_id: `chl-${'a'.repeat(27)}`,
  signature,
};
const read = (given: object) => readEnrollBody(JSON.stringify({ ...body, ...given }));
const problem = (given: object) => {
  const result = read(given);
  return 'problem' in result ? result.problem : undefined;
};

describe('a request to join', () => {
  it('is read with what it has', () => {
    expect(read({})).toMatchObject({
      request: {
        peelId: 'web-01',
        hostname: 'web-01.example',
        metadata: {},
        trust: undefined,
        token: undefined,
      },
    });
    const pin = `sha256:${'0'.repeat(64)}`;
    expect(
      read({ trusted_ca_spki: pin, trust_signature: signature, metadata: { os: 'debian' } }),
    ).toMatchObject({
      request: { trust: { pin }, metadata: { os: 'debian' } },
    });
  });

  it('with a key that there is not is refused, with the one that may be meant', () => {
    expect(problem({ trusted_ca_spkl: 'x' })).toBe(
      'there is no key trusted_ca_spkl; did you mean trusted_ca_spki?',
    );
    expect(readEnrollBody('{"__proto__": {}}')).toEqual({ problem: 'there is no key __proto__' });
    expect(problem({ '\u001b[2J': '' })).not.toContain('\u001b');
  });

  it.each([
    ['peel_id', '', 'peel_id is missing'],
    ['peel_id', 'a.b', 'peel_id is no peel id'],
    ['peel_id', '*', 'peel_id is no peel id'],
    ['peel_id', 7, 'peel_id is not text'],
    ['challenge_id', 'chl-1', 'challenge_id'],
    ['signature', 'AAAA', 'signature is not 64 bytes'],
    ['signature', `${signature}A`, 'signature is not 64 bytes'],
    ['metadata', [], 'metadata is not an object'],
    ['metadata', { a: 1 }, 'metadata a is not text'],
    ['metadata', { '\u001b': 'x' }, 'no name'],
    ['metadata', Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, ''])), 'more than 32'],
    ['trusted_ca_spki', 'sha256:zz', 'trusted_ca_spki'],
    ['trust_signature', signature, 'trusted_ca_spki'],
    ['trusted_ca_spki', `sha256:${'0'.repeat(64)}`, 'trust_signature'],
  ])('with %s %j is refused', (key, value, words) => {
    expect(problem({ [key]: value })).toContain(words);
  });

  it('keeps words for people short, and free of what a terminal obeys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }), (text) => {
        const result = read({ hostname: text, metadata: { note: text } });
        if ('problem' in result) return false;
        const words = [result.request.hostname, result.request.metadata.note ?? ''];
        return words.every((word) => word.length <= 256 && !hasUnprintable(word) && !word.includes('\n'));
      }),
    );
  });

  it('that is anything else is refused and never throws', () => {
    for (const text of ['', '[]', 'null', '"x"', '{', `${'['.repeat(2_000)}${']'.repeat(2_000)}`])
      expect(readEnrollBody(text)).toHaveProperty('problem');
    fc.assert(fc.property(fc.json(), (text) => 'problem' in readEnrollBody(text)));
  });
});
