/** Reading takes steps in proportion to the text, whatever its shape: four times the lines, four times the steps. */
import { describe, expect, it } from 'vitest';
import { isZesterError } from '../errors/zester-error.ts';
import { loadYaml } from './load-yaml.ts';
import { SimpleKeys } from './simple-keys.ts';
import { YamlSource } from './yaml-source.ts';

const LINES = 2_500;

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('');

const SHAPES: Readonly<Record<string, (count: number) => string>> = {
  states: (count) =>
    lines(count / 4, (at) => `/srv/${at}:\n  file.managed:\n    - mode: '0644'\n    - text: x\n`),
  'lists as far left as their key': (count) => lines(count / 4, (at) => `k${at}:\n- a\n- b: 1\n  c: 2\n`),
  'brackets that go on further left': (count) => lines(count / 4, (at) => `k${at}:\n  a: [1,\n2,\n3]\n`),
  'one long list in brackets': (count) => `a: [${lines(count, (at) => `${at},\n`)}]\n`,
  'one long map in brackets': (count) => `a: {${lines(count, (at) => `k${at}: v,\n`)}}\n`,
  'brackets on one line': (count) => `a: [${lines(count, (at) => `x${at}, `)}]\n`,
  'brackets in brackets': (count) => `${'['.repeat(400)}${lines(count, () => 'a,\n')}${']'.repeat(400)}`,
  'plain text over many lines': (count) => `a: x\n${lines(count, (at) => `  word ${at}\n`)}`,
  'quoted text over many lines': (count) => `a: "x\n${lines(count, (at) => `word ${at}\n`)}"\n`,
  'a block of text': (count) => `a: |\n${lines(count, (at) => `  line ${at}\n`)}`,
  'a folded block': (count) => `a: >\n${lines(count, (at) => `  line ${at}\n`)}`,
  'empty lines': (count) => `a: |+\n  x\n${'\n'.repeat(count)}b: 1\n`,
  comments: (count) => `${lines(count, (at) => `# ${at}\n`)}a: 1\n`,
  merges: (count) => `d: &d {a: 1, b: 2}\n${lines(count, (at) => `k${at}: {<<: *d, x: ${at}}\n`)}`,
  'keys with question marks': (count) => lines(count / 2, (at) => `? k${at}\n: v\n`),
  'other line ends': (count) => lines(count / 2, (at) => `k${at}:\r\n  a: b\r\n`),
  'deep blocks': (count) => lines(count / 100, (part) => lines(100, (at) => `${' '.repeat(at)}k${part}:\n`)),
  'a bracket that is never closed': (count) => `a: [\n${lines(count, (at) => `k${at}: v,\n`)}`,
  'a key that is there twice': (count) => `${lines(count, (at) => `k${at}: v\n`)}k0: v\n`,
};

/** Characters looked at one by one, and searches for the beginning of a key. */
function stepsFor(text: string): number {
  const counted = [
    countCalls(YamlSource.prototype, 'unit'),
    countCalls(SimpleKeys.prototype, 'firstOpenToken'),
  ];
  try {
    loadYaml(text, { name: 'x' });
  } catch (error) {
    if (!isZesterError(error, 'YAML_INVALID')) throw error;
  } finally {
    for (const { restore } of counted) restore();
  }
  return counted.reduce((sum, { calls }) => sum + calls(), 0);
}

/** Only counts: a spy keeps every call, and there are millions. */
function countCalls<Name extends string>(
  prototype: Record<Name, (...args: never[]) => unknown>,
  name: Name,
): { readonly calls: () => number; readonly restore: () => void } {
  const original = prototype[name];
  let calls = 0;
  prototype[name] = function counting(this: unknown, ...args: never[]) {
    calls += 1;
    return original.apply(this, args);
  };
  return {
    calls: () => calls,
    restore: () => {
      prototype[name] = original;
    },
  };
}

describe('the steps of reading', () => {
  it.each(Object.entries(SHAPES))('%s', (_, shape) => {
    const few = stepsFor(shape(LINES));
    const many = stepsFor(shape(4 * LINES));
    expect(few).toBeGreaterThan(LINES / 4);
    expect(many / few).toBeLessThan(4.2);
    // And each line costs little: it is not read again and again.
    expect(many).toBeLessThan(20 * shape(4 * LINES).length);
  });
});
