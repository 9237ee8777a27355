import { describe, expect, it } from 'vitest';
import { parsePeelOptions } from './peel-options.ts';

const NEEDED = ['--nats-url', 'tls://a:4222,tls://b:4222', '--creds', '/c', '--ca', '/ca'];

describe('the command line of zester-peel', () => {
  it('takes what it needs and fills in the rest', () => {
    expect(parsePeelOptions(NEEDED)).toEqual({
      run: {
        id: undefined,
        natsUrls: ['tls://a:4222', 'tls://b:4222'],
        creds: '/c',
        ca: '/ca',
        authDir: '/var/lib/zester/peel/auth',
        dataDir: '/var/lib/zester/peel',
        customFactsFile: undefined,
        statesDir: '/srv/zester/states',
        statesCache: '/var/lib/zester/peel/cache/states',
        settingsDir: undefined,
        settingsCache: '/var/lib/zester/peel/cache/settings',
        logLevel: 'info',
        health: { address: { host: '127.0.0.1', port: 9090 }, isDefault: true, file: undefined },
      },
    });
    expect(
      parsePeelOptions([...NEEDED, '--id=web-01', '--data-dir', '/d', '--log-level', 'debug']),
    ).toMatchObject({
      run: {
        id: 'web-01',
        dataDir: '/d',
        customFactsFile: '/d/facts',
        statesCache: '/d/cache/states',
        settingsCache: '/d/cache/settings',
        logLevel: 'debug',
      },
    });
  });

  it('takes the places of states and settings', () => {
    const places = ['--states', '/s', '--states-cache', '/c', '--settings', '/p', '--settings-cache', '/q'];
    expect(parsePeelOptions([...NEEDED, ...places])).toMatchObject({
      run: { statesDir: '/s', statesCache: '/c', settingsDir: '/p', settingsCache: '/q' },
    });
  });

  it('shows help and version', () => {
    expect(parsePeelOptions(['--help'])).toEqual({ show: 'help' });
    expect(parsePeelOptions(['--version'])).toEqual({ show: 'version' });
  });

  it.each([
    [['start'], /takes no argument start/],
    [['--', 'x'], /takes no argument/],
    [['--nats-ulr', 'x'], /no option --nats-ulr; did you mean --nats-url\?/],
    [['-x'], /no option -x/],
    [['--creds'], /--creds needs a value/],
    [['--creds='], /--creds needs a value/],
    [['--version=1'], /--version takes no value/],
    [['--ca', 'a', '--ca', 'b'], /--ca was given twice/],
    [['--creds', '/c'], /needs --nats-url/],
    [[...NEEDED, '--log-level', 'loud'], /one of debug, info, warn, error, not loud/],
  ])('refuses %j', (words, problem) => {
    expect(() => parsePeelOptions(words)).toThrow(problem);
  });
});
