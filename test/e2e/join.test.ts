/** A machine joins a fleet of real masters: `zester-peel join` and the daemon after it, at the real door. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCreds } from '../../src/trust/auth-dir.ts';
import { spkiPin } from '../../src/trust/x509/ca.ts';
import { loadRoot } from '../../src/trust/x509/ca-dir.ts';
import { ProcessFleet } from '../harness/programs/process-fleet.ts';
import { ROOT, type RunningProgram, start } from '../harness/programs/program.ts';
import { until } from '../harness/until.ts';

const fleet = new ProcessFleet();
const pin = spkiPin(loadRoot(fleet.authDir).root);
const programs: RunningProgram[] = [];
const doors: string[] = [];

beforeAll(async () => {
  await fleet.open();
  for (const name of ['door-1', 'door-2']) {
    const file = join(fleet.dir, name);
    const door = ['--enroll-addr', '127.0.0.1:0', '--enroll-file', file, '--enroll-rate', '1000'];
    await fleet.master({ args: [...door, '--enroll-name', '127.0.0.1'] });
    doors.push(`https://${readFileSync(file, 'utf8').trim()}`);
  }
}, 60_000);
afterAll(async () => {
  for (const { child } of programs) child.kill('SIGKILL');
  await Promise.all(programs.map(({ ended }) => ended));
  await fleet.close();
});

const homeOf = (id: string) => join(fleet.dir, 'machines', id);
const run = (...words: string[]) => {
  const program = start(process.execPath, [join(ROOT, 'dist/zester-peel.cjs'), ...words]);
  programs.push(program);
  return program;
};
const joining = (id: string, ...words: string[]) =>
  run('join', doors.join(), '--pin', pin, '--id', id, '--data-dir', homeOf(id), ...words);
const daemon = (id: string) => run('--data-dir', homeOf(id), '--health-addr', 'off');
/** As it says itself. */
const pendingId = (program: RunningProgram) =>
  until(
    () => /zester enroll approve (enr-\w{27})/.exec(program.err())?.[1],
    'it to wait for approval',
    20_000,
  );
const answers = async (id: string) =>
  until(async () => (await fleet.cli(id, 'test.ping')).code === 0, `${id} to answer`, 30_000);

async function tokenFor(pattern: string, file: string): Promise<string> {
  const made = await fleet.cli(
    'enroll',
    'token',
    'create',
    '--uses',
    '1',
    '--expires',
    '1h',
    '--peel',
    pattern,
  );
  const text = /tok-\w{27}\.\S+/.exec(made.out)?.[0];
  if (text === undefined) throw new Error(made.out + made.err);
  mkdirSync(homeOf('tokens'), { recursive: true });
  const path = join(homeOf('tokens'), file);
  writeFileSync(path, `${text}\n`, { mode: 0o600 });
  return path;
}

describe('zester-peel join', () => {
  it('waits for an operator, and then the daemon needs no option but its directory', async () => {
    const program = joining('web-01');
    const id = await pendingId(program);
    expect((await fleet.cli('enroll', 'approve', id)).code).toBe(0);
    expect(await program.ended).toMatchObject({ code: 0, out: expect.stringContaining('joined as web-01') });
    daemon('web-01');
    await answers('web-01');
    const { out } = await fleet.cli('enroll', 'list', '--format', 'json');
    expect(out).toContain('"active"');
  }, 90_000);

  it('joins by a token without anybody, at the second master when the first is away; the token is good once', async () => {
    const file = await tokenFor('web-*', 'web');
    const urls = `https://127.0.0.1:1,${doors[1]}`;
    const words = ['--pin', pin, '--data-dir', homeOf('web-02'), '--token-file', file];
    const program = run('join', urls, '--id', 'web-02', ...words);
    expect((await program.ended).code).toBe(0);
    expect(loadCreds(join(homeOf('web-02'), 'auth/web-02.creds')).claims.name).toBe('web-02');
    const again = await joining('web-03', '--token-file', file).ended;
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('[JOIN_REFUSED]') });
  }, 60_000);

  it('a stolen token does not make a machine what the token does not cover', async () => {
    const file = await tokenFor('web-9*', 'stolen');
    const { code, err } = await joining('db-01', '--token-file', file).ended;
    expect([code, err]).toEqual([1, expect.stringContaining('[JOIN_REFUSED]')]);
    expect((await joining('web-91', '--token-file', file).ended).code).toBe(0);
  }, 60_000);

  it('a name that another machine has is refused, whatever is proven', async () => {
    rmSync(homeOf('thief'), { recursive: true, force: true });
    const words = ['--pin', pin, '--id', 'web-01', '--data-dir', homeOf('thief')];
    const { code, err } = await run('join', doors.join(), ...words).ended;
    expect([code, err]).toEqual([1, expect.stringContaining('[JOIN_REFUSED]')]);
  }, 60_000);

  it('a no is a no, with its reason and without its escapes; a later join is a new request', async () => {
    const program = joining('app-01');
    const id = await pendingId(program);
    expect((await fleet.cli('enroll', 'reject', id, '--reason', 'who \u001b[31mare you')).code).toBe(0);
    const { code, err } = await program.ended;
    expect([code, err]).toEqual([1, expect.stringContaining('[JOIN_REJECTED]')]);
    expect(err).not.toContain('\u001b');
    const again = joining('app-01');
    expect(await pendingId(again)).not.toBe(id);
    again.child.kill('SIGINT');
    expect((await again.ended).code).toBe(130);
  }, 60_000);

  it('interrupted while it waits, the daemon goes on with it, over a restart too', async () => {
    const program = joining('app-02');
    const id = await pendingId(program);
    program.child.kill('SIGINT');
    expect(await program.ended).toMatchObject({ code: 130, err: expect.stringContaining('goes on where') });
    const first = daemon('app-02');
    await until(() => first.err().includes(id), 'the daemon to wait for the same enrollment', 20_000);
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    daemon('app-02');
    expect((await fleet.cli('enroll', 'approve', id)).code).toBe(0);
    await answers('app-02');
  }, 90_000);

  it('without approval it ends with 3 when its time is up, and says how to go on', async () => {
    const { code, err } = await joining('app-03', '--timeout', '1s').ended;
    expect([code, err]).toEqual([3, expect.stringContaining('[JOIN_PENDING]')]);
    expect(err).toContain('zester enroll approve enr-');
  }, 60_000);

  it('a pin that does not fit is fatal, and a machine that never joined says how', async () => {
    const wrong = `sha256:${'0'.repeat(64)}`;
    const words = ['--pin', wrong, '--id', 'x', '--data-dir', homeOf('x')];
    const refused = await run('join', doors.join(), ...words).ended;
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('[JOIN_PIN_MISMATCH]')]);
    expect(refused.err).toContain(pin);
    expect(await daemon('x').ended).toMatchObject({
      code: 1,
      err: expect.stringContaining('zester-peel join https://'),
    });
  });

  it('a machine that was revoked is told so, and asks again only when told to: then an operator decides, whatever its token', async () => {
    const file = await tokenFor('web-7*', 'revoked');
    expect((await joining('web-71', '--token-file', file).ended).code).toBe(0);
    expect((await joining('web-71').ended).out).toContain('has joined already as web-71');
    expect((await fleet.cli('enroll', 'revoke', '--peel', 'web-71', '--reason', 'stolen')).code).toBe(0);
    const told = await joining('web-71').ended;
    expect([told.code, told.out]).toEqual([1, '']);
    expect(told.err).toMatch(/was revoked: stolen[\s\S]*--again/);
    const fresh = await tokenFor('web-7*', 'revoked-2');
    const again = joining('web-71', '--again', '--token-file', fresh);
    const id = await pendingId(again);
    expect(again.err()).toContain('the join token does not count');
    expect((await fleet.cli('enroll', 'approve', id)).code).toBe(0);
    expect((await again.ended).code).toBe(0);
  }, 60_000);

  it('credentials that are gone are asked for again with the same key, and nobody needs to approve them', async () => {
    const creds = join(homeOf('web-02'), 'auth/web-02.creds');
    const key = loadCreds(creds).key.publicKey;
    rmSync(creds);
    expect((await joining('web-02').ended).code).toBe(0);
    expect(loadCreds(creds).key.publicKey).toBe(key);
  }, 60_000);
});
