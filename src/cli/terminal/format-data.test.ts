import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { arbitraryValue } from '../../../test/fixtures/go/arbitraries.ts';
import { plainData } from '../../core/plain-data.ts';
import { formatData } from './format-data.ts';

const STEERS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

describe('data for programs', () => {
  it('big integers are numbers where they fit, bytes marked base64, what is undefined is left out', () => {
    expect(plainData({ a: 5n, b: 2n ** 60n, c: Uint8Array.of(1, 2), d: undefined, e: [1n], f: NaN })).toEqual(
      {
        a: 5,
        b: '1152921504606846976',
        c: { base64: 'AQI=' },
        e: [1],
        f: 'NaN',
      },
    );
  });

  it('is JSON or YAML of the same value', async () => {
    expect(JSON.parse(await formatData({ a: [1, 'x'] }, 'json'))).toEqual({ a: [1, 'x'] });
    expect(await formatData({ a: [1, 'x'] }, 'yaml')).toBe('a:\n  - 1\n  - x\n');
  });

  it('escapes what a terminal obeys, in keys too, and keeps the value', async () => {
    const value = { 'k\u009bey': 'a\u001b[2J\u202eb\u2028c\u{e0041}', plain: 'ä 東京', lines: 'a\nb\n' };
    for (const format of ['json', 'yaml'] as const) {
      const text = await formatData(value, format);
      expect(text).not.toMatch(STEERS);
      expect(format === 'json' ? JSON.parse(text) : parse(text)).toEqual(value);
    }
    expect(await formatData(value, 'yaml')).toContain('plain: ä 東京\nlines: |\n  a\n  b\n');
  });

  it('any value comes back as it was, from harmless text', async () => {
    const hostile = fc.string({ unit: 'binary', maxLength: 60 }).filter((key) => key !== '__proto__');
    const value = fc.oneof(arbitraryValue, fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile))));
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        const data = { value: given };
        const [json, yaml] = [await formatData(data, 'json'), await formatData(data, 'yaml')];
        const wanted = JSON.parse(JSON.stringify(plainData(data)));
        expect(JSON.parse(json)).toEqual(wanted);
        // JSON has no minus zero.
        expect(JSON.parse(JSON.stringify(parse(yaml)))).toEqual(wanted);
        expect(`${json}${yaml}`).not.toMatch(STEERS);
      }),
      { numRuns: 200 },
    );
  });
});
