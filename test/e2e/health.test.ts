/** A local fleet, asked how it is: health and metrics of every daemon, `zester master list`, `zester doctor`. */
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/core/doctor/finding.ts';
import {
  ROOT,
  type RunningProgram,
  scratchDir,
  start,
  startZester,
  zester,
} from '../harness/programs/program.ts';
import { until } from '../harness/until.ts';

interface FleetRecord {
  readonly url: string;
  readonly servers: readonly { readonly name: string; readonly pid: number }[];
  readonly auth_dir: string;
  readonly masters: readonly { readonly name: string; readonly pid: number }[];
}

const MASTERS = ['master-1', 'master-2'];
const PEELS = ['web-01', 'web-02', 'db-01'];

async function startFleet(
  dir: string,
  ...words: string[]
): Promise<{ up: RunningProgram; fleet: FleetRecord }> {
  const up = startZester(['up', '--dir', dir, '--format', 'json', ...words]);
  const fleet = await until(
    () => {
      if (up.child.exitCode !== null) throw new Error(up.err());
      return JSON.parse(up.out()) as FleetRecord;
    },
    'the fleet',
    60_000,
  );
  return { up, fleet };
}

describe('a fleet that is asked how it is', () => {
  const dir = scratchDir();
  let up: RunningProgram;
  let fleet: FleetRecord;

  beforeAll(async () => {
    ({ up, fleet } = await startFleet(dir));
  }, 90_000);
  afterAll(async () => {
    up.child.kill('SIGINT');
    expect((await up.ended).code).toBe(0);
    expect([...MASTERS, ...PEELS].filter((name) => existsSync(join(dir, 'health', name)))).toEqual([]);
  });

  const addressOf = (name: string) => readFileSync(join(dir, 'health', name), 'utf8').trim();
  const ask = (name: string, path: string, init?: RequestInit) =>
    fetch(`http://${addressOf(name)}${path}`, init);
  const run = (...words: string[]) => zester([...words, '--dir', dir]);
  async function doctor(): Promise<{
    code: number | null;
    count: number;
    of: (check: string) => Finding | undefined;
  }> {
    const { code, out } = await run('doctor', '--format', 'json');
    const findings = JSON.parse(out) as Finding[];
    return {
      code,
      count: findings.length,
      of: (check) => findings.find((finding) => finding.check === check),
    };
  }

  it.each([...MASTERS, ...PEELS])('%s is alive and ready', async (name) => {
    const component = MASTERS.includes(name) ? 'master' : 'peel';
    const health = await ask(name, '/healthz');
    expect(health.status).toBe(200);
    expect(await health.json()).toMatchObject({
      status: 'ok',
      component,
      version: expect.stringMatching(/^\d/),
    });
    const ready = await ask(name, '/readyz');
    expect(ready.status).toBe(200);
    const { status, checks } = (await ready.json()) as { status: string; checks: object };
    expect(status).toBe('ok');
    expect(Object.keys(checks)).toEqual(
      component === 'master'
        ? [
            'nats',
            'jetstream',
            'target-service',
            'dispatch',
            'files',
            'accounts',
            'enrollment',
            'publisher-lease',
          ]
        : ['nats', 'kv', 'jobs'],
    );
  });

  it('takes GET and HEAD only, on loopback', async () => {
    expect(addressOf('web-01')).toMatch(/^127\.0\.0\.1:\d+$/);
    expect((await ask('web-01', '/metrics', { method: 'HEAD' })).status).toBe(200);
    expect((await ask('web-01', '/metrics', { method: 'POST', body: 'x' })).status).toBe(405);
    expect((await ask('web-01', '/debug')).status).toBe(404);
  });

  it('metrics count what is done, whichever master did it', async () => {
    const total = async (series: string, names: readonly string[]) => {
      const texts = await Promise.all(names.map(async (name) => (await ask(name, '/metrics')).text()));
      const values = texts.map((text) => {
        const line = text.split('\n').find((each) => each.startsWith(`${series} `));
        return Number(line?.split(' ').at(-1) ?? Number.NaN);
      });
      return values.reduce((sum, value) => sum + value, 0);
    };
    const complete = 'zester_jobs_total{status="complete"}';
    const before = [
      await total(complete, MASTERS),
      await total('zester_peel_requests_total{result="accepted"}', PEELS),
    ];
    for (let i = 0; i < 3; i++) expect((await run('*', 'test.ping')).code).toBe(0);
    // A client may see the record before its master has heard that it is written.
    await until(
      async () => (await total(complete, MASTERS)) === (before[0] ?? 0) + 3,
      'the jobs to be counted',
    );
    expect(await total('zester_peel_requests_total{result="accepted"}', PEELS)).toBe((before[1] ?? 0) + 9);
    expect(await total('zester_connected_peels', MASTERS)).toBe(MASTERS.length * PEELS.length);
    expect(await total('zester_peel_connected', PEELS)).toBe(PEELS.length);
    await until(async () => (await total('zester_master_publisher_leader', MASTERS)) === 1, 'one to lead');
    expect(await total('zester_nats_reconnects_total', [...MASTERS, ...PEELS])).toBe(0);
  });

  it('master list shows who is there and who leads', async () => {
    const { code, out } = await run('master', 'list');
    expect(code).toBe(0);
    expect(out).toMatch(/^MASTER +STATE +HOST +PID +VERSION +SINCE +JOBS +LEASES\n/);
    const listed = JSON.parse((await run('master', 'list', '--format', 'json')).out) as {
      pid: number;
      state: string;
      leases: string[];
    }[];
    expect(listed.map(({ state }) => state)).toEqual(['alive', 'alive']);
    expect(listed.map(({ pid }) => pid).sort()).toEqual(fleet.masters.map(({ pid }) => pid).sort());
    expect(listed.flatMap(({ leases }) => leases).sort()).toEqual(['accounts', 'facts-secrets', 'publisher']);
  });

  it('doctor finds nothing wrong, and says what a write survives', async () => {
    const { code, count, of } = await doctor();
    expect(code).toBe(0);
    expect(of('durability')).toMatchObject({
      verdict: 'ok',
      found: expect.stringContaining('it survives a killed server and a power cut'),
    });
    for (const check of [
      'nats',
      'nats-version',
      'nats-servers',
      'nats-limits',
      'jetstream',
      'replicas',
      'assets',
      'clocks',
    ])
      expect(of(check)).toMatchObject({ check, verdict: 'ok', fix: '' });
    for (const check of [
      'masters',
      'peels',
      'enrollments',
      'peel-credentials',
      'keys',
      'files',
      'peel-files',
      'jobs',
      'late-returns',
      'auth-files',
    ])
      expect(of(check)).toMatchObject({ check, verdict: 'ok', fix: '' });
    const { out } = await run('doctor');
    expect(out).toMatch(/^ok {7}nats {2,}connected to zester-local at tls:/);
    expect(out).toMatch(new RegExp(`\\n\\n${count} checks: \\d+ ok, \\d warn, 0 fail, \\d unknown\\n$`));
  });

  it('a key that others can read is a fail, with its name and the fix', async () => {
    const file = join(fleet.auth_dir, 'agents-signing.seed');
    chmodSync(file, 0o644);
    const { code, of } = await doctor();
    chmodSync(file, 0o600);
    expect(code).toBe(2);
    expect(of('auth-files')).toMatchObject({
      verdict: 'fail',
      found: `others have access: ${file} (644)`,
      fix: expect.stringContaining('chmod 600'),
    });
  });

  it('an address that is taken is refused before anything else is done', async () => {
    const address = addressOf('master-1');
    const master = ['--nats-url', fleet.url, '--auth-dir', fleet.auth_dir, '--health-addr', address];
    const creds = join(dir, 'peels/web-01/auth/web-01.creds');
    const ca = join(fleet.auth_dir, 'ca/root.crt');
    const data = ['--data-dir', join(dir, 'another'), '--health-addr', address];
    const peel = ['--nats-url', fleet.url, '--creds', creds, '--ca', ca, ...data];
    for (const [program, words] of [
      ['zester-master', master],
      ['zester-peel', peel],
    ] as const) {
      const { code, err } = await start(join(ROOT, 'bin', program), words).ended;
      expect(code).toBe(1);
      expect(err).toContain(`cannot be served on ${address}: another program listens there`);
      expect(err).toContain('next: name a free port with --health-addr');
    }
    expect((await ask('master-1', '/readyz')).status).toBe(200);
  });

  it('a master that is killed comes back with an address of its own', async () => {
    const before = addressOf('master-2');
    const { pid = 0 } = fleet.masters.find(({ name }) => name === 'master-2') ?? {};
    process.kill(pid, 'SIGKILL');
    await until(() => addressOf('master-2') !== before, 'the new address', 30_000);
    await until(async () => (await ask('master-2', '/readyz')).status === 200, 'it to be ready', 30_000);
  }, 70_000);

  it('a frozen NATS: daemons live and are not ready, doctor ends all the same; and all is well when it goes on', async () => {
    const server = fleet.servers[0]?.pid ?? 0;
    process.kill(server, 'SIGSTOP');
    try {
      for (const name of ['master-1', 'web-01']) {
        expect((await ask(name, '/healthz')).status).toBe(200);
        // An answer is good for a second, also one from before.
        const ready = await until(
          () => ask(name, '/readyz').then((answer) => (answer.status === 503 ? answer : undefined)),
          `${name} to be not ready`,
        );
        expect(((await ready.json()) as { status: string }).status).toBe('down');
      }
      const { code, of } = await doctor();
      expect([code, of('nats')?.verdict, of('auth-files')?.verdict]).toEqual([1, 'fail', 'ok']);
    } finally {
      process.kill(server, 'SIGCONT');
    }
    for (const name of ['master-1', 'web-01'])
      await until(
        async () => (await ask(name, '/readyz')).status === 200,
        `${name} to be ready again`,
        30_000,
      );
  }, 90_000);
});

describe('a fleet without masters', () => {
  it('master list and doctor say that there is none, and what to do', async () => {
    const dir = scratchDir();
    const { up } = await startFleet(dir, '--masters', '0', '--peels', '0');
    const listed = await zester(['master', 'list', '--dir', dir]);
    expect([listed.code, listed.out]).toEqual([1, '']);
    expect(listed.err).toContain('no master is alive [CLI_NO_MASTER]\n  next: start one');
    const { code, out } = await zester(['doctor', '--dir', dir]);
    expect(code).toBe(2);
    expect(out).toMatch(/\nfail +masters +no master is alive.*\n +fix: start a master/);
    up.child.kill('SIGINT');
    expect((await up.ended).code).toBe(0);
  }, 90_000);
});
