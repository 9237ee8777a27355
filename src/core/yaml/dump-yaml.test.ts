import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dumpYaml } from './dump-yaml.ts';
import { loadYaml } from './load-yaml.ts';
import { type YamlData, YamlFloat, yamlData } from './yaml-data.ts';

describe('dumpYaml', () => {
  it('prints as PyYAML does by default', () => {
    const data: YamlData = new Map<YamlData, YamlData>([
      ['b', [1, new YamlFloat(1), 'yes', null, true]],
      ['a', new Map<YamlData, YamlData>([['x', []]])],
    ]);
    expect(dumpYaml(data)).toBe("a:\n  x: []\nb:\n- 1\n- 1.0\n- 'yes'\n- null\n- true\n");
    expect(dumpYaml(data, { flow: true, sortKeys: false })).toBe(
      "{b: [1, 1.0, 'yes', null, true], a: {x: []}}\n",
    );
  });

  it('writes what is there twice once, with an anchor', () => {
    const shared: YamlData = [1];
    expect(dumpYaml([shared, shared])).toBe('- &id001\n  - 1\n- *id001\n');
  });

  it('is read back as the same data', () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'grapheme' }).filter((text) => !/[\u0085\u2028\u2029]/.test(text)),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true }).map((value) => new YamlFloat(value)),
    );
    const data: fc.Arbitrary<YamlData> = fc.letrec<{ node: YamlData }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        scalar,
        fc.array(tie('node'), { maxLength: 4 }),
        fc
          .dictionary(fc.string(), tie('node'), { maxKeys: 4 })
          .map((entries) => new Map(Object.entries(entries))),
      ),
    })).node;
    const options = fc.record({
      flow: fc.constantFrom(true, false, 'leaves' as const),
      indent: fc.integer({ min: 2, max: 9 }),
      width: fc.integer({ min: 20, max: 100 }),
      allowUnicode: fc.boolean(),
      sortKeys: fc.constant(false),
    });
    fc.assert(
      fc.property(data, options, (value, how) => {
        const text = dumpYaml(value, how);
        expect(yamlData(loadYaml(text, { name: 'dumped' }).root)).toEqual(value);
      }),
    );
  });
});
