import { describe, expect, it } from 'vitest';
import { WireTime } from '../../wire/msgpack/time.ts';
import { printValue, showValue } from './print-value.ts';

describe('printValue', () => {
  it('prints text as it is', () => {
    expect(printValue('two\nlines: #1')).toBe('two\nlines: #1');
  });

  it('prints structures as YAML with sorted keys', () => {
    const value = {
      zone: 'eu',
      empty: {},
      none: null,
      list: ['a', ['b', 'c'], { x: 1, y: [] }],
      nested: { deep: { n: 1.5, big: 2n ** 60n } },
      time: new WireTime(0n),
      bytes: Uint8Array.of(1, 2),
    };
    expect(printValue(value)).toBe(
      [
        'bytes: !!binary AQI=',
        'empty: {}',
        'list:',
        '  - a',
        '  - - b',
        '    - c',
        '  - x: 1',
        '    y: []',
        'nested:',
        '  deep:',
        '    big: 1152921504606846976',
        '    n: 1.5',
        'none: null',
        'time: 1970-01-01T00:00:00Z',
        'zone: eu',
      ].join('\n'),
    );
  });

  it('puts text in quotes that YAML would read as something else', () => {
    const quoted = [
      '12',
      '1.5',
      'yes',
      'Null',
      '',
      ' x',
      'a: b',
      'a #b',
      '- x',
      'x:',
      '"',
      'a\nb',
      '0x1f',
      '::1',
      '12:30',
    ];
    for (const text of quoted) expect(printValue([text])).toBe(`- ${JSON.stringify(text)}`);
    for (const text of ['web', 'Debian 12', '/var/log', '10.0.0.1', 'http://a/b', 'a-b_c.d', 'X86 (64)'])
      expect(printValue([text])).toBe(`- ${text}`);
    expect(printValue({ 'a: b': 'x' })).toBe('"a: b": x');
  });
});

describe('showValue', () => {
  it('is one short line', () => {
    expect(showValue({ b: [1, 'x'], a: 'two\nlines' })).toBe('{a: "two\\nlines", b: [1, "x"]}');
    expect(showValue('x'.repeat(500)).length).toBeLessThan(100);
  });
});
