/**
 * `secretValue` gets the value of a secret: by a pipe, from a prompt that shows nothing, or made by chance. Never from the
 * words of the command, which others can see.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { SECRET_CHARS_MIN } from '../../core/settings/sealed-at-rest.ts';
import type { CliContext, GivenOptions, OptionSpec } from '../program/command.ts';

export const GENERATE_OPTION: OptionSpec = {
  name: 'generate',
  doc: 'make a value of 32 random letters and digits; it is not shown',
};

/** As much as a settings file may have. */
const VALUE_BYTES_MAX = 256 * 1_024;
/** Makes 32 characters of base64 without marks, 190 bits of chance. */
const RANDOM_BYTES = 48;
const RANDOM_CHARS = 32;

export async function secretValue(context: CliContext, given: GivenOptions): Promise<string> {
  const value = given.on('generate') ? generated(context) : await handedIn(context);
  if (value.trim().length >= SECRET_CHARS_MIN) return value;
  throw zesterError('SECRET_NO_VALUE', {
    problem: value === '' ? 'it is empty' : `it has fewer than ${SECRET_CHARS_MIN} characters`,
  });
}

async function handedIn({ input }: CliContext): Promise<string> {
  // `echo` and editors end a text with a line break that nobody means.
  if (!input.isTerminal) return (await input.text(VALUE_BYTES_MAX)).replace(/\r?\n$/, '');
  const value = await input.hiddenLine('Value (not shown): ');
  const again = await input.hiddenLine('Once more: ');
  if (value !== again) throw zesterError('SECRET_NO_VALUE', { problem: 'the two are not the same' });
  return value;
}

function generated({ runtime }: CliContext): string {
  let value = '';
  while (value.length < RANDOM_CHARS)
    value += Buffer.from(runtime.random.bytes(RANDOM_BYTES))
      .toString('base64')
      .replace(/[^A-Za-z0-9]/g, '');
  return value.slice(0, RANDOM_CHARS);
}
