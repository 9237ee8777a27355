import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LruMap } from './lru-map.ts';

describe('LruMap', () => {
  it('drops what was not asked for longest', () => {
    const made: string[] = [];
    const map = new LruMap<string, string>(2);
    const ask = (key: string) =>
      map.getOrMake(key, () => {
        made.push(key);
        return key.toUpperCase();
      });
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map(ask)).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
    expect(map.size).toBe(2);
  });

  it('does not keep what could not be made', () => {
    const map = new LruMap<string, string>(2);
    const broken = () => map.getOrMake('a', () => expect.unreachable());
    expect(broken).toThrow();
    expect(map.size).toBe(0);
  });

  it('forgets in the order of writing as long as it is only looked at', () => {
    const map = new LruMap<string, true>(2);
    map.set('a', true);
    map.set('b', true);
    expect([map.has('a'), map.peek('a')]).toEqual([true, true]);
    map.set('c', true);
    expect([...map.keys()]).toEqual(['b', 'c']);
  });

  it('is a list of uses, newest last, cut to its bounds in number and weight', () => {
    const use = fc.record({
      do: fc.constantFrom('set', 'get', 'delete', 'look'),
      key: fc.nat({ max: 6 }),
      weight: fc.integer({ min: 0, max: 12 }),
    });
    fc.assert(
      fc.property(fc.array(use), (uses) => {
        const bounds = { entriesMax: 3, weightMax: 10, weightOf: (weight: number) => weight };
        const map = new LruMap<number, number>(bounds);
        let model: (readonly [number, number])[] = [];
        const sum = () => model.reduce((all, [, weight]) => all + weight, 0);
        for (const { do: how, key, weight } of uses) {
          const before = model.find(([each]) => each === key);
          const others = model.filter((each) => each !== before);
          if (how === 'look')
            expect([map.has(key), map.peek(key)]).toEqual([before !== undefined, before?.[1]]);
          if (how === 'delete') {
            map.delete(key);
            model = others;
          }
          if (how === 'get') {
            expect(map.get(key)).toBe(before?.[1]);
            model = before === undefined ? others : [...others, before];
          }
          if (how === 'set') {
            map.set(key, weight);
            model = weight > 10 ? others : [...others, [key, weight]];
            while (model.length > 3 || sum() > 10) model.shift();
          }
          expect([...map.keys()]).toEqual(model.map(([each]) => each));
          expect(map.size).toBe(model.length);
        }
      }),
    );
  });
});
