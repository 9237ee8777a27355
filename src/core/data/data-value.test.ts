import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadYaml } from '../yaml/load-yaml.ts';
import { YamlFloat } from '../yaml/yaml-data.ts';
import { dataOfYaml } from './data-of-yaml.ts';
import { type DataMap, type DataValue, dataAt, dataEntries, dataMapOf, wireOfData } from './data-value.ts';

function read(text: string): DataMap {
  const { root } = loadYaml(text, { name: 'x' });
  return dataOfYaml(root ?? expect.fail()) as DataMap;
}

describe('data', () => {
  it('keeps keys and their order, whatever they are', () => {
    const text = '443: a\n80: b\n"22": c\nyes: d\n~: e\n1.5: f\n2.0: g\nx: h\n';
    expect(dataEntries(read(text)).map(([key]) => key)).toEqual([
      443,
      80,
      '22',
      true,
      null,
      1.5,
      new YamlFloat(2),
      'x',
    ]);
  });

  it('is a plain object where that keeps everything', () => {
    expect(read('b: 1\na: {x: [1.5, 2.0]}\n')).toEqual({ b: 1, a: { x: [1.5, new YamlFloat(2)] } });
    expect(read('"01": 1\n')).toEqual({ '01': 1 });
  });

  it('keeps any keys in any order', () => {
    const key = fc.oneof(fc.integer(), fc.string(), fc.constantFrom('1', '443', '__x', 'constructor', null));
    fc.assert(
      fc.property(fc.uniqueArray(key, { selector: (each) => `${typeof each} ${each}` }), (keys) => {
        const wanted = keys.filter((each) => each !== '__proto__');
        const map = dataMapOf(wanted.map((each, at) => [each, at] as const));
        expect(dataEntries(map)).toEqual(wanted.map((each, at) => [each, at]));
        for (const [at, each] of wanted.entries()) expect(dataAt(map, each)).toBe(at);
      }),
    );
  });

  it('finds a key that Python takes for the same', () => {
    const map = read('1: one\n"1": text\n2.0: two\n');
    const asked: readonly DataValue[] = [1, true, new YamlFloat(1), 1n, '1', 2, new YamlFloat(2), 3];
    expect(asked.map((key) => dataAt(map, key))).toEqual([
      'one',
      'one',
      'one',
      'one',
      'text',
      'two',
      'two',
      undefined,
    ]);
  });

  it('has text for keys on the wire, as JSON writes them', () => {
    expect(wireOfData(read('443: a\nyes: [2.0]\n~: {1.5: x}\n3.0: y\n'))).toEqual({
      '443': 'a',
      true: [2],
      null: { '1.5': 'x' },
      '3.0': 'y',
    });
  });
});
