import { describe, expect, it } from 'vitest';
import { Dict } from '../values/container/dict.ts';
import { OrderedDict } from '../values/container/ordered-dict.ts';
import { Tuple } from '../values/container/tuple.ts';
import { repr } from '../values/print.ts';
import { finalText } from './finalize.ts';

const dict = (...pairs: [string, Parameters<typeof finalText>[0]][]) => Dict.of(pairs);

/** The expected texts are Salt's. */
describe('finalText', () => {
  it('writes texts with line breaks or tabs in double quotes, where they are values of a dict', () => {
    expect(finalText(dict(['a', 'x\ny'], ['b', "it's"], ['c', 't\tx']))).toBe(
      `{'a': "x\\ny", 'b': "it's", 'c': "t\\tx"}`,
    );
    expect(finalText(['x\ny', dict(['a', 'x\ny'])])).toBe(`['x\\ny', {'a': "x\\ny"}]`);
    expect(finalText(new Tuple([dict(['a\n', dict(['b', '\n'])])]))).toBe(`({'a\\n': {'b': "\\n"}},)`);
  });

  it('folds long texts as libyaml does', () => {
    expect(finalText(dict(['t', `\n${'  x'.repeat(40)}`]))).toBe(
      `{'t': "\\n  x  x  x  x  x  x  x  x  x  x  x  x  x  x  x  x  x  x  x  x  x  x  x  x  x  x\n  \\ x  x  x  x  x  x  x  x  x  x  x  x  x  x"}`,
    );
  });

  it('is no other way to print: repr stays as it is', () => {
    const value = dict(['a', 'x\ny']);
    expect(repr(value)).toBe("{'a': 'x\\ny'}");
    expect(finalText(OrderedDict.of([['a', 1]]))).toBe("{'a': 1}");
  });

  it('has no end for what holds itself, and says so', () => {
    const list: Parameters<typeof finalText>[0][] = [1];
    list.push(list);
    expect(() => finalText(list)).toThrow('maximum recursion depth exceeded');
    expect(finalText([1])).toBe('[1]');
  });
});
