import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/all-commands.ts';
import { commandName } from '../../src/cli/program/command.ts';
import { ROOT, type RunOptions, zester as run, scratchDir, start } from '../harness/programs/program.ts';

/** Without a zester that the developer has on PATH: hints would name that one. */
const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
const zester = (words: readonly string[], options: RunOptions = {}) =>
  run(words, { ...options, env: { PATH, ...options.env } });

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('zester', () => {
  it('without words shows its help and fails; with --help it does not fail', async () => {
    const bare = await zester([]);
    const asked = await zester(['--help']);
    expect([bare.code, asked.code]).toEqual([1, 0]);
    expect(asked.out).toBe(bare.out);
    for (const command of COMMANDS) expect(asked.out).toContain(`  ${commandName(command)} `);
  });

  it('--version tells version, commit and Node', async () => {
    const { out, code } = await zester(['--version']);
    expect(code).toBe(0);
    expect(out).toMatch(/^zester \d+\.\d+\.\d+ \(commit ([0-9a-f]{12}|unknown), Node v\d+/);
  });

  it.each(COMMANDS.map((command) => [commandName(command), command] as const))(
    '%s --help shows its examples before its options',
    async (_name, command) => {
      const { out, code } = await zester([...command.words, '--help']);
      expect(code).toBe(0);
      for (const example of command.examples) expect(out).toContain(`\n  bin/${example}\n`);
      expect(out.indexOf('Examples:')).toBeLessThan(out.indexOf('Options:'));
      expect((await zester(['help', ...command.words])).out).toBe(out);
      for (const option of command.options) expect(out).toContain(`--${option.name}`);
    },
  );

  it('shows the commands of a group, and the options of an execution', async () => {
    const group = await zester(['job', '--help']);
    expect([group.code, group.out]).toEqual([
      0,
      expect.stringMatching(/^ {2}job list {4}.*\n {2}job active /),
    ]);
    const execution = await zester(['web*', 'cmd.run', '--help']);
    expect([execution.code, execution.out]).toEqual([0, expect.stringContaining('--timeout DURATION')]);
  });

  it('a reader that has seen enough is no error; a full disk is one', async () => {
    const piped = (script: string) => start('/bin/bash', ['-o', 'pipefail', '-c', script]).ended;
    expect(await piped('bin/zester --help | true')).toEqual({ code: 0, out: '', err: '' });
    const full = await piped('bin/zester --help > /dev/full');
    expect([full.code, full.err]).toEqual([1, expect.stringContaining('[CLI_OUTPUT]')]);
    expect(full.err).toContain('no space left on device');
  });

  it('names itself in hints as it can be called from there', async () => {
    const hint = async (cwd: string, path: string) =>
      /`(\S*zester) up`/.exec((await zester(['job', 'list'], { cwd, env: { PATH: path } })).err)?.[1];
    const elsewhere = scratchDir();
    symlinkSync(join(ROOT, 'bin/zester'), join(elsewhere, 'zester'));
    // The copy of the tree has no fleet.
    const clone = scratchDir();
    mkdirSync(join(clone, 'bin'));
    cpSync(join(ROOT, 'bin'), join(clone, 'bin'), { recursive: true, verbatimSymlinks: true });
    cpSync(join(ROOT, 'dist'), join(clone, 'dist'), { recursive: true });
    expect(await hint(elsewhere, PATH)).toBe(join(ROOT, 'bin/zester'));
    expect(await hint(elsewhere, `${PATH}:${elsewhere}`)).toBe('zester');
    const own = await start(join(clone, 'bin/zester'), ['job', 'list'], { cwd: clone, env: { PATH } }).ended;
    expect(own.err).toContain('`bin/zester up`');
  });

  it.each([
    [['ca', 'isue'], `did you mean \`${ROOT}/bin/zester ca issue\`?`],
    [['frobnicate'], 'frobnicate is not a command'],
    [['web-01'], `to run something on peels write \`${ROOT}/bin/zester '<target>' module.function\``],
    [['web-01', 'ping'], `did you mean \`${ROOT}/bin/zester web-01 test.ping\`?`],
    [['web-01', 'uptime'], `\`${ROOT}/bin/zester web-01 cmd.run uptime\``],
    [['web*', 'cmd.run', 'ls', '--all'], 'in quotes or behind --'],
    [['job', 'show'], 'job show needs <jid>'],
    [['peel', 'show', 'a', 'b'], 'does not take the argument b'],
    [['up', '--dri', 'x'], 'did you mean --dir?'],
    [['up', 'now'], 'does not take the argument now'],
    [['auth', 'init', '--dir'], 'needs a value'],
    [['auth', 'init', '--dir', 'a', '--dir', 'b'], 'was given twice'],
    [['auth', 'init', '--force=yes'], 'takes no value'],
    [['ca', 'fingerprint', '--format', 'xml'], 'is text or json'],
    [['ca', 'issue', '--dir', '/nonexistent'], 'needs --name'],
    [['ca', 'issue', '--name', 'x'], 'needs --dns or --ip'],
    [['ca', 'issue', '--name', '../x', '--dns', 'a'], 'letters, digits'],
    [['ca', 'fingerprint', '--dir', '/nonexistent'], '/nonexistent/ca/root.crt does not exist'],
  ])('%j is explained, and nothing is done', async (words, explanation) => {
    const { code, out, err } = await zester(words, { cwd: scratchDir() });
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toContain(explanation);
    expect(err).toMatch(/\[[A-Z_]+\]\n/);
    expect(err).toContain('next: ');
    expect(err).not.toContain('    at ');
  });
});

describe('zester … --format json', () => {
  it.each([
    ['CLI_UNKNOWN_COMMAND', ['web-01', 'ping', '--format', 'json']],
    ['CLI_UNKNOWN_OPTION', ['up', '--format', 'json', '--dri', 'x']],
    ['CLI_NO_DEPLOYMENT', ['*', 'test.ping', '--format=json']],
    ['TRUST_FILE_MISSING', ['ca', 'fingerprint', '--dir', '/nonexistent', '--format', 'json']],
  ])('tells %s as one JSON object on stderr, with the same exit code', async (code, words) => {
    const cwd = scratchDir();
    const ended = await zester(words, { cwd });
    expect([ended.code, ended.out]).toEqual([1, '']);
    expect(ended.err).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(ended.err)).toEqual({
      error: expect.objectContaining({ code, message: expect.any(String), next: expect.any(String) }),
    });
    const text = await zester(
      words.filter((word) => !/format|^json$/.test(word)),
      { cwd },
    );
    expect([text.code, text.err]).toEqual([ended.code, expect.stringContaining(`[${code}]`)]);
  });
});

describe('zester auth init and zester ca', () => {
  it('makes everything once, readable by its owner only, and never overwrites it unasked', async () => {
    const dir = join(scratchDir(), 'auth');
    const made = await zester(['auth', 'init', '--dir', dir, '--operator', 'alice', '--format', 'json']);
    expect(made.code).toBe(0);
    expect(JSON.parse(made.out)).toMatchObject({
      dir,
      operator: 'alice',
      accounts: { ZESTER: expect.stringMatching(/^A/) },
    });
    for (const secret of [
      'account.seed',
      'operator-signing.seed',
      'agents-signing.seed',
      'master.creds',
      'admin.creds',
      'sys.creds',
      'admin-operator.key',
    ]) {
      expect([secret, modeOf(join(dir, secret))]).toEqual([secret, '600']);
    }
    expect(modeOf(dir)).toBe('700');
    const seed = readFileSync(join(dir, 'account.seed'), 'utf8');
    const again = await zester(['auth', 'init', '--dir', dir]);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('[TRUST_FILE_EXISTS]')]);
    expect(readFileSync(join(dir, 'account.seed'), 'utf8')).toBe(seed);
    expect((await zester(['auth', 'init', '--dir', dir, '--force'])).code).toBe(0);
    expect(readFileSync(join(dir, 'account.seed'), 'utf8')).not.toBe(seed);
  });

  it('issues a certificate that is good for its names, under the printed root and fingerprint', async () => {
    const dir = join(scratchDir(), 'auth');
    const init = await zester(['ca', 'init', '--dir', dir]);
    expect(init.code).toBe(0);
    const issued = await zester([
      'ca',
      'issue',
      '--dir',
      dir,
      '--name',
      'nats',
      '--dns',
      'localhost',
      '--ip',
      '::1',
      '--validity',
      '48h',
      '--format',
      'json',
    ]);
    expect(issued.code).toBe(0);
    const { certificate, key, not_after: notAfter } = JSON.parse(issued.out) as Record<string, string>;
    expect([modeOf(certificate ?? ''), modeOf(key ?? '')]).toEqual(['644', '600']);
    expect(Math.abs(Date.parse(notAfter ?? '') - Date.now() - 48 * 3_600_000)).toBeLessThan(3_600_000);
    const printed = await zester(['ca', 'print', '--dir', dir]);
    expect(printed.out).toBe(readFileSync(join(dir, 'ca/root.crt'), 'utf8'));
    const { out: pin } = await zester(['ca', 'fingerprint', '--dir', dir]);
    expect(pin).toMatch(/^sha256:[0-9a-f]{64}\n$/);
    expect(init.out).toContain(pin.trim());
    const refused = await zester(['ca', 'issue', '--dir', dir, '--name', 'nats', '--dns', 'localhost']);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('[TRUST_FILE_EXISTS]')]);
  });

  it('finds the directory of a local deployment through ZESTER_DIR', async () => {
    const home = scratchDir();
    await zester(['ca', 'init', '--dir', join(home, 'auth')]);
    const { code } = await zester(['ca', 'fingerprint'], { env: { ZESTER_DIR: home } });
    expect(code).toBe(0);
  });
});
