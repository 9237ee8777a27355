/** The built program zester-peel, on a real nats-server. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ensureAssets } from '../../../src/bus/assets.ts';
import { openBus } from '../../../src/bus/bus.ts';
import type { Bus } from '../../../src/bus/port.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import { commandKeyOf } from '../../../src/trust/command-key.ts';
import { makeCommandProof, proofKeyForPeel } from '../../../src/trust/command-proof.ts';
import { formatCreds } from '../../../src/trust/creds.ts';
import { curveKeyOf, type SigningKey } from '../../../src/trust/nkeys.ts';
import { encodeBase64url } from '../../../src/wire/msgpack/base64url.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import { ALL_BUCKETS, BUCKETS } from '../../../src/wire/names/buckets.ts';
import { PROOF_HEADER } from '../../../src/wire/names/headers.ts';
import type { Jid, PeelId } from '../../../src/wire/names/ids.ts';
import { COMMAND_KEY, MASTER_CURVE_KEY } from '../../../src/wire/names/keys.ts';
import { ALL_OBJECT_STORES, ALL_STREAMS, STREAMS } from '../../../src/wire/names/streams.ts';
import {
  commandSubject,
  JOB_SUBJECTS,
  jobReturnSubject,
  parseJobSubject,
} from '../../../src/wire/names/subjects.ts';
import { type ExecRequest, execRequestCodec } from '../../../src/wire/records/exec.ts';
import { type Return, returnCodec } from '../../../src/wire/records/job-return.ts';
import { formatProof } from '../../../src/wire/records/proof-header.ts';
import {
  ROOT,
  type RunningProgram,
  scratchDir,
  start as startProgram,
} from '../../harness/programs/program.ts';
import type { TestServer } from '../../harness/servers/nats-server.ts';
import { TrustedNats, testRuntime } from '../../harness/servers/trusted-nats.ts';
import { until } from '../../harness/until.ts';

const PEEL = 'web-01' as PeelId;

describe('zester-peel', () => {
  const trust = new TrustedNats();
  const dir = scratchDir();
  const credsFile = join(dir, `${PEEL}.creds`);
  const peels = new Set<RunningProgram>();
  const returnsHeard = new Map<string, number>();
  let peelKey: SigningKey;
  let server: TestServer;
  let master: Bus;

  beforeAll(async () => {
    server = await trust.startServer();
    const { jwt, key } = trust.creds('peel', PEEL);
    peelKey = key;
    writeFileSync(credsFile, formatCreds(jwt, key), { mode: 0o600 });
    master = openBus(trust.connect([server.url], 'master', 'master'), testRuntime);
    await master.connected();
    await ensureAssets(
      master,
      { buckets: ALL_BUCKETS, streams: ALL_STREAMS, objectStores: ALL_OBJECT_STORES },
      1,
    );
    const secrets = master.bucket(BUCKETS.secrets.name);
    const { control } = trust.topology;
    await secrets.put(MASTER_CURVE_KEY, Buffer.from(curveKeyOf(control).publicKey));
    await secrets.put(COMMAND_KEY, Buffer.from(encodeBase64url(commandKeyOf(control).publicKey)));
    await master.subscribe(JOB_SUBJECTS, ({ subject }) => {
      const parsed = parseJobSubject(subject);
      if (parsed?.kind === 'return') returnsHeard.set(parsed.jid, (returnsHeard.get(parsed.jid) ?? 0) + 1);
    });
  }, 60_000);
  afterEach(async () => {
    for (const peel of peels) peel.child.kill('SIGKILL');
    await Promise.all([...peels].map((peel) => peel.ended));
    peels.clear();
  });
  afterAll(async () => {
    await master.close();
    await server.stop();
  });

  function run(...args: string[]): RunningProgram {
    const peel = startProgram(process.execPath, [join(ROOT, 'dist/zester-peel.cjs'), ...args]);
    peels.add(peel);
    return peel;
  }

  const start = (url = server.url) =>
    run('--nats-url', url, '--creds', credsFile, '--ca', trust.caFile, '--data-dir', join(dir, 'data'));

  function request(module: string, given: Partial<ExecRequest> = {}): ExecRequest {
    const jid = newKsuid(systemClock, systemRandom) as Jid;
    const deadline = nanosFromMs(systemClock.nowMs() + 60_000);
    return execRequestCodec.create({ protocol: 1, jid, module, epoch: 3, deadline, ...given });
  }

  function send(asked: ExecRequest): void {
    const payload = execRequestCodec.encode(asked);
    const key = proofKeyForPeel(curveKeyOf(trust.topology.control), curveKeyOf(peelKey).publicKey);
    if (key === undefined) throw new Error('no proof key');
    const proof = formatProof(makeCommandProof(key, PEEL, payload));
    master.publish(commandSubject(PEEL), payload, { headers: new Map([[PROOF_HEADER, proof]]) });
  }

  const heartbeat = async () => {
    const read = await master.bucket(BUCKETS.peelHeartbeat.name).get(PEEL);
    return read.found ? read.revision : 0;
  };
  const beatsAgain = async () => {
    const before = await heartbeat();
    await until(async () => (await heartbeat()) > before, 'a new heartbeat');
  };
  /** From the stream: the return may come before the master is connected again. */
  async function returnOf(asked: ExecRequest): Promise<Return> {
    return until(async () => {
      let found: Return | undefined;
      const filter = jobReturnSubject(asked.jid, PEEL);
      await master.stream(STREAMS.jobEvents.name).replay({ filter }, ({ data }) => {
        found ??= returnCodec.decode(data);
      });
      return found;
    }, `the return of ${asked.jid}`);
  }

  it('says what it is, and refuses what it does not know', async () => {
    expect(await run('--version').ended).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^zester-peel \S+ \(commit [0-9a-f]+.*, Node v/),
    });
    expect(await run('--nats-ulr', 'x').ended).toMatchObject({
      code: 1,
      err: expect.stringContaining('did you mean --nats-url?'),
    });
    expect(await start('nats://127.0.0.1:4222').ended).toMatchObject({
      code: 1,
      err: expect.stringContaining('BUS_URL_NOT_TLS'),
    });
  });

  it('runs a command, and stops in order at SIGTERM', async () => {
    const peel = start();
    await beatsAgain();
    const asked = request('cmd.run', { id: 'echo hello from $(id -un)' });
    send(asked);
    expect(await returnOf(asked)).toMatchObject({ success: true, peelId: PEEL });
    const long = request('test.sleep', { id: '60' });
    send(long);
    await until(() => peel.err().includes(long.jid), 'the long job to start');
    peel.child.kill('SIGTERM');
    expect((await peel.ended).code).toBe(0);
    expect(await returnOf(long)).toMatchObject({ success: false, error: 'interrupted by restart' });
  });

  it('killed between accept and return, it reports the job as interrupted and does not run it again', async () => {
    const file = join(dir, 'ran');
    const peel = start();
    await beatsAgain();
    const asked = request('cmd.run', { id: `echo ran >> ${file}; sleep 5` });
    send(asked);
    await until(() => readFileSync(file, 'utf8') === 'ran\n', 'the command to run');
    peel.child.kill('SIGKILL');
    await peel.ended;
    start();
    expect(await returnOf(asked)).toMatchObject({
      success: false,
      error: expect.stringMatching(
        /^interrupted by restart; its command \(pid \d+\) was still running and was ended$/,
      ),
    });
    await beatsAgain();
    send(asked);
    await until(() => (returnsHeard.get(asked.jid) ?? 0) > 1, 'the return to be sent again');
    expect(readFileSync(file, 'utf8')).toBe('ran\n');
  });

  it('killed, it ends the command that lives on, before it changes anything else, and no service that was started', async () => {
    const file = (name: string) => join(dir, name);
    const pidIn = (name: string) => Number(readFileSync(file(name), 'utf8'));
    const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && !/^State:\s*Z/m.test(statusOf(pid));
    const peel = start();
    await beatsAgain();
    const script = [
      `setsid sleep 1000 & echo $! > ${file('service')}`,
      `trap "" TERM; echo $$ > ${file('leader')}; echo begun > ${file('begun')}`,
      `while :; do sleep 0.05; echo alive > ${file('sign')}; done`,
    ].join('\n');
    const asked = request('cmd.run', { id: script });
    send(asked);
    await until(() => existsSync(file('sign')), 'the command to run');
    peel.child.kill('SIGKILL');
    await peel.ended;
    const [leader, service] = [pidIn('leader'), pidIn('service')];
    expect(isAlive(leader)).toBe(true);
    start();
    const next = request('cmd.run', { id: `rm -f ${file('sign')}; sleep 0.3; test ! -e ${file('sign')}` });
    await beatsAgain();
    send(next);
    expect(await returnOf(asked)).toMatchObject({
      error: `interrupted by restart; its command (pid ${leader}) was still running and was ended`,
    });
    expect(await returnOf(next)).toMatchObject({ success: true });
    expect([isAlive(leader), isAlive(service)]).toEqual([false, true]);
    process.kill(service, 'SIGKILL');
  }, 60_000);

  it('two of them on one directory are refused', async () => {
    start();
    await beatsAgain();
    expect(await start().ended).toMatchObject({ code: 1, err: expect.stringContaining('in use by process') });
  });

  it('a return made while NATS is away is sent when it is back', async () => {
    const peel = start();
    await beatsAgain();
    const asked = request('test.sleep', { id: '2' });
    send(asked);
    await until(() => peel.err().includes(asked.jid), 'the job to start');
    await server.kill9();
    await until(() => peel.err().includes('job ended'), 'the job to end');
    await server.restart();
    expect(await returnOf(asked)).toMatchObject({ success: true });
  });
});

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return 'State:\tZ';
  }
}
