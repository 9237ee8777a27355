import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { isZesterError } from '../errors/zester-error.ts';
import { decodeArguments, takeDryRun } from './decode-arguments.ts';
import { optional, type Params, required, type ValuesOf, withDefault } from './params.ts';

const params = {
  command: required('string', { primary: true, aliases: ['cmd'], doc: '' }),
  count: withDefault('integer', 3, { doc: '' }),
  timeout: optional('duration', { doc: '' }),
  token: optional('integer', { sensitive: true, doc: '' }),
};

const decode = (args: WireMap, id = '') => decodeArguments('demo.run', params, { id, args });

function problemOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isZesterError(error, 'MODULE_BAD_ARGUMENTS')) return error.message;
    throw error;
  }
  return 'no problem';
}

describe('decodeArguments', () => {
  it('gives values the types of their declaration', () => {
    const values = decode({ command: 'ls', timeout: '90s' });
    expect(values).toEqual({ command: 'ls', count: 3, timeout: 90_000, token: undefined });
    expectTypeOf(values).toEqualTypeOf<{
      readonly command: string;
      readonly count: number;
      readonly timeout: number | undefined;
      readonly token: number | undefined;
    }>();
    expectTypeOf<ValuesOf<{ x: ReturnType<typeof required<'string-map'>> }>>().toEqualTypeOf<{
      readonly x: Readonly<Record<string, string>>;
    }>();
  });

  it.each([
    ['its name', { command: 'ls' }, ''],
    ['an alias', { cmd: 'ls' }, ''],
    ['name', { name: 'ls' }, ''],
    ['the bare argument', {}, 'ls'],
    ['two names with one value', { name: 'ls' }, 'ls'],
    ['its alias, where its name is empty', { command: '', cmd: 'ls' }, ''],
    ['its alias, where its name is nothing', { command: null, cmd: 'ls' }, ''],
  ])('finds the primary parameter under %s', (_, args, id) => {
    expect(decode(args, id).command).toBe('ls');
  });

  it('says what is missing, twice there, of the wrong type or unknown, all at once', () => {
    expect(problemOf(() => decode({ comand: 'ls', count: 'many', timeout: 'soon', zzz: 1 }))).toBe(
      'demo.run: it has no parameter comand, did you mean command?; ' +
        'it has no parameter zzz, it takes command, count, timeout, token; ' +
        'command is missing; ' +
        'count must be a whole number, not "many"; ' +
        'timeout must be a duration such as 90s, 10m or 1h30m, not "soon"',
    );
    expect(problemOf(() => decode({ cmd: 'a' }, 'b'))).toBe(
      'demo.run: command was given twice, as cmd and as the bare argument',
    );
  });

  it('refuses a bare argument that nobody takes, and name with it', () => {
    const none = (args: WireMap, id: string) => () => decodeArguments('demo.none', {}, { id, args });
    expect(problemOf(none({}, 'web'))).toBe('demo.none: it takes no bare argument, but "web" was given');
    expect(problemOf(none({ name: 'web' }, ''))).toBe('demo.none: it has no parameter name, it takes none');
  });

  it('does not show the value of a sensitive parameter', () => {
    expect(problemOf(() => decode({ token: 'hunter2' }, 'ls'))).toBe(
      'demo.run: token must be a whole number, not what was given',
    );
  });

  it('is not fooled by names that every object has', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      const args = Object.defineProperty({}, name, { value: 'x', enumerable: true }) as WireMap;
      expect(problemOf(() => decode(args, 'ls'))).toContain(`it has no parameter ${name}`);
    }
    const odd: Params = { constructor: optional('string', { doc: '' }) };
    expect(decodeArguments('demo.odd', odd, { id: '', args: {} })).toEqual({ constructor: undefined });
  });

  it('either decodes or tells a mistake, whatever comes', () => {
    const value = fc.oneof(
      fc.string(),
      fc.double(),
      fc.bigInt(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string()),
    );
    const names = fc.constantFrom('command', 'cmd', 'name', 'count', 'timeout', 'other');
    fc.assert(
      fc.property(fc.dictionary(names, value), fc.string(), (args, id) => {
        const problem = problemOf(() => {
          const values = decode(args, id);
          expect(values.command).not.toBe('');
          expect(Number.isSafeInteger(values.count)).toBe(true);
        });
        expect(problem).toMatch(/^no problem$|^demo\.run: /);
      }),
    );
  });
});

describe('takeDryRun', () => {
  it('takes test away and understands every way to say it', () => {
    for (const test of [true, 'True', 'yes', '1', 'on', 1])
      expect(takeDryRun('f', { test, a: 1 })).toEqual({ dryRun: true, args: { a: 1 } });
    for (const args of [{ a: 1 }, { test: false, a: 1 }, { test: 'no', a: 1 }, { test: '', a: 1 }])
      expect(takeDryRun('f', args)).toEqual({ dryRun: false, args: { a: 1 } });
  });

  it('never takes a word it does not know for "do it"', () => {
    for (const test of ['ture', 2, {}, 'dry'])
      expect(problemOf(() => takeDryRun('f', { test }))).toContain('f: test must be true or false');
  });
});
