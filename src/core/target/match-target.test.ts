import { describe, expect, it } from 'vitest';
import { WireTime } from '../../wire/msgpack/time.ts';
import type { WireMap, WireValue } from '../../wire/msgpack/wire-value.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';
import { factPath, factValues } from './fact-values.ts';
import { matchTarget, targetMatcher } from './match-target.ts';
import { parseTarget } from './parse-target.ts';

const facts: WireMap = {
  os: { name: 'linux', family: 'Debian', platform: 'Ubuntu', platform_version: '24.04', arch: 'amd64' },
  cpu: { count: 8, model: 'Intel(R) Xeon(R) Gold' },
  memory: { total: 2n ** 40n, used_percent: 12.5 },
  disk: {
    mounts: [
      { device: '/dev/sda1', mountpoint: '/', fstype: 'ext4' },
      { device: '/dev/sdb1', mountpoint: '/srv', fstype: 'xfs' },
    ],
  },
  network: { ipv4: ['10.0.0.5', '127.0.0.1'], mac: 'aa:bb:cc' },
  roles: ['web', 'cache'],
  tags: [],
  env: 'prod',
  app: { name: 'shop' },
  note: '',
  virtual: false,
  nothing: null,
  version: '1.10.2',
  booted: new WireTime(0n),
  bytes: new Uint8Array([1]),
};
const words = {
  tags: { role: 'Web', rack: 'r7', empty: '', env: 'test' },
  facts: { site: { name: 'Berlin' }, tier: 2, env: 'staging' },
};
const peel = parsePeelId('web-01_fra_example_com') ?? expect.unreachable();

const matches = (expression: string, id: PeelId = peel) =>
  matchTarget(parseTarget(expression), id, facts, words);

describe('matchTarget on the id', () => {
  it.each([
    ['*', true],
    ['web*', true],
    ['web-0?_fra_*', true],
    ['web-01.fra.example.com', true],
    ['web-01.fra.*', true],
    ['web-01[.]fra*', false],
    ['web-01[_]fra*', true],
    ['Web*', false],
    ['web', false],
    ['E@web-\\d+', true],
    ['E@^fra', false],
    ['E@fra', true],
    ['L@db-01,web-01.fra.example.com', true],
    ['L@web-01_fra_example_com', true],
    ['L@web-01', false],
  ])('%s is %s', (expression, expected) => {
    expect(matches(expression)).toBe(expected);
  });
});

describe('matchTarget on facts', () => {
  it.each([
    ['G@env:prod', true],
    ['G@env:PROD', true],
    ['I@env:prod', true],
    ['G@env:dev', false],
    ['G@os.family:debian', true],
    ['G@os.platform_version:24.04', true],
    ['G@cpu.count:8', true],
    ['G@virtual:false', true],
    ['G@memory.total:1099511627776', true],
    ['G@network.mac:aa:bb:cc', true],
    ['G@booted:1970-01-01T00:00:00Z', true],
    ['G@note:""', true],
  ])('%s is %s: equality, whatever the case', (expression, expected) => {
    expect(matches(expression)).toBe(expected);
  });

  it.each([
    ['G@os:ubuntu', true],
    ['G@os:linux', true],
    ['G@os:debian', false],
    ['G@os:!=ubuntu', false],
    ['G@os:!=fedora', true],
    ['G@app:shop', false],
    ['G@cpu:8', false],
    ['G@cpu:!=8', false],
  ])(
    '%s is %s: os alone stands for its name and platform, no other map for anything',
    (expression, expected) => {
      expect(matches(expression)).toBe(expected);
    },
  );

  it.each([
    ['G@os.platform:u*', true],
    ['G@os.platform:?buntu', true],
    ['G@os.platform:[tu]*', true],
    ['G@os.platform:d*', false],
    ['G@os.platform:!=d*', true],
    ['G@cpu.model:intel(r)*', true],
    ['G@env:[p]rod', false],
  ])('%s is %s: wildcards', (expression, expected) => {
    expect(matches(expression)).toBe(expected);
  });

  it.each([
    ['G@cpu.count:>=8', true],
    ['G@cpu.count:>8', false],
    ['G@cpu.count:<10', true],
    ['G@cpu.count:<=7.5', false],
    ['G@cpu.count:!=8', false],
    ['G@cpu.count:!=4', true],
    ['G@memory.total:>1e12', true],
    ['G@memory.used_percent:<50', true],
    ['G@os.platform_version:>=22.04', true],
    ['G@version:>=1.9.0', false],
    ['G@env:>A', true],
    ['G@env:>Q', false],
    ['G@note:>=0', false],
    ['G@cpu.count:>=0x1', true],
  ])('%s is %s: by number if both are numbers, else by text', (expression, expected) => {
    expect(matches(expression)).toBe(expected);
  });

  it.each([
    ['G@roles:web', true],
    ['G@roles:db', false],
    ['G@roles:!=web', false],
    ['G@roles:!=db', true],
    ['G@network.ipv4:10.*', true],
    ['G@disk.mounts.fstype:xfs', true],
    ['G@disk.mounts.1.fstype:xfs', true],
    ['G@disk.mounts.0.fstype:xfs', false],
    ['G@disk.mounts.9.fstype:xfs', false],
    ['G@tags:x', false],
    ['G@tags:!=x', true],
  ])('%s is %s: one element of a list is enough, and != means none', (expression, expected) => {
    expect(matches(expression)).toBe(expected);
  });

  it.each([
    'missing',
    'env.x',
    'nothing',
    'bytes',
    'constructor',
    '__proto__',
    'os.toString',
    'roles.length',
  ])('nothing matches where there is nothing to compare: %s', (path) => {
    for (const value of ['x', '!=x', '>0', '<=z', '*'])
      expect(matches(`G@${path}:${value}`), value).toBe(false);
  });
});

describe('matchTarget on combinations', () => {
  it.each([
    ['web* and G@env:prod', true],
    ['G@env:prod and web*', true],
    ['G@env:prod and db*', false],
    ['db* or G@env:prod', true],
    ['not db*', true],
    ['db* or web* and G@env:dev', false],
    ['web* or db* and G@env:dev', true],
    ['(web* or db*) and G@env:dev', false],
    ['not db* and G@env:prod', true],
    ['not (web* and G@env:prod)', false],
    ['web* and G@env:prod and not E@-canary$', true],
    ['(web* or api*) and G@os.platform:ubuntu', true],
    ['WEB* or web* AND NOT db*', true],
  ])('%s is %s', (expression, expected) => {
    expect(matches(expression)).toBe(expected);
  });

  it('compiled once, judges many', () => {
    const isMeant = targetMatcher(parseTarget('web* and G@env:prod'));
    expect([isMeant(peel, facts, words), isMeant(peel, {}, words)]).toEqual([true, false]);
  });
});

describe('matchTarget on what operators say', () => {
  it.each([
    ['T@role', true],
    ['T@role:web', true],
    ['T@role:w*', true],
    ['T@role:db', false],
    ['T@role:!=db', true],
    ['T@missing:!=db', false],
    ['T@missing', false],
    ['T@empty', true],
    ['T@empty:""', true],
    ['T@site.name:berlin', true],
    ['T@tier:>=2', true],
    // A tag goes before a fact of the same name, and what the machine tells is nobody's word here.
    ['T@env:test', true],
    ['T@env:staging', false],
    ['T@os.family:debian', false],
    ['T@os', false],
    ['T@os_family:debian', false],
    ['T@constructor', false],
    ['not T@role:web', false],
    ['web* and T@rack:r?', true],
  ])('%s is %s', (expression, expected) => {
    expect(matches(expression)).toBe(expected);
  });
});

describe('factValues', () => {
  it('looks at so much of what a peel says, and no more', () => {
    const valuesOf = (a: WireValue, path = 'a') => factValues({ id: 'x', facts: { a } }, factPath(path));
    expect(valuesOf('x'.repeat(20_000))).toBeUndefined();
    expect(valuesOf(Array(100_000).fill('x'))?.length).toBeLessThan(5_000);
    expect(valuesOf(Array(100).fill('x'.repeat(1_000)))).toHaveLength(16);
    const wide = Array(100_000).fill({ b: Array(100_000).fill('x') });
    expect(valuesOf(wide, 'a.b')?.length).toBeLessThan(5_000);
  });
});
