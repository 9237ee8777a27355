import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { unitWord } from '../core/units/unit-file.ts';
import { installMaster } from '../master/master-options.ts';
import { installPeel } from '../peel/peel-options.ts';

const top = mkdtempSync(join(tmpdir(), 'zester-units-'));
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(top, 'root-'));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const PROGRAM = ['/bin/true', '/opt/zester/zester-peel.cjs'];
const file = (name: string) => join(root, 'etc/systemd/system', `${name}.service`);
const peel = (...words: string[]) => installPeel([...words, '--root', root], PROGRAM);
const linesOf = (text: string) => text.split('\n').filter((line) => !line.startsWith('#'));

describe('the unit of a daemon', () => {
  it('of a peel restarts always, leaves /tmp and what commands started alone, and says what is left open', () => {
    expect(peel()).toContain(`wrote ${file('zester-peel')}`);
    const text = readFileSync(file('zester-peel'), 'utf8');
    expect(linesOf(text)).toEqual(
      expect.arrayContaining([
        'ExecStart=/bin/true /opt/zester/zester-peel.cjs',
        'Restart=always',
        'KillMode=process',
        'StartLimitIntervalSec=0',
      ]),
    );
    const closed =
      /^(?:PrivateTmp|ProtectSystem|ProtectHome|NoNewPrivileges|CapabilityBoundingSet|SystemCallFilter)=/m;
    expect(text).not.toMatch(closed);
    expect(text).toContain('# Left open');
  });

  it('of a master has no capability, and writes its own directories only', () => {
    const words = [
      '--nats-url',
      'tls://a:1,tls://b:1',
      '--auth-dir',
      '/a b',
      '--data-dir',
      '/d',
      '--settings',
      '/s',
      '--enroll-file',
      '/run/z/door',
      '--user',
      'zester',
    ];
    const text = installMaster([...words, '--print'], PROGRAM);
    expect(linesOf(text)).toEqual(
      expect.arrayContaining([
        'ExecStart=/bin/true /opt/zester/zester-peel.cjs --nats-url tls://a:1,tls://b:1 --auth-dir "/a b" --data-dir /d --settings /s --enroll-file /run/z/door',
        'User=zester',
        'CapabilityBoundingSet=',
        'ProtectSystem=strict',
        // Its sources too: a master that does not publish keeps them as published.
        'ReadWritePaths="-/a b" -/d -/srv/zester/states -/s -/srv/zester/reactor -/run/z',
        'NoNewPrivileges=yes',
        'PrivateTmp=yes',
      ]),
    );
  });

  it('has the options of the daemon, checked, with absolute paths', () => {
    const text = installPeel(['--print', '--auth-dir', 'x', '--data-dir=y', '--log-level', 'debug'], PROGRAM);
    expect(text).toContain(`--auth-dir ${process.cwd()}/x --data-dir=${process.cwd()}/y --log-level debug\n`);
    expect(() => installPeel(['--print', '--auth-dri', 'x'], PROGRAM)).toThrow('did you mean --auth-dir?');
    expect(() => installMaster(['--print'], PROGRAM)).toThrow('--nats-url');
    expect(() => installPeel(['--print', '--user', 'a b'], PROGRAM)).toThrow('no name of a user');
  });

  it('again changes nothing; an older one of ours is replaced; one that was changed by hand is not, unless told so', () => {
    peel();
    expect(peel()).toContain('unchanged:');
    expect(peel('--log-level', 'debug')).toContain('replaced');
    const changed = readFileSync(file('zester-peel'), 'utf8').replace('RestartSec=2', 'RestartSec=3');
    writeFileSync(file('zester-peel'), changed);
    expect(() => peel()).toThrow('changed by hand');
    expect(readFileSync(file('zester-peel'), 'utf8')).toBe(changed);
    expect(peel('--force')).toContain('replaced');
  });

  it('a masked unit and one of somebody else are not overwritten', () => {
    mkdirSync(join(root, 'etc/systemd/system'), { recursive: true });
    symlinkSync('/dev/null', file('zester-peel'));
    expect(() => peel()).toThrow('changed by hand');
    writeFileSync(join(root, 'etc/systemd/system/zester-master.service'), '[Unit]\n');
    const master = ['--nats-url', 'tls://a:1', '--root', root];
    expect(() => installMaster(master, PROGRAM)).toThrow('changed by hand');
  });

  it('where it cannot be written it says so, and what else could be done', () => {
    expect(() => installPeel(['--root', '/proc/nowhere'], PROGRAM)).toThrow('cannot be written');
  });

  it('a word is one word for systemd, whatever is in it', () => {
    expect(['a', 'a b', '50%', '$HOME', 'a"b\\c', 'a\nb', ''].map(unitWord)).toEqual([
      'a',
      '"a b"',
      '50%%',
      '$$HOME',
      '"a\\"b\\\\c"',
      '"a\\nb"',
      '""',
    ]);
  });

  it('systemd itself finds nothing wrong with either', async () => {
    installPeel(['--root', root, '--data-dir', '/var/lib/a b', '--user', 'root'], ['/bin/true']);
    installMaster(['--nats-url', 'tls://a:1', '--root', root], ['/bin/true']);
    const words = ['verify', '--man=no', file('zester-peel'), file('zester-master')];
    const { stdout, stderr } = await promisify(execFile)('systemd-analyze', words);
    const ours = (stdout + stderr).split('\n').filter((line) => line.includes('zester-'));
    expect(ours).toEqual([]);
    // The control: it does look.
    const bad = join(root, 'bad.service');
    writeFileSync(bad, '[Service]\nExecStart=/bin/true\nRestrt=always\n');
    const told = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', bad]);
    expect(told.stderr).toContain('Restrt');
  });
});
