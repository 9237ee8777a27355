import { describe, expect, it } from 'vitest';
import type { WireValue } from '../../wire/msgpack/wire-value.ts';
import { CONVERSIONS } from './param-values.ts';
import type { ParamType } from './params.ts';

const map: WireValue = { a: 1 };

/** What is accepted for each type and what becomes of it, and what is not. */
const CASES: {
  readonly [Type in ParamType]: { good: readonly [WireValue, unknown][]; bad: readonly WireValue[] };
} = {
  string: {
    good: [
      ['x', 'x'],
      [5, '5'],
      [5n, '5'],
      [true, 'true'],
    ],
    bad: [map, ['x'], new Uint8Array()],
  },
  integer: {
    good: [
      [5, 5],
      ['5', 5],
      ['-12', -12],
      [7n, 7],
      [5.0, 5],
    ],
    bad: ['5x', '0x10', ' 5', 5.5, '5.5', 2 ** 60, 2n ** 60n, true, map, Number.NaN],
  },
  number: {
    good: [
      ['2.5', 2.5],
      [2.5, 2.5],
      ['1e3', 1000],
    ],
    bad: ['', '1e999', Number.POSITIVE_INFINITY, 'two', false],
  },
  boolean: {
    good: [
      [true, true],
      ['Yes', true],
      ['on', true],
      [1, true],
      ['OFF', false],
      [0, false],
      ['no', false],
    ],
    bad: ['maybe', 2, 'y', map],
  },
  duration: {
    good: [
      ['90s', 90_000],
      ['1h30m', 5_400_000],
      [5, 5_000],
      ['5', 5_000],
      ['0.5', 500],
    ],
    bad: ['soon', '-5s', -5, '5 days', '9999999999999h', map],
  },
  'string-list': {
    good: [
      ['x', ['x']],
      [
        ['x', 1],
        ['x', '1'],
      ],
    ],
    bad: [[['x']], map],
  },
  'string-map': {
    good: [
      [
        { a: 1, b: 'x' },
        { a: '1', b: 'x' },
      ],
      ['A=1,B=x=y,C=', { A: '1', B: 'x=y', C: '' }],
      ['{"A": "1,2"}', { A: '1,2' }],
      [[{ A: 1 }, { B: 'x', A: 2 }], { A: '2', B: 'x' }],
    ],
    bad: ['A', 'A=1,B', '{"A": {}}', '{A}', { a: {} }, ['A=1'], [{ A: 1 }, 'B'], [{ A: {} }]],
  },
  map: {
    good: [
      [map, map],
      ['{"a": {"b": [1]}}', { a: { b: [1] } }],
    ],
    bad: ['a=1', '[1]', '{a', ['x'], 5],
  },
  mode: {
    good: [
      ['0644', 0o644],
      ['644', 0o644],
      ['0o644', 0o644],
      ['4755', 0o4755],
      [420, 0o644],
      [420n, 0o644],
      ['0', 0],
    ],
    bad: ['rw-r--r--', '0888', '77777', -1, 4096, 1.5, true, map, '0x1ff'],
  },
  template: {
    good: [
      ['jinja', true],
      ['Jinja', true],
      [true, true],
      ['no', false],
    ],
    bad: ['mako', 'py', 2, map],
  },
  data: {
    good: [[map, map]],
    bad: [],
  },
  any: {
    good: [
      [map, map],
      ['x', 'x'],
    ],
    bad: [],
  },
};

describe.each(Object.entries(CASES))('a parameter of type %s', (type, { good, bad }) => {
  const { convert } = CONVERSIONS[type as ParamType];

  it.each(good.map(([given, becomes]) => ({ given, becomes })))('takes $given', ({ given, becomes }) => {
    expect(convert(given)).toEqual(becomes);
  });

  it('takes nothing else', () => {
    for (const given of bad) expect([given, convert(given)]).toEqual([given, undefined]);
  });
});
