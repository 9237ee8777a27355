import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSubjectName } from './subject-names.ts';

const read = (text: string) => {
  const name = parseSubjectName(text);
  return name.kind === 'dns' ? name.name : Buffer.from(name.address).toString('hex');
};

describe('parseSubjectName', () => {
  it('tells addresses from names', () => {
    expect(read('10.0.0.255')).toBe('0a0000ff');
    expect(read('::1')).toBe(`${'00'.repeat(15)}01`);
    expect(read('2001:DB8::ff00:42:8329')).toBe('20010db8000000000000ff0000428329');
    expect(read('1:2:3:4:5:6:7:8')).toBe('00010002000300040005000600070008');
    expect(read('::ffff:10.0.0.1')).toBe(`${'00'.repeat(10)}ffff0a000001`);
    expect(read('::')).toBe('00'.repeat(16));
    expect(read('Localhost')).toBe('localhost');
    expect(read('nats-1.example.com')).toBe('nats-1.example.com');
    expect(read('*.example.com')).toBe('*.example.com');
  });

  it('refuses what is neither, above all addresses with a mistake in them', () => {
    const wrong = [
      '',
      '256.0.0.1',
      '1.2.3',
      '1.2.3.04',
      '1:2:3:4:5:6:7',
      '1::2::3',
      ':::',
      '1:2:3:4:5:6:7:8:9',
    ];
    const alsoWrong = [
      'fe80::1%eth0',
      '[::1]',
      'host:4222',
      'a..b',
      '.a',
      'a.',
      '-a',
      'a-',
      'a b',
      'a/b',
      'ä.example',
    ];
    const wildWrong = ['*', 'a.*.b', '*a.b', 'x\0y', 'a\n', `${'a'.repeat(64)}.b`, `${'a.'.repeat(127)}a`];
    for (const text of [...wrong, ...alsoWrong, ...wildWrong])
      expect(() => parseSubjectName(text), JSON.stringify(text)).toThrow(
        /neither a DNS name nor an IP address/,
      );
  });

  it('calls an address what node calls one', () => {
    const group = fc.constantFrom('0', '1', 'ff', 'abcd', '12345', 'g', '', '1.2.3.4', '01.2.3.4');
    const ipLike = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.array(group, { maxLength: 9 }).map((g) => g.join(':')),
    );
    fc.assert(
      fc.property(ipLike, (text) => {
        let kind: string | undefined;
        try {
          kind = parseSubjectName(text).kind;
        } catch {
          kind = undefined;
        }
        expect(kind === 'ip', text).toBe(isIP(text) !== 0);
      }),
      { numRuns: 3_000 },
    );
  });
});
