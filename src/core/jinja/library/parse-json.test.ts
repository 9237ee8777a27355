import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printed } from '../../../../test/harness/states/printed-expression.ts';
import { fromHost } from '../values/from-host.ts';
import { repr } from '../values/print.ts';
import { parseJson } from './parse-json.ts';

describe('parseJson', () => {
  it('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: 'binary', maxDepth: 2 }),
        fc.constantFrom(0, 2),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent);
          const read = parseJson(text);
          // What JavaScript prints without a point is whole in Python, however large.
          const whole: unknown = JSON.parse(text, (_, part: unknown) =>
            typeof part === 'number' && /^-?[0-9]{16,}$/.test(String(part)) ? BigInt(String(part)) : part,
          );
          expect(read === undefined ? 'nothing' : repr(read)).toBe(repr(fromHost(whole)));
        },
      ),
    );
  });

  it('what the filter json writes is read back as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        expect(printed('(data|json|load_json) == data', { variables: { data } })).toBe('True');
        expect(printed('(data|tojson|load_json) == data', { variables: { data } })).toBe('True');
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    '',
    '{',
    '[1',
    '[1,]',
    '{"a"}',
    '{"a":}',
    "'a'",
    'nul',
    '01',
    '1.',
    '.5',
    '+1',
    '"\n"',
    '"\\x"',
    '1 2',
    '[1]]',
  ])('%j is no JSON', (text) => {
    expect(parseJson(text)).toBeUndefined();
  });

  it('reads a text of a million characters', () => {
    const text = 'a\n"é'.repeat(250_000);
    expect(parseJson(JSON.stringify(text))).toBe(text);
  });
});
