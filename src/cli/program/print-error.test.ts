import { describe, expect, it } from 'vitest';
import { zesterError } from '../../core/errors/zester-error.ts';
import { failureOf } from './print-error.ts';

const unknown = zesterError('CLI_JOB_UNKNOWN', { jid: 'x' });
const PROGRAM = 'bin/zester';

describe('failureOf', () => {
  it('is lines for people, with commands as they are called from here', () => {
    expect(failureOf(unknown, ['job', 'show', 'x'], PROGRAM)).toEqual({
      exitCode: 1,
      text: 'zester: there is no job x [CLI_JOB_UNKNOWN]\n  next: run `bin/zester job list` for the jobs that are known\n',
    });
  });

  it('names the fleet that was asked, as it was given', () => {
    const words = ['job', 'show', 'x', '--dir', '/tmp/fleet'];
    const next = 'run `bin/zester job list --dir /tmp/fleet` for the jobs that are known';
    expect(failureOf(unknown, words, PROGRAM).text).toContain(`\n  next: ${next}\n`);
    expect(JSON.parse(failureOf(unknown, [...words, '--format=json'], PROGRAM).text).error.next).toBe(next);
  });

  it.each([
    [['job', 'show', 'x', '--format', 'json']],
    [['job', 'show', 'x', '--format=json']],
    [['--format', 'json', 'job', 'show', 'x']],
  ])('%j: one line of JSON', (words) => {
    const { text, exitCode } = failureOf(unknown, words, PROGRAM);
    expect(exitCode).toBe(1);
    expect(text).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 'CLI_JOB_UNKNOWN',
        message: 'there is no job x',
        next: 'run `bin/zester job list` for the jobs that are known',
      },
    });
  });

  it.each([[['--format', 'yaml']], [['--format']], [['web-01', 'cmd.run', '--', '--format', 'json']]])(
    '%j: no JSON',
    (words) => {
      expect(failureOf(unknown, words, PROGRAM).text).toMatch(/^zester: /);
    },
  );

  it('place and cause are told apart from the message', () => {
    const at = { file: 'top.zy', line: 3 };
    const error = zesterError('CLI_JOB_UNKNOWN', { jid: 'x' }, { at, cause: new Error('gone') });
    expect(JSON.parse(failureOf(error, ['--format=json'], PROGRAM).text).error).toMatchObject({
      message: 'there is no job x',
      where: { file: 'top.zy', line: 3 },
      because: 'gone',
    });
  });

  it('the code of a refusal by a master is told apart from the message', () => {
    const refused = (reasonCode: string) =>
      zesterError('CLI_DISPATCH_REFUSED', { reason: 'no' }, { reasonCode });
    const told = (reasonCode: string) =>
      JSON.parse(failureOf(refused(reasonCode), ['--format=json'], PROGRAM).text).error;
    expect(told('MASTER_JID_TAKEN')).toMatchObject({
      code: 'CLI_DISPATCH_REFUSED',
      reason_code: 'MASTER_JID_TAKEN',
    });
    expect(told('')).not.toHaveProperty('reason_code');
  });

  it('what is quoted cannot steer the terminal or pass for a line of ours', () => {
    const jid = 'x\u001b[2J\u202e\nzester: all is well\n  next: rm -r /';
    const error = zesterError('CLI_JOB_UNKNOWN', { jid }, { cause: new Error('a\u009bb\nc') });
    expect(failureOf(error, [], PROGRAM).text.split('\n').slice(0, 6)).toEqual([
      'zester: there is no job x?[2J?',
      '    zester: all is well',
      '      next: rm -r / [CLI_JOB_UNKNOWN]',
      '  because: a?b',
      '    c',
      '  next: run `bin/zester job list` for the jobs that are known',
    ]);
    const json = failureOf(error, ['--format=json'], PROGRAM).text;
    expect(json).not.toMatch(/[\u0080-\u009f\u202e]/);
    expect(JSON.parse(json).error).toMatchObject({
      message: `there is no job ${jid}`,
      because: 'a\u009bb\nc',
    });
  });

  it('a bug keeps its stack', () => {
    const bug = new TypeError('x is undefined');
    expect(failureOf(bug, [], PROGRAM)).toEqual({ exitCode: 1, text: expect.stringContaining('    at ') });
    expect(JSON.parse(failureOf(bug, ['--format=json'], PROGRAM).text).error).toMatchObject({
      code: 'BUG',
      message: 'this is a bug in zester; please report it: x is undefined',
      stack: expect.stringContaining('    at '),
    });
  });
});
