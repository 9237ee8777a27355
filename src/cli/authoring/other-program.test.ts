import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command, GivenOptions } from '../program/command.ts';
import { parseOptions } from '../program/parse-options.ts';
import { lintCommand } from './lint.ts';
import { givenWords } from './other-program.ts';
import { renderCommand } from './render.ts';
import { simCommand } from './sim.ts';

/** All that a command can see. */
function seen(command: Command, given: GivenOptions): unknown {
  return [given.words(), ...command.options.map(({ name }) => [name, given.texts(name), given.on(name)])];
}

function roundTrip(command: Command, words: readonly string[]): void {
  const given = parseOptions(command, words);
  expect(seen(command, parseOptions(command, givenWords(command, given)))).toEqual(seen(command, given));
}

describe('givenWords', () => {
  it('tells the other program what was told to this one', () => {
    roundTrip(renderCommand, ['a b', '--set', 'x=1', '--set=y=--z', '--format', 'json']);
    roundTrip(renderCommand, ['--', '--odd name']);
    roundTrip(lintCommand, ['states', '--top', '--facts', 'a', '--facts', 'b']);
    roundTrip(simCommand, ['--seed', '7', '--timeline']);
  });

  it('whatever the values are', () => {
    const value = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(fc.array(value), value, (values, word) => {
        roundTrip(renderCommand, [...values.map((each) => `--set=${each}`), '--', word]);
      }),
    );
  });
});
