import { describe, expect, it } from 'vitest';
import { parseLocalCall } from './local-call-options.ts';

describe('the command line of zester-peel call', () => {
  it('takes a function, its arguments and options in any order', () => {
    const words = [
      '--test',
      'state.apply',
      '--states',
      'st',
      'web',
      'pillar={"a": 1}',
      '--local',
      '--format=json',
    ];
    expect(parseLocalCall([...words, '--settings', 'se', '--facts', 'f', '--id', 'web-01'])).toEqual({
      call: {
        functionName: 'state.apply',
        id: 'web',
        args: { pillar: '{"a": 1}' },
        dryRun: true,
        statesDir: 'st',
        settingsDir: 'se',
        factsFile: 'f',
        dataDir: '/var/lib/zester/local',
        machineName: 'web-01',
        format: 'json',
      },
    });
  });

  it('what stands behind -- is no option', () => {
    expect(parseLocalCall(['--local', 'cmd.run', '--', '--version'])).toMatchObject({
      call: { id: '--version', format: 'text', dryRun: false },
    });
  });

  it('shows its help', () => {
    expect(parseLocalCall(['--help'])).toEqual({ show: 'help' });
  });

  it.each([
    [['test.ping'], /needs --local/],
    [['--local'], /needs a function/],
    [['--local', 'ping'], /ping is not a function/],
    [['--local', 'cmd.run', 'ls', '-l'], /not also -l; put it in quotes/],
    [['--local', 'test.ping', 'a=1', 'a=2'], /a is given twice/],
    [['--local', 'test.ping', '--format', 'xml'], /text or json, not xml/],
    [['--local', 'test.ping', '--sates', 'x'], /did you mean --states/],
    [['--local', 'test.ping', '--states'], /--states needs a value/],
  ])('refuses %j', (words, problem) => {
    expect(() => parseLocalCall(words)).toThrow(problem);
  });
});
