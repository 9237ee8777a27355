import { describe, expect, it } from 'vitest';
import { COMMANDS } from './all-commands.ts';
import { execCommand } from './exec/exec-command.ts';
import { commandMeant } from './words-meant.ts';

describe('commandMeant', () => {
  it.each(COMMANDS.map((command) => [command.words.join(' '), command] as const))('%s', (_name, command) => {
    expect(commandMeant([...command.words, '--dir', 'x'])).toBe(command);
  });

  it.each([
    [['*', 'test.ping']],
    [['web-01', 'test.ping']],
    [['--timeout', '5s', 'web-01', 'test.ping']],
    [['test.ping']],
    [['web-01', 'web-02', 'test.ping']],
    [['web-0[12]', 'uptime']],
    [['web-01 or db-01', 'uptime']],
    [['G@os.family:debian']],
  ])('%j is an execution', (words) => {
    expect(commandMeant(words)).toBe(execCommand);
  });

  it.each([
    [['web-01'], 'web-01 is not a command'],
    [
      ['web-01', 'ping'],
      'web-01 is not a command, and ping is not a function; did you mean `zester web-01 test.ping`?',
    ],
    [['web-01', 'uptime'], 'to run it on the machine: `zester web-01 cmd.run uptime`'],
    [['down-1', 'ping'], '`zester down-1 test.ping`'],
    [['ca', 'isue'], 'ca isue is not a command; did you mean `zester ca issue`?'],
    [['job', 'frobnicate'], 'there are job list, job active'],
    [['jobs'], 'did you mean one of job list, job active'],
    [['dwon'], 'did you mean `zester down`?'],
    [['--format', 'json', 'job', 'list'], '--format is not a command; options stand behind the command'],
  ])('%j is explained', (words, part) => {
    expect(() => commandMeant(words)).toThrow(expect.objectContaining({ code: 'CLI_UNKNOWN_COMMAND' }));
    expect(() => commandMeant(words)).toThrow(part);
  });

  it('half a command is answered with the other halves', () => {
    expect(() => commandMeant(['job'])).toThrow('which job command? There are: job list, job active');
  });
});
