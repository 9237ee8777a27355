import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { float, outcome } from '../../../../../test/harness/states/jinja-values.ts';
import type { Value } from '../value.ts';
import { Float, floatText } from './float.ts';

describe('floatText', () => {
  it.each<[string, () => Value, string]>([
    ['123456.789', () => float(123456.789), '123456.789'],
    ['-1.5', () => float(-1.5), '-1.5'],
    ['1e100', () => float(1e100), '1e+100'],
    ['9.999999999999999e22', () => float(1e23), '1e+23'],
    ['1e21', () => float(1e21), '1e+21'],
    ['123456789.123', () => float(123456789.123), '123456789.123'],
    ['2.5e-5', () => float(2.5e-5), '2.5e-05'],
  ])('%s', (_python, run, printed) => {
    expect(outcome(run)).toBe(printed);
  });
});

describe('any float', () => {
  it('prints as the shortest text that reads back as itself, never as a whole number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = floatText(value);
        expect(Number(text)).toBe(value);
        expect(text).toMatch(/^-?(?:[0-9]+\.[0-9]+|[0-9](?:\.[0-9]+)?e[-+][0-9]{2,3})$/);
      }),
    );
  });

  it('is false only when it is zero', () => {
    expect([0, -0, 1, Number.NaN, Infinity].map((value) => new Float(value).truthy())).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});
