import { describe, expect, it } from 'vitest';
import { MASTER_HELP, parseMasterOptions } from './master-options.ts';

const run = (...words: string[]) => {
  const command = parseMasterOptions(['--nats-url', 'tls://a:4222', ...words]);
  return 'run' in command ? command.run : undefined;
};

describe('options of zester-master', () => {
  it('have defaults', () => {
    expect(run()).toEqual({
      natsUrls: ['tls://a:4222'],
      authDir: '/var/lib/zester/auth',
      ca: undefined,
      logLevel: 'info',
      enroll: {
        address: { host: '', port: 8_443 },
        isDefault: true,
        file: undefined,
        names: undefined,
        files: undefined,
        natsAdvertise: undefined,
        perSecond: 100,
      },
      health: { address: { host: '127.0.0.1', port: 9091 }, isDefault: true, file: undefined },
      sources: {
        states: { path: '/srv/zester/states', isGiven: false },
        settings: { path: '/srv/zester/settings', isGiven: false },
        reactor: { path: '/srv/zester/reactor', isGiven: false },
      },
      dataDir: '/var/lib/zester/master',
      settings: {},
    });
  });

  it('source directories are named one by one', () => {
    const options = run('--states', 'site', '--data-dir', '/data');
    expect(options?.sources.states).toEqual({ path: 'site', isGiven: true });
    expect(options?.sources.settings.isGiven).toBe(false);
    expect(options?.dataDir).toBe('/data');
  });

  it('copies are the business of the cluster unless they are given', () => {
    expect(run()?.settings).not.toHaveProperty('replicas');
    expect(run('--replicas', '5')?.settings.replicas).toBe(5);
  });

  it('credentials of peels are good for as long as is said', () => {
    expect(run('--peel-creds-valid', '24h')?.settings.peelCredsValidMs).toBe(86_400_000);
  });

  it('the ack window is a duration or off', () => {
    expect(run('--ack-window', '250ms')?.settings.ackWindowMs).toBe(250);
    expect(run('--ack-window=off')?.settings.ackWindowMs).toBe(-1);
  });

  it.each([
    [['--nats-ulr', 'x'], 'did you mean --nats-url?'],
    [['--log-level', 'loud'], 'not loud'],
    [['--replicas', '9'], 'not 9'],
    [['--ack-window', 'soon'], 'not soon'],
    [['--facts-visible-to-peels', 'os.family,'], 'nothing is no fact'],
    [['--facts-visible-to-peels', 'os family'], 'os family is no fact'],
    [['--ca'], '--ca needs a value'],
    [['--peel-creds-valid', '1s'], 'not 1s'],
    [['--peel-creds-valid', 'long'], 'not long'],
    [['--help=yes'], '--help takes no value'],
    [['--auth-dir', 'a', '--auth-dir', 'b'], '--auth-dir was given twice'],
    [['web*'], 'it takes no argument web*'],
    [['--', '--help'], 'it takes no argument'],
  ])('%j is refused: %s', (words, text) => {
    expect(() => run(...words)).toThrow(text);
  });

  it('need an address; help and version need nothing', () => {
    expect(() => parseMasterOptions([])).toThrow('it needs --nats-url');
    expect(parseMasterOptions(['--help'])).toEqual({ show: 'help' });
    expect(parseMasterOptions(['--version'])).toEqual({ show: 'version' });
    for (const name of [
      'nats-url',
      'auth-dir',
      'ca',
      'states',
      'settings',
      'reactor',
      'data-dir',
      'replicas',
      'ack-window',
      'facts-visible-to-peels',
      'log-level',
      'version',
      'help',
    ])
      expect(MASTER_HELP).toContain(`--${name}`);
  });
});
