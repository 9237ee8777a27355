/**
 * This file makes help texts: examples first, because that is what people look for. The program is named as it is
 * called from here.
 */

import { execCommand } from './exec/exec-command.ts';
import { type Command, commandName, type OptionSpec } from './program/command.ts';
import { asCalled, exampleAsCalled } from './program/program-name.ts';

export function helpForAll(commands: readonly Command[], version: string, program: string): string {
  return lines(
    version,
    '',
    ...execCommand.examples.map((example) => `  ${exampleAsCalled(example, program)}`),
    '',
    `Usage: ${program} '<target>' module.function [argument] [key=value …] [options]`,
    `       ${program} <command> [options]`,
    '',
    'Commands:',
    ...commandLines(commands),
    '',
    `${program} <command> --help shows the examples and options of a command, ${program} '*' --help those of an execution.`,
    'Exit codes: 0 done, 1 could not do it, 2 a target failed, 3 a target is silent, 4 both, 130 interrupted.',
    'With --format json an error is one line of JSON on stderr.',
  );
}

/** Of `zester job --help` and the like. */
export function helpForGroup(commands: readonly Command[], program: string): string {
  return lines(
    ...commandLines(commands),
    '',
    `${program} ${commandName(commands[0] ?? execCommand)} --help shows examples and options.`,
  );
}

export function helpForCommand(command: Command, program: string): string {
  const detail = command.detail === undefined ? [] : ['', asCalled(command.detail, program)];
  return lines(
    `zester ${commandName(command)}: ${command.summary}`,
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${exampleAsCalled(example, program)}`),
    '',
    `Usage: ${program} ${[commandName(command), argumentsOf(command), '[options]'].filter(Boolean).join(' ')}`,
    ...detail,
    '',
    'Options:',
    ...optionLines([...command.options, HELP_OPTION]).map((line) => asCalled(line, program)),
  );
}

const HELP_OPTION: OptionSpec = { name: 'help', doc: 'show this' };

/** An execution says in its name what comes first. */
function argumentsOf(command: Command): string {
  return (command.takesWords ?? '').replace(`${commandName(command)} `, '');
}

function commandLines(commands: readonly Command[]): string[] {
  return columns(commands.map((command) => [commandName(command), command.summary]));
}

function optionLines(options: readonly OptionSpec[]): string[] {
  return columns(
    options.map(({ name, value, doc, repeatable }) => [
      `--${name}${value === undefined ? '' : ` ${value}`}`,
      `${doc}${repeatable ? ' (repeatable)' : ''}`,
    ]),
  );
}

function columns(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

function lines(...each: string[]): string {
  return `${each.join('\n')}\n`;
}
