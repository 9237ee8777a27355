import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dict, float, markup, outcome, tuple } from '../../../../test/harness/states/jinja-values.ts';
import { fromHost, toHost } from './from-host.ts';
import { Func } from './func.ts';
import { repr } from './print.ts';

describe('fromHost', () => {
  it.each<[unknown, string]>([
    [null, 'None'],
    [undefined, 'None'],
    [true, 'True'],
    [5, '5'],
    [-0, '0'],
    [1.5, '1.5'],
    [1e300, '1e+300'],
    [Number.NaN, 'nan'],
    [5n, '5'],
    [2n ** 64n, '18446744073709551616'],
    ['a', "'a'"],
    [[1, [2.5]], '[1, [2.5]]'],
    [{ a: 1, b: { c: null } }, "{'a': 1, 'b': {'c': None}}"],
    [Object.assign(Object.create(null), { a: 1 }), "{'a': 1}"],
    [
      new Map<unknown, unknown>([
        [1, 'a'],
        ['1', 'b'],
      ]),
      "{1: 'a', '1': 'b'}",
    ],
    [new Set([1, 2]), '{1, 2}'],
    [new Uint8Array([97]), "b'a'"],
    [[tuple(1), markup('x')], "[(1,), Markup('x')]"],
    [JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}'), "{'__proto__': {'x': 1}, 'constructor': 2}"],
  ])('%o', (data, printed) => {
    expect(repr(fromHost(data))).toBe(printed);
  });

  it.each<[string, unknown, string]>([
    ['a function', () => 1, 'a template cannot be handed a JavaScript function'],
    ['a symbol', Symbol('x'), 'a template cannot be handed a JavaScript symbol'],
    ['a class instance', new (class Car {})(), 'a template cannot be handed an instance of Car'],
    ['a regular expression', [/x/], 'a template cannot be handed an instance of RegExp'],
  ])('refuses %s', (_what, data, message) => {
    expect(outcome(() => fromHost(data))).toBe(`TypeError: ${message}`);
  });

  it('keeps what is one object one value, also where data contains itself', () => {
    const shared = [1];
    const loop: Record<string, unknown> = { a: shared, b: shared };
    loop['self'] = loop;
    const value = fromHost(loop);
    expect(repr(value)).toBe("{'a': [1], 'b': [1], 'self': {...}}");
    const back = toHost(value) as Record<string, unknown>;
    expect(back['a']).toBe(back['b']);
    expect(back['self']).toBe(back);
  });

  it('does not share lists and dicts with the host', () => {
    const host = { list: [1] };
    const value = fromHost(host);
    host.list.push(2);
    expect(repr(value)).toBe("{'list': [1]}");
  });

  it('refuses data that nests without end', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 5000; i++) deep = [deep];
    expect(outcome(() => fromHost(deep))).toMatch(/^RecursionError/);
    expect(repr(fromHost([1]))).toBe('[1]');
  });
});

describe('toHost', () => {
  it('gives plain data back', () => {
    const value = dict(['a', float(1.5)], ['b', tuple(1, markup('x'))], ['__proto__', null]);
    const data = toHost(value) as object;
    expect(Object.entries(data)).toEqual([
      ['a', 1.5],
      ['b', [1, 'x']],
      ['__proto__', null],
    ]);
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });

  it('gives a Map where a key is no text', () => {
    expect(toHost(dict([1, 'a'], [tuple(1), 'b']))).toEqual(
      new Map<unknown, unknown>([
        [1, 'a'],
        [[1], 'b'],
      ]),
    );
  });

  it('refuses what is no data', () => {
    expect(outcome(() => toHost([new Func('f', () => 1)]) as null)).toBe(
      'TypeError: a builtin_function_or_method cannot leave the template',
    );
  });

  it('keeps the order of keys that JavaScript would change, and whole floats', () => {
    const ports = dict(['443', 'https'], ['80', float(1)]);
    expect(repr(fromHost(toHost(ports)))).toBe("{'443': 'https', '80': 1.0}");
  });

  it('is undone by fromHost for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        const value = fromHost(JSON.parse(JSON.stringify(data)));
        expect(repr(fromHost(toHost(value)))).toBe(repr(value));
      }),
    );
  });
});
