/** The built program zester-peel, on a real nats-server. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { JOB_SUBJECTS, parseJobSubject } from '../../../src/wire/names/subjects.ts';
import { PeelOnNats } from '../../harness/peel/peel-on-nats.ts';
import { until } from '../../harness/until.ts';

describe('zester-peel', () => {
  const returnsHeard = new Map<string, number>();
  let nats: PeelOnNats;

  beforeAll(async () => {
    nats = await PeelOnNats.open();
    await nats.master.subscribe(JOB_SUBJECTS, ({ subject }) => {
      const parsed = parseJobSubject(subject);
      if (parsed?.kind === 'return') returnsHeard.set(parsed.jid, (returnsHeard.get(parsed.jid) ?? 0) + 1);
    });
  }, 60_000);
  afterEach(() => nats.killPeels());
  afterAll(() => nats.close());

  it('says what it is, and refuses what it does not know', async () => {
    expect(await nats.run(['--version']).ended).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^zester-peel \S+ \(commit [0-9a-f]+.*, Node v/),
    });
    expect(await nats.run(['--nats-ulr', 'x']).ended).toMatchObject({
      code: 1,
      err: expect.stringContaining('did you mean --nats-url?'),
    });
    expect(await nats.start([], [], 'nats://127.0.0.1:4222').ended).toMatchObject({
      code: 1,
      err: expect.stringContaining('BUS_URL_NOT_TLS'),
    });
  });

  it('runs a command, and stops in order at SIGTERM', async () => {
    const peel = nats.start();
    await nats.beatsAgain();
    const asked = nats.request('cmd.run', { id: 'echo hello from $(id -un)' });
    nats.send(asked);
    expect(await nats.returnOf(asked)).toMatchObject({ success: true, peelId: nats.peelId });
    const long = nats.request('test.sleep', { id: '60' });
    nats.send(long);
    await until(() => peel.err().includes(long.jid), 'the long job to start');
    peel.child.kill('SIGTERM');
    expect((await peel.ended).code).toBe(0);
    expect(await nats.returnOf(long)).toMatchObject({ success: false, error: 'interrupted by restart' });
  });

  it('killed between accept and return, it reports the job as interrupted and does not run it again', async () => {
    const file = join(nats.dir, 'ran');
    const peel = nats.start();
    await nats.beatsAgain();
    const asked = nats.request('cmd.run', { id: `echo ran >> ${file}; sleep 5` });
    nats.send(asked);
    await until(() => readFileSync(file, 'utf8') === 'ran\n', 'the command to run');
    peel.child.kill('SIGKILL');
    await peel.ended;
    nats.start();
    expect(await nats.returnOf(asked)).toMatchObject({
      success: false,
      error: expect.stringMatching(
        /^interrupted by restart; its command \(pid \d+\) was still running and was ended$/,
      ),
    });
    await nats.beatsAgain();
    nats.send(asked);
    await until(() => (returnsHeard.get(asked.jid) ?? 0) > 1, 'the return to be sent again');
    expect(readFileSync(file, 'utf8')).toBe('ran\n');
  });

  it('killed, it ends the command that lives on, before it changes anything else, and no service that was started', async () => {
    const file = (name: string) => join(nats.dir, name);
    const pidIn = (name: string) => Number(readFileSync(file(name), 'utf8'));
    const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && !/^State:\s*Z/m.test(statusOf(pid));
    const peel = nats.start();
    await nats.beatsAgain();
    const script = [
      `setsid sleep 1000 & echo $! > ${file('service')}`,
      `trap "" TERM; echo $$ > ${file('leader')}; echo begun > ${file('begun')}`,
      `while :; do sleep 0.05; echo alive > ${file('sign')}; done`,
    ].join('\n');
    const asked = nats.request('cmd.run', { id: script });
    nats.send(asked);
    await until(() => existsSync(file('sign')), 'the command to run');
    peel.child.kill('SIGKILL');
    await peel.ended;
    const [leader, service] = [pidIn('leader'), pidIn('service')];
    expect(isAlive(leader)).toBe(true);
    nats.start();
    const next = nats.request('cmd.run', {
      id: `rm -f ${file('sign')}; sleep 0.3; test ! -e ${file('sign')}`,
    });
    await nats.beatsAgain();
    nats.send(next);
    expect(await nats.returnOf(asked)).toMatchObject({
      error: `interrupted by restart; its command (pid ${leader}) was still running and was ended`,
    });
    expect(await nats.returnOf(next)).toMatchObject({ success: true });
    expect([isAlive(leader), isAlive(service)]).toEqual([false, true]);
    process.kill(service, 'SIGKILL');
  }, 60_000);

  it('two of them on one directory are refused', async () => {
    nats.start();
    await nats.beatsAgain();
    expect(await nats.start().ended).toMatchObject({
      code: 1,
      err: expect.stringContaining('in use by process'),
    });
  });

  it('a return made while NATS is away is sent when it is back', async () => {
    const peel = nats.start();
    await nats.beatsAgain();
    const asked = nats.request('test.sleep', { id: '2' });
    nats.send(asked);
    await until(() => peel.err().includes(asked.jid), 'the job to start');
    await nats.server.kill9();
    await until(() => peel.err().includes('job ended'), 'the job to end');
    await nats.server.restart();
    expect(await nats.returnOf(asked)).toMatchObject({ success: true });
  });
});

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return 'State:\tZ';
  }
}
