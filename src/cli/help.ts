/** Help texts: examples first, because that is what people look for. */
import { type Command, commandName, type OptionSpec } from './command.ts';
import { execCommand } from './exec/exec-command.ts';

export function helpForAll(commands: readonly Command[], version: string): string {
  const width = Math.max(...commands.map((command) => commandName(command).length));
  return lines(
    version,
    '',
    "Usage: zester '<target>' module.function [argument] [key=value …] [options]",
    '       zester <command> [options]',
    '',
    ...execCommand.examples.map((example) => `  ${example}`),
    '',
    ...commands.map((command) => `  ${commandName(command).padEnd(width)}  ${command.summary}`),
    '',
    'zester <command> --help shows examples and options.',
    'Exit codes: 0 done, 1 could not do it, 2 a target failed, 3 a target is silent, 4 both, 130 interrupted.',
  );
}

export function helpForCommand(command: Command): string {
  return lines(
    `zester ${commandName(command)}: ${command.summary}`,
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
    ...(command.detail === undefined ? [] : ['', command.detail]),
    ...(command.options.length === 0 ? [] : ['', 'Options:', ...optionLines(command.options)]),
  );
}

function optionLines(options: readonly OptionSpec[]): string[] {
  const shown = options.map(
    (option) => `--${option.name}${option.value === undefined ? '' : ` ${option.value}`}`,
  );
  const width = Math.max(...shown.map((text) => text.length));
  return options.map(
    (option, index) =>
      `  ${(shown[index] ?? '').padEnd(width)}  ${option.doc}${option.repeatable ? ' (repeatable)' : ''}`,
  );
}

function lines(...each: string[]): string {
  return `${each.join('\n')}\n`;
}
