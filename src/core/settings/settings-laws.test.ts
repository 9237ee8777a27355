/** What holds for every tree of settings: trees by chance, with includes, keys, lists and every merge rule. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryTree } from '../../../test/harness/states/memory-tree.ts';
import { settingsInput } from '../../../test/harness/states/settings-input.ts';
import { type DataValue, dataEntries, isDataMap, keyText } from '../data/data-value.ts';
import { explainSetting } from './explain-setting.ts';
import { mergeByRule } from './merge-rule.ts';
import { resolveSettings } from './resolve-settings.ts';
import type { ResolvedSettings } from './resolved-settings.ts';

const NAMES = ['f0', 'f1', 'f2', 'f3'] as const;
const key = fc.constantFrom('a', 'b', '80');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('x', 'y', 1, true, null),
    { weight: 3, arbitrary: fc.array(fc.constantFrom('x', 'y', 1), { maxLength: 3 }) },
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const include = fc.oneof(
  fc.constantFrom(...NAMES),
  fc
    .tuple(fc.constantFrom(...NAMES), fc.constantFrom('a', 'a:b', 'k'))
    .map(([name, at]) => ({ [name]: { key: at } })),
);
const file = fc.record({
  include: fc.array(include, { maxLength: 2 }),
  data: fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }),
});
const tree = fc.record({
  files: fc.tuple(file, file, file, file),
  top: fc.array(fc.constantFrom(...NAMES), { minLength: 2, maxLength: 4 }),
  strategy: fc.constantFrom('smart', 'recurse', 'aggregate', 'overwrite'),
  lists: fc.constantFrom('replace', 'append'),
});

type Tree = typeof tree extends fc.Arbitrary<infer T> ? T : never;

/** JSON is YAML. */
function textOf({ include: includes, data }: Tree['files'][number]): string {
  return JSON.stringify({ include: includes, ...data }, null, 1);
}

function resolve({ files, top, strategy, lists }: Tree): Promise<ResolvedSettings> {
  const texts = files.map((each, i) => [`f${i}.zy`, textOf(each)]);
  return resolveSettings(
    settingsInput(
      memoryTree({
        ...Object.fromEntries(texts),
        'top.zy': JSON.stringify({ base: { '*': top } }),
        '_merge.zy': JSON.stringify({ strategy, lists }),
      }),
    ),
  );
}

/** Every path into a value, the value itself with it. */
function* pathsInto(
  given: DataValue,
  path: readonly DataValue[] = [],
): Generator<readonly [readonly DataValue[], DataValue]> {
  if (path.length > 0) yield [path, given];
  if (Array.isArray(given))
    for (const [place, item] of given.entries()) yield* pathsInto(item, [...path, place]);
  else if (isDataMap(given))
    for (const [name, inner] of dataEntries(given)) yield* pathsInto(inner, [...path, name]);
}

const asText = (path: readonly DataValue[]) => path.map(keyText).join(':');

describe('settings', () => {
  it('are the same a second time', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (given) => {
        expect((await resolve(given)).raw).toEqual((await resolve(given)).raw);
      }),
    );
  });

  it('of two lists of files are those of the first with those of the second on top, where nothing is included', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.nat(4), async (given, cut) => {
        const files = given.files.map((each) => ({ ...each, include: [] })) as unknown as Tree['files'];
        const top = [...new Set(given.top)];
        const [whole, first, second] = await Promise.all(
          [top, top.slice(0, cut), top.slice(cut)].map((names) => resolve({ ...given, files, top: names })),
        );
        if (whole === undefined || first === undefined || second === undefined) return expect.fail();
        const parts = second.layers.reduce(
          (under, { data }) => mergeByRule(under, data, whole.rule),
          first.raw,
        );
        expect(whole.raw).toEqual(parts);
      }),
    );
  });

  it('are explained as they are: the value at every path, and a file that says it', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (given) => {
        const resolved = await resolve(given);
        for (const [path, found] of pathsInto(resolved.raw)) {
          const { value: explained, setBy } = explainSetting(resolved, asText(path));
          expect(explained).toEqual(found);
          const last = setBy.at(-1) ?? expect.fail(`nobody set ${asText(path)}`);
          expect(resolved.layers).toContainEqual(last.layer);
          if (!isDataMap(found) && !Array.isArray(found)) {
            expect(setBy).toHaveLength(1);
            expect(last.value).toEqual(found);
          }
        }
      }),
    );
  });

  it('say where a file sets each of its values: at its key, or at the item of a list', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (given) => {
        for (const layer of (await resolve(given)).layers) {
          const written = textOf(given.files[Number(layer.ref.slice(1))] ?? expect.fail()).split('\n');
          for (const [path, found] of pathsInto(layer.data)) {
            const { file: name, line = 0, column = 0 } = layer.placeOf(path) ?? expect.fail();
            expect(name).toBe(layer.file);
            const here = written[line - 1]?.slice(column - 1);
            const last = path.at(-1);
            expect(here).toContain(JSON.stringify(typeof last === 'number' ? found : last));
            expect(here?.trimStart()).toBe(here);
          }
          expect(layer.placeOf(['nowhere'])).toBeUndefined();
        }
      }),
    );
  });
});
