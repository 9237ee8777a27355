import { describe, expect, it } from 'vitest';
import type { WireValue } from '../../../wire/msgpack/wire-value.ts';
import { NO_ATTRIBUTES, ORDER_FIRST, ORDER_LAST } from '../compiled-state.ts';
import type { AttributeKey } from './argument-keys.ts';
import { readAttributes } from './state-attributes.ts';

function attribute(key: AttributeKey, value: WireValue): unknown {
  const { attributes, problems } = readAttributes({ [key]: value });
  return problems[0]?.message ?? attributes[key];
}

describe('readAttributes', () => {
  it('has defaults', () => {
    expect(readAttributes({})).toEqual({ attributes: NO_ATTRIBUTES, problems: [] });
    expect(readAttributes({ onlyif: null, order: '', retry: null })).toEqual({
      attributes: NO_ATTRIBUTES,
      problems: [],
    });
  });

  it('reads guards', () => {
    expect(attribute('onlyif', 'test -f /x')).toEqual(['test -f /x']);
    expect(attribute('unless', ['a', 'b'])).toEqual(['a', 'b']);
    expect(attribute('onlyif', ['a', ' '])).toBe(
      'onlyif must be a shell command or a list of them, not ["a", " "]',
    );
  });

  it('reads order', () => {
    expect([1, '7', -3n, 'first', 'last'].map((value) => attribute('order', value))).toEqual([
      1,
      7,
      -3,
      ORDER_FIRST,
      ORDER_LAST,
    ]);
    for (const value of ['frist', 1.5, ORDER_LAST + 1, [1]])
      expect(attribute('order', value)).toMatch(/^order must be first, last or a whole number between/);
  });

  it('reads retry in every form', () => {
    expect(attribute('retry', 3)).toEqual({ attempts: 3, intervalMs: 10_000 });
    expect(attribute('retry', '3')).toEqual({ attempts: 3, intervalMs: 10_000 });
    expect(attribute('retry', 0)).toBeUndefined();
    expect(attribute('retry', { attempts: 2, interval: 5 })).toEqual({ attempts: 2, intervalMs: 5_000 });
    expect(attribute('retry', [{ attempts: 2 }, { interval: '1m' }])).toEqual({
      attempts: 2,
      intervalMs: 60_000,
    });
    expect(attribute('retry', { attempts: 2, until: true })).toEqual({ attempts: 2, intervalMs: 10_000 });
    expect(attribute('retry', '{"attempts": 2}')).toEqual({ attempts: 2, intervalMs: 10_000 });
  });

  it.each<[WireValue, string]>([
    [true, 'retry must be a number of attempts, or a map with attempts and interval, not true'],
    [
      { interval: 3 },
      'retry must be a number of attempts, or a map with attempts and interval, not {interval: 3}',
    ],
    [-1, 'retry can be at most 1000 attempts, and not -1'],
    [1_001, 'retry can be at most 1000 attempts, and not 1001'],
    [{ attempts: 1, interval: 'x' }, 'retry takes an interval in seconds, or such as 30s, of at most a day'],
    [
      { attempts: 1, interval: '25h' },
      'retry takes an interval in seconds, or such as 30s, of at most a day',
    ],
    [{ attempts: 1, splay: 3 }, 'retry has no splay here: attempts and interval are what it takes'],
    [
      { attempts: 1, until: false },
      'retry always goes on until the state goes well: another until is not supported',
    ],
    [{ attempst: 1 }, 'retry takes attempts and interval, not attempst; did you mean attempts?'],
  ])('explains a retry that is wrong: %j', (value, message) => {
    expect(attribute('retry', value)).toBe(message);
  });

  it('tells all that is wrong', () => {
    const { problems } = readAttributes({ failhard: 'x', order: 'y', unless: { a: 1 } });
    expect(problems.map(({ key }) => key)).toEqual(['unless', 'order', 'failhard']);
  });
});
