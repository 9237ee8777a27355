import { describe, expect, it } from 'vitest';
import type { Command } from './command.ts';
import { parseOptions } from './parse-options.ts';

const command: Command = {
  words: ['try'],
  summary: 'a command for this test',
  examples: [],
  options: [
    { name: 'dir', value: 'DIR', doc: '' },
    { name: 'ip', value: 'ADDRESS', repeatable: true, doc: '' },
    { name: 'format', value: 'text|json', choices: ['text', 'json'], doc: '' },
    { name: 'force', doc: '' },
  ],
  run: async () => 0,
};

describe('parseOptions', () => {
  it('reads values after a blank or an equals sign, switches, and repeated options in order', () => {
    const given = parseOptions(command, ['--dir=a=b', '--ip', '1', '--ip=2', '--force']);
    expect([given.text('dir'), given.texts('ip'), given.on('force'), given.text('format')]).toEqual([
      'a=b',
      ['1', '2'],
      true,
      undefined,
    ]);
  });

  it.each([
    [['--dirr', 'x'], 'CLI_UNKNOWN_OPTION', '; did you mean --dir?'],
    [['--zzz'], 'CLI_UNKNOWN_OPTION', '--zzz'],
    [['--z'], 'CLI_UNKNOWN_OPTION', '--z'],
    [['word'], 'CLI_EXTRA_ARGUMENT', 'word'],
    [['-f'], 'CLI_EXTRA_ARGUMENT', '-f'],
    [['-format', 'json'], 'CLI_UNKNOWN_OPTION', 'no option -format; did you mean --format?'],
    [['--dir'], 'CLI_OPTION_VALUE', 'needs a value: DIR'],
    [['--dir', '--force'], 'CLI_OPTION_VALUE', 'needs a value: DIR'],
    [['--dir='], 'CLI_OPTION_VALUE', 'needs a value'],
    [['--dir', 'a', '--dir', 'b'], 'CLI_OPTION_VALUE', 'was given twice'],
    [['--force=1'], 'CLI_OPTION_VALUE', 'takes no value'],
    [['--format', 'xml'], 'CLI_OPTION_VALUE', 'is text or json, not xml'],
  ])('%j is refused as %s', (words, code, part) => {
    const attempt = () => parseOptions(command, words);
    expect(attempt).toThrow(expect.objectContaining({ code }));
    expect(attempt).toThrow(part);
  });

  it.each([
    ['<jid>', [], 'CLI_MISSING_OPTION'],
    ['<jid>', ['a'], undefined],
    ['<jid>', ['a', 'b'], 'CLI_EXTRA_ARGUMENT'],
    ['<peel> <key>', ['a'], 'CLI_MISSING_OPTION'],
    ['<peel> [name]', ['a'], undefined],
    ['<peel> [name]', ['a', 'b'], undefined],
    ['<peel> [name]', ['a', 'b', 'c'], 'CLI_EXTRA_ARGUMENT'],
    ['<peel> [key=value …]', ['a', 'b', 'c', 'd'], undefined],
  ])('a command that takes %s, given %j: %s', (takesWords, words, code) => {
    const attempt = () => parseOptions({ ...command, takesWords }, words).words();
    if (code === undefined) expect(attempt()).toEqual(words);
    else expect(attempt).toThrow(expect.objectContaining({ code }));
  });

  it('an execution says where options go that are meant for the function', () => {
    const exec = { ...command, words: [], takesWords: '<target> …' };
    expect(() => parseOptions(exec, ['*', 'cmd.run', 'ls', '--all'])).toThrow('in quotes or behind --');
    expect(parseOptions(exec, ['*', 'cmd.run', '--', 'ls', '--all']).words()).toEqual([
      '*',
      'cmd.run',
      'ls',
      '--all',
    ]);
  });
});
