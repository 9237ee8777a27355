/**
 * This benchmark measures what the programs cost by themselves: memory of an idle peel that is connected, and the bytes
 * it causes on the network in a minute (as they pass a proxy, with TLS, both ways).
 *
 *   npm run bench -- daemons
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalDeployment } from '../src/local-fleet/local-deployment.ts';
import { sleep } from '../src/runtime/clock.ts';
import { jsonLog } from '../src/runtime/log.ts';
import { systemClock } from '../src/runtime/system-clock.ts';
import { systemRandom } from '../src/runtime/system-random.ts';
import { mintPeelUser } from '../src/trust/accounts/users.ts';
import { loadMasterTrust } from '../src/trust/auth-dir.ts';
import { formatCreds } from '../src/trust/creds.ts';
import { newSigningKey } from '../src/trust/nkeys.ts';
import { rootPath } from '../src/trust/x509/ca-dir.ts';
import { BUCKETS } from '../src/wire/names/buckets.ts';
import { countingProxy } from './counting-proxy.ts';
import { rssMb } from './process-cost.ts';

const PEEL = 'idle-01';
const SETTLE_MS = 10_000;
const MINUTE_MS = 60_000;
const AIMS = { peelMb: 60 };
const runtime = {
  clock: systemClock,
  random: systemRandom,
  log: jsonLog({ clock: systemClock, write: (line) => process.stderr.write(line), level: 'error' }),
};

function writePeelCreds(dir: string, authDir: string): string {
  const { agentsSigning, public: known } = loadMasterTrust(authDir);
  const key = newSigningKey('user', systemRandom);
  const nowMs = systemClock.nowMs();
  const jwt = mintPeelUser(agentsSigning, {
    agentsAccount: known.agents.publicKey,
    peelId: PEEL,
    userPublicKey: key.publicKey,
    nowMs,
    expiresAtMs: nowMs + 60 * MINUTE_MS,
  });
  const path = join(dir, 'peel.creds');
  writeFileSync(path, formatCreds(jwt, key), { mode: 0o600 });
  return path;
}

async function idlePeel(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'zester-bench-'));
  const deployment = await startLocalDeployment(dir, {
    runtime,
    env: process.env,
    operator: 'bench',
    onEvent: console.error,
  });
  const { authDir } = deployment;
  const proxy = await countingProxy(deployment.url);
  const master = spawn(
    process.execPath,
    ['dist/zester-master.cjs', '--nats-url', deployment.url, '--auth-dir', authDir, '--log-level', 'error'],
    { stdio: 'ignore' },
  );
  const options = {
    id: PEEL,
    'nats-url': proxy.url,
    creds: writePeelCreds(dir, authDir),
    ca: rootPath(authDir),
    'data-dir': join(dir, 'peel'),
  };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const peel = spawn(process.execPath, ['dist/zester-peel.cjs', ...words], { stdio: 'ignore' });
  try {
    const facts = deployment.bus.bucket(BUCKETS.facts.name);
    while ((await facts.keys()).length === 0) await sleep(systemClock, 100);
    await sleep(systemClock, SETTLE_MS);
    const before = { ...proxy.count };
    await sleep(systemClock, MINUTE_MS);
    const [up, down] = [proxy.count.up - before.up, proxy.count.down - before.down];
    console.log(
      `an idle peel: ${rssMb(peel.pid ?? 0).toFixed(0)} MB RSS (aim ${AIMS.peelMb}), ${up} bytes up and ${down} bytes down in a minute`,
    );
    console.log(`an idle master: ${rssMb(master.pid ?? 0).toFixed(0)} MB RSS`);
  } finally {
    peel.kill('SIGTERM');
    master.kill('SIGTERM');
    proxy.close();
    await deployment.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

await idlePeel();
