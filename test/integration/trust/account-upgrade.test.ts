/**
 * A deployment that an older Zester made gets the grants of this one, on a real nats-server, while its peels are connected and jobs
 * run; and by `zester auth upgrade`.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf } from '../../../src/accounts/next-docs.ts';
import { openAccountServers } from '../../../src/bus/account-servers.ts';
import { openTable } from '../../../src/bus/kv/table.ts';
import { connectNats } from '../../../src/bus/nats/nats-connection.ts';
import { OwnCredentials } from '../../../src/master/accounts/own-credentials.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { grantsVersionOf } from '../../../src/trust/accounts/claims.ts';
import { credsPath, loadCreds, loadMasterTrust } from '../../../src/trust/auth-dir.ts';
import { natsAuthenticator } from '../../../src/trust/nats-authenticator.ts';
import { GRANTS_VERSION } from '../../../src/wire/names/grants.ts';
import { ACCOUNT_DOCS_KEY } from '../../../src/wire/names/keys.ts';
import { TABLES } from '../../../src/wire/records/tables.ts';
import { JobsWorld } from '../../harness/jobs-world.ts';
import { oldDeployment } from '../../harness/old-deployment.ts';
import { scratchDir, zester } from '../../harness/programs/program.ts';
import { TrustedNats, testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const PEELS = ['web-01', 'web-02', 'web-03'];
const old = oldDeployment(systemClock.nowMs());
const authDir = join(scratchDir(), 'auth');
const world = new JobsWorld(new TrustedNats(old.topology));

beforeAll(async () => {
  old.writeAuthDir(authDir);
  // As its masters were: they knew of no documents.
  await world.open(1);
  // Peels of today ask for what the old grants do not have.
  world.server.expectViolation(/violation/i);
  await Promise.all(PEELS.map((id) => world.peel(id)));
});
afterAll(() => world.close());

function systemLine(own: OwnCredentials) {
  return connectNats({
    servers: [world.server.url],
    name: 'test-sys',
    inboxName: 'system',
    authenticator: natsAuthenticator(() => own.of('system')),
    caFile: world.trust.caFile,
    runtime: testRuntime,
  });
}

/** How a job on all of them ends. */
async function pinged(): Promise<string> {
  const job = world.job(PEELS);
  await world.dispatch(job);
  return (await world.ended(job)).status;
}

const versionOf = (role: 'master' | 'admin' | 'system') =>
  grantsVersionOf(loadCreds(credsPath(authDir, role)).claims.nats);

describe('a deployment of an older Zester', () => {
  it('gets the new grants from the first master of this version, and no job is lost', async () => {
    const authority = loadMasterTrust(authDir);
    const own = new OwnCredentials(authDir, authority, testRuntime);
    const line = systemLine(own);
    const servers = openAccountServers(line, testRuntime);
    let isOver = false;
    const jobs: Promise<string>[] = [];
    const sending = (async () => {
      while (!isOver) {
        jobs.push(pinged());
        await jobs.at(-1);
      }
    })();
    const master = world.master('new', {}, world.server.url, {
      accounts: {
        servers,
        authority,
        onSettled: (docs) => own.settled(docs) && line.reconnect(),
        onIntroduced: () => own.introduced() && line.reconnect(),
      },
    });
    await master.ready;
    // Its lease, once the first master has gone.
    await world.masters[0]?.stop();
    const table = openTable(world.admin, TABLES.accountDocs);
    await until(
      async () => {
        const read = await table.get(ACCOUNT_DOCS_KEY);
        if (read.is !== 'found') return false;
        const told = await servers.lookup(authority.public.agents.publicKey).catch((): string[] => []);
        return read.value.grantsVersion === GRANTS_VERSION && told.includes(read.value.agents);
      },
      'the new documents',
      40_000,
    );
    await until(() => versionOf('system') === GRANTS_VERSION, 'the system user');
    expect([versionOf('master'), versionOf('admin')]).toEqual([GRANTS_VERSION, GRANTS_VERSION]);
    jobs.push(pinged());
    isOver = true;
    await sending;
    expect(new Set(await Promise.all(jobs))).toEqual(new Set(['complete']));
    expect(jobs.length).toBeGreaterThan(3);
    await until(() => master.state().accountsProblem === '', 'nothing to tell');
    const files = loadMasterTrust(authDir).public;
    expect(grantsVersionOf(bodyOf(files.agents.jwt).nats)).toBe(GRANTS_VERSION);
    await line.close();
  });

  it('is told what it has by doctor, and nothing is left to do for auth upgrade', async () => {
    const place = ['--nats-url', world.server.url, '--auth-dir', authDir, '--ca', world.trust.caFile];
    const { code, out } = await zester(['auth', 'upgrade', ...place]);
    expect([code, out]).toEqual([0, expect.stringContaining('or a newer one')]);
    expect(out).toContain('1 NATS server: grants version 2');
    const doctor = await zester(['doctor', ...place, '--format', 'json']);
    const findings = JSON.parse(doctor.out) as { check: string; verdict: string; found: string }[];
    expect(findings.find(({ check }) => check === 'accounts')).toMatchObject({ verdict: 'ok' });
    expect(findings.find(({ check }) => check === 'credentials')).toMatchObject({ verdict: 'ok' });
  });
});

describe('zester auth upgrade', () => {
  it('does it alone: files without a server, then servers, and doctor names what was old', async () => {
    const lone = oldDeployment(systemClock.nowMs());
    const trust = new TrustedNats(lone.topology);
    const dir = join(scratchDir(), 'auth');
    lone.writeAuthDir(dir);
    const server = await trust.startServer();
    const place = ['--nats-url', server.url, '--auth-dir', dir, '--ca', trust.caFile];
    server.expectViolation(/violation/i);
    const before = await zester(['doctor', ...place, '--format', 'json']);
    const findings = JSON.parse(before.out) as { check: string; verdict: string; fix: string }[];
    for (const name of ['accounts', 'credentials'])
      expect(findings.find(({ check }) => check === name)).toMatchObject({
        verdict: 'warn',
        fix: expect.stringContaining('zester auth upgrade'),
      });
    await server.kill9();
    const offline = await zester(['auth', 'upgrade', ...place]);
    expect(offline.out).toContain('master.creds');
    expect(offline.out).toContain('No NATS server was told');
    expect(offline.code).toBe(0);
    await server.restart();
    const online = await zester(['auth', 'upgrade', ...place, '--format', 'json']);
    expect(JSON.parse(online.out)).toMatchObject({
      reached: true,
      trouble: '',
      files: expect.arrayContaining([{ file: 'sys.creds', from: 1, to: GRANTS_VERSION }]),
      servers: [{ taken: true }],
    });
    const again = await zester(['auth', 'upgrade', ...place, '--format', 'json']);
    expect(JSON.parse(again.out)).toMatchObject({ files: [], servers: [], reached: true, trouble: '' });
    await server.stop();
  });
});
