import { describe, expect, it } from 'vitest';
import { type TypedInput, typedInput } from '../../../test/harness/programs/run-command.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import type { CliContext, GivenOptions } from '../program/command.ts';
import { parseOptions } from '../program/parse-options.ts';
import { secretRotateCommand, secretSetCommand } from './secret-set.ts';
import { secretValue } from './secret-value.ts';

const given = (...words: readonly string[]): GivenOptions =>
  parseOptions(secretSetCommand, ['db.zy', 'db.password', ...words]);
const contextOf = (typed: TypedInput, seed = 1) =>
  ({ input: typedInput(typed), runtime: { random: seededRandom(seed) } }) as unknown as CliContext;

describe('the value of a secret', () => {
  it.each<[string, TypedInput, string]>([
    ['what is piped', { piped: 'hunter22' }, 'hunter22'],
    ['what is piped, without the line break at its end', { piped: 'hunter22\n' }, 'hunter22'],
    ['all lines that are piped', { piped: '-----\r\nabc\r\n\r\n' }, '-----\r\nabc\r\n'],
    ['what is typed twice', { lines: ['hunter22', 'hunter22'] }, 'hunter22'],
  ])('is %s', async (_, typed, value) => {
    expect(await secretValue(contextOf(typed), given())).toBe(value);
  });

  it.each<[string, TypedInput]>([
    ['nothing comes', { piped: '' }],
    ['only a line break comes', { piped: '\n' }],
    ['it is too short', { piped: 'abc\n' }],
    ['it is typed differently', { lines: ['hunter22', 'hunter23'] }],
  ])('is refused when %s, without a word of it', async (_, typed) => {
    await expect(secretValue(contextOf(typed), given())).rejects.toMatchObject({
      code: 'SECRET_NO_VALUE',
      message: expect.not.stringMatching(/hunter|abc/),
    });
  });

  it('can be made by chance, and is another one each time', async () => {
    const values = await Promise.all(
      [1, 2].map((seed) => secretValue(contextOf({ piped: 'not read' }, seed), given('--generate'))),
    );
    for (const value of values) expect(value).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(new Set(values).size).toBe(2);
  });

  it.each([secretSetCommand, secretRotateCommand])(
    'is not taken from the command line, nor repeated',
    (command) => {
      for (const words of [['hunter22'], ['--', 'hunter22'], ['hunter22', '--generate']])
        expect(() => parseOptions(command, ['db.zy', 'db.password', ...words])).toThrow(
          expect.objectContaining({
            code: 'SECRET_IN_ARGUMENTS',
            message: expect.not.stringContaining('hunter'),
          }),
        );
      expect(() => parseOptions(command, ['db.zy', 'db.password', '--value=hunter22'])).toThrow(
        expect.objectContaining({
          code: 'CLI_UNKNOWN_OPTION',
          message: expect.not.stringContaining('hunter'),
        }),
      );
    },
  );
});
