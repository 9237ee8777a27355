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
      'onlyif must be a shell command, true, false, or a list of these, not ["a", " "]',
    );
    expect(attribute('onlyif', true)).toEqual([true]);
    expect(attribute('unless', [false, 'a', 'true'])).toEqual([false, 'a', 'true']);
    expect(attribute('unless', [{ fun: 'test.true' }])).toMatch(/^unless takes shell commands.*no functions/);
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
    const retry = (attempts: number, intervalMs = 10_000, splayMs = 0) => ({ attempts, intervalMs, splayMs });
    expect(attribute('retry', 3)).toEqual(retry(3));
    expect(attribute('retry', '3')).toEqual(retry(3));
    expect(attribute('retry', 0)).toBeUndefined();
    expect(attribute('retry', true)).toEqual(retry(2));
    expect(attribute('retry', false)).toBeUndefined();
    expect(attribute('retry', { interval: 3 })).toEqual(retry(2, 3_000));
    expect(attribute('retry', { attempts: 2, interval: 5 })).toEqual(retry(2, 5_000));
    expect(attribute('retry', [{ attempts: 2 }, { interval: '1m' }])).toEqual(retry(2, 60_000));
    expect(attribute('retry', { attempts: 2, splay: 7 })).toEqual(retry(2, 10_000, 7_000));
    expect(attribute('retry', { attempts: 2, until: true })).toEqual(retry(2));
    expect(attribute('retry', '{"attempts": 2}')).toEqual(retry(2));
  });

  it.each<[WireValue, string]>([
    ['x', 'retry must be a number of attempts, or a map with attempts, interval and splay, not "x"'],
    [-1, 'retry can be at most 1000 attempts, and not -1'],
    [1_001, 'retry can be at most 1000 attempts, and not 1001'],
    [{ attempts: 1, interval: 'x' }, 'retry takes an interval in seconds, or such as 30s, of at most a day'],
    [
      { attempts: 1, interval: '25h' },
      'retry takes an interval in seconds, or such as 30s, of at most a day',
    ],
    [{ attempts: 1, splay: '25h' }, 'retry takes a splay in seconds, or such as 30s, of at most a day'],
    [
      { attempts: 1, until: false },
      'retry always goes on until the state goes well: another until is not supported',
    ],
    [{ attempst: 1 }, 'retry takes attempts, interval and splay, not attempst; did you mean attempts?'],
  ])('explains a retry that is wrong: %j', (value, message) => {
    expect(attribute('retry', value)).toBe(message);
  });

  it('tells all that is wrong', () => {
    const { problems } = readAttributes({ failhard: 'x', order: 'y', unless: { a: 1 } });
    expect(problems.map(({ key }) => key)).toEqual(['unless', 'order', 'failhard']);
  });
});
