import { describe, expect, it } from 'vitest';
import { formatData, plainData } from './output.ts';

describe('data for programs', () => {
  it('big integers are numbers where they fit, bytes base64, what is undefined is left out', () => {
    expect(plainData({ a: 5n, b: 2n ** 60n, c: Uint8Array.of(1, 2), d: undefined, e: [1n] })).toEqual({
      a: 5,
      b: '1152921504606846976',
      c: 'AQI=',
      e: [1],
    });
  });

  it('is JSON or YAML of the same value', async () => {
    expect(JSON.parse(await formatData({ a: [1, 'x'] }, 'json'))).toEqual({ a: [1, 'x'] });
    expect(await formatData({ a: [1, 'x'] }, 'yaml')).toBe('a:\n  - 1\n  - x\n');
  });
});
