/** Whatever a file says, the compiler answers with states or with problems that have a place. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compiled } from '../../../../test/harness/states/compiled-files.ts';
import type { Compilation } from './compile-input.ts';

/** Words that mean something to the compiler, in places where they do not belong. */
const WORDS = [
  'include',
  'extend',
  'exclude',
  'pkg.installed',
  'file.managed',
  'pkg',
  'installed',
  'name',
  'names',
  'require',
  'require_in',
  'prereq',
  'watch_any',
  'sls',
  'id',
  'web',
  'nginx',
  'order',
  'retry',
  'onlyif',
  'mode',
  'context',
  'use',
  '__proto__',
  'constructor',
  '',
  'a:b',
  'pkg.installed:nginx',
  '*',
  '1.10',
];

const word = fc.constantFrom(...WORDS);
const leaf = fc.oneof(word, fc.constantFrom(null, true, 0, 1.5, -7), fc.string({ maxLength: 6 }));
const { value: anyTree, map: anyMap } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.uniqueArray(fc.tuple(word, tie('value')), { maxLength: 5, selector: ([key]) => key }),
}));

/** What files mostly are, and sometimes anything. */
const mostlyMap = fc.oneof({ weight: 6, arbitrary: anyMap }, { weight: 1, arbitrary: anyTree });

/** Lists of pairs are maps, so that keys may be anything. */
function yaml(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value);
  const isMap =
    value.length > 0 &&
    value.every((item) => Array.isArray(item) && item.length === 2 && typeof item[0] === 'string');
  if (isMap)
    return `{${value.map(([key, item]) => `? ${JSON.stringify(key)}\n : ${yaml(item)}`).join(', ')}}`;
  return `[${value.map(yaml).join(', ')}]`;
}

function isSound({ states, problems, warnings }: Compilation): void {
  for (const { at, message, severity } of problems) {
    expect(severity).toBe('error');
    expect(message.trim()).not.toBe('');
    expect(at.file).not.toBe('');
  }
  expect(warnings.every(({ severity }) => severity === 'warning')).toBe(true);
  if (problems.length > 0) expect(states).toEqual([]);
  expect(new Set(states.map(({ name }) => name)).size).toBe(states.length);
}

describe('compileStates', () => {
  it('law: never throws over what a file says', async () => {
    await fc.assert(
      fc.asyncProperty(mostlyMap, mostlyMap, async (first, second) => {
        // Braces of a template would be another test: the renderer's.
        const text = (value: unknown) => `#!yaml\n${yaml(value)}\n`;
        const compilation = await compiled({ 'web.sls': text(first), 'nginx.sls': text(second) }, [
          'web',
          'nginx',
        ]);
        isSound(compilation);
        compilation.high();
      }),
      { numRuns: 200 },
    );
  });

  it('law: never throws over an id with anything below it', async () => {
    await fc.assert(
      fc.asyncProperty(word, fc.array(mostlyMap, { maxLength: 4 }), async (id, args) => {
        const list = args.map((value) => yaml(value)).join(', ');
        isSound(
          await compiled(
            `#!yaml\n? ${JSON.stringify(id)}\n: {pkg.installed: [${list}]}\nnginx: {file.managed: [{names: [${list}]}]}\n`,
          ),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('law: the same files give the same answer', async () => {
    await fc.assert(
      fc.asyncProperty(mostlyMap, async (tree) => {
        const text = `#!yaml\n${yaml(tree)}\n`;
        const { high: first, ...one } = await compiled(text);
        const { high: second, ...other } = await compiled(text);
        expect(other).toEqual(one);
        expect(second()).toEqual(first());
      }),
      { numRuns: 100 },
    );
  });

  it('law: text that is no YAML at all is a problem, not a crash', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'{}[]:-?&*!|>\'"%@`#, \n\tab~') }),
        async (text) => {
          isSound(await compiled(`#!yaml\n${text}`));
        },
      ),
      { numRuns: 300 },
    );
  });
});
