/**
 * This benchmark measures what a change of the peels' template costs a fleet: the server cuts every peel off, they log in again with
 * jitter, and jobs go on. A fleet of N peels is connected under an older template; the built master finds it and hands the
 * servers the document of today, while jobs on all peels follow each other.
 *
 *   npm run bench -- accounts [--peels 1000]
 *
 * Told: how long the last peel took to be back, how many logged in at the worst moment, how many jobs ran meanwhile, and how
 * many targets were lost (none may be).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openAccountServers } from '../src/bus/account-servers.ts';
import { connectNats } from '../src/bus/nats/nats-connection.ts';
import type { Bus } from '../src/bus/port.ts';
import { startLocalDeployment } from '../src/local-fleet/local-deployment.ts';
import { sleep } from '../src/runtime/clock.ts';
import { newKsuid } from '../src/runtime/ids.ts';
import { jsonLog } from '../src/runtime/log.ts';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import type { AccountBody } from '../src/trust/accounts/claims.ts';
import { decodeJwt, encodeJwt } from '../src/trust/accounts/jwt.ts';
import { credsPath, loadCreds, loadMasterTrust } from '../src/trust/auth-dir.ts';
import { natsAuthenticator } from '../src/trust/nats-authenticator.ts';
import { rootPath } from '../src/trust/x509/ca-dir.ts';
import { BUCKETS } from '../src/wire/names/buckets.ts';
import type { Jid, PeelId } from '../src/wire/names/ids.ts';
import { jobKey, jobReturnPattern } from '../src/wire/names/keys.ts';
import { DISPATCH_SUBJECT } from '../src/wire/names/subjects.ts';
import { jobCodec } from '../src/wire/records/job.ts';
import { rowCodec } from '../src/wire/records/job-return.ts';
import { startPeelHosts } from './peel-hosts.ts';

const { values: options } = parseArgs({ options: { peels: { type: 'string', default: '1000' } } });
const PEELS = Number(options.peels);
const SLOT_MS = 100;
const POLL_MS = 50;
const END_MS_MAX = 120_000;
const runtime = {
  clock: systemClock,
  random: systemRandom,
  log: jsonLog({ clock: systemClock, write: (line) => process.stderr.write(line), level: 'error' }),
};

/** As it was before a right was added: signed a second earlier. */
function olderTemplate(authDir: string): string {
  const { public: known, operatorSigning } = loadMasterTrust(authDir);
  const { sub, name, iat, nats } = decodeJwt<AccountBody>(known.agents.jwt, 'account');
  const keys = (nats.signing_keys ?? []).map((key) =>
    typeof key === 'string' ? key : { ...key, template: { ...key.template, subs: key.template.subs - 1 } },
  );
  const body = { ...nats, signing_keys: keys };
  return encodeJwt({ subject: sub, name, issuedAtMs: (iat - 1) * 1_000, nats: body }, operatorSigning);
}

async function until(isThere: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = systemClock.monotonicMs() + END_MS_MAX;
  while (!(await isThere())) {
    if (systemClock.monotonicMs() > endMs) throw new Error('it took too long');
    await sleep(systemClock, POLL_MS);
  }
}

/** How many targets of one job on all of them did not answer. */
async function lostIn(bus: Bus, targets: readonly PeelId[]): Promise<number> {
  const jid = newKsuid(systemClock, systemRandom) as Jid;
  const timeout = 60_000_000_000n;
  const job = jobCodec.create({ jid, function: 'test.ping', targets, timeout, status: 'pending' });
  // As the command line does it: again until a master answers.
  await until(() =>
    bus
      .request(DISPATCH_SUBJECT, jobCodec.encode(job), { timeoutMs: 5_000 })
      .then(() => true)
      .catch(() => false),
  );
  await until(async () => {
    const read = await bus.bucket(BUCKETS.jobs.name).getLatest(jobKey(jid));
    return read.found && !['claimed', 'running', 'pending'].includes(jobCodec.decode(read.value).status);
  });
  const rows = await bus.bucket(BUCKETS.jobReturns.name).entries(jobReturnPattern(jid));
  return targets.length - rows.filter(({ value }) => rowCodec.decode(value).outcome === 'returned').length;
}

const dir = mkdtempSync(join(tmpdir(), 'zester-bench-'));
const children: ChildProcess[] = [];
const deployment = await startLocalDeployment(dir, { runtime, env: process.env, operator: 'bench' });
const { url, authDir, bus } = deployment;
const system = connectNats({
  servers: url.split(','),
  name: 'bench-sys',
  inboxName: 'system',
  authenticator: natsAuthenticator(() => loadCreds(credsPath(authDir, 'system'))),
  caFile: rootPath(authDir),
  runtime,
});
try {
  const servers = openAccountServers(system, runtime);
  await until(() => system.status() === 'connected');
  await servers.push(olderTemplate(authDir));
  children.push(...(await startPeelHosts({ mode: 'peel', url, authDir, first: 0, count: PEELS })));
  const names = Array.from({ length: PEELS }, (_, i) => `peel-${i}` as PeelId);
  await until(async () => (await bus.bucket(BUCKETS.facts.name).keys()).length >= PEELS);

  const { agents } = loadMasterTrust(authDir).public;
  const logins: number[] = [];
  let changedMs = 0;
  system.subscribe(`$SYS.ACCOUNT.${agents.publicKey}.CONNECT`, undefined, () => {
    logins.push(systemClock.monotonicMs());
  });
  servers.onPush((jwt) => {
    if (jwt === agents.jwt && changedMs === 0) changedMs = systemClock.monotonicMs();
  });
  await system.flush();
  const args = ['--auth-dir', authDir, '--nats-url', url, '--log-level', process.env.BENCH_LOG ?? 'error'];
  children.push(
    spawn(process.execPath, [join('dist', 'zester-master.cjs'), ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const losses: number[] = [];
  let isBack = false;
  while (!isBack) {
    losses.push(await lostIn(bus, names));
    isBack = logins.length >= PEELS;
  }
  losses.push(await lostIn(bus, names));
  const slots = new Map<number, number>();
  for (const ms of logins) {
    const slot = Math.floor((ms - changedMs) / SLOT_MS);
    slots.set(slot, (slots.get(slot) ?? 0) + 1);
  }
  const lastMs = (logins.at(PEELS - 1) ?? 0) - changedMs;
  const lost = losses.reduce((sum, each) => sum + each, 0);
  console.log(
    `${PEELS} peels, nats-server ${deployment.serverVersion}: all logged in again ${(lastMs / 1_000).toFixed(1)} s after the new template, ` +
      `at most ${Math.max(...slots.values())} within ${SLOT_MS} ms, ${logins.length} logins; ` +
      `${losses.length} jobs on all of them meanwhile, ${lost} targets lost`,
  );
  if (lost > 0) process.exitCode = 1;
} finally {
  for (const child of children) child.kill('SIGKILL');
  await system.close();
  await deployment.stop();
  rmSync(dir, { recursive: true, force: true });
}
