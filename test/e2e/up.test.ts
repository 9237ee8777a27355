/** `zester up` as a person uses and abuses it: started, stopped, killed, started twice. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBus } from '../../src/bus/bus.ts';
import { connectNats } from '../../src/bus/nats/nats-connection.ts';
import { credsPath, loadCreds } from '../../src/trust/auth-dir.ts';
import { natsAuthenticator } from '../../src/trust/nats-authenticator.ts';
import { BUCKETS } from '../../src/wire/buckets.ts';
import { type RunningProgram, scratchDir, startZester, zester } from '../harness/program.ts';
import { testRuntime } from '../harness/trusted-nats.ts';
import { until } from '../harness/until.ts';

interface UpRecord {
  readonly url: string;
  readonly pid: number;
  readonly adopted: boolean;
  readonly assets: readonly { readonly asset: string; readonly action: string }[];
}

async function up(dir: string): Promise<{ program: RunningProgram; record: UpRecord }> {
  const program = startZester(['up', '--dir', dir, '--format', 'json']);
  const record = await until(
    () => {
      if (program.child.exitCode !== null) throw new Error(program.err());
      return JSON.parse(program.out()) as UpRecord;
    },
    'zester up to be up',
    30_000,
  );
  return { program, record };
}

async function stop(program: RunningProgram): Promise<number | null> {
  program.child.kill('SIGINT');
  return (await program.ended).code;
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

const bucketOf = (url: string, dir: string) => {
  const auth = join(dir, 'auth');
  const connection = connectNats({
    servers: [url],
    name: 'test',
    inboxName: 'master',
    authenticator: natsAuthenticator(() => loadCreds(credsPath(auth, 'master'))),
    caFile: join(auth, 'ca/root.crt'),
    runtime: testRuntime,
  });
  const bus = openBus(connection, testRuntime);
  return { bus, files: bus.bucket(BUCKETS.stateFiles.name) };
};

describe('zester up', () => {
  it('makes a deployment, stops it on Ctrl-C, and finds it again with what it held and on the same port', async () => {
    const dir = scratchDir();
    const first = await up(dir);
    expect(first.record.assets.every(({ action }) => action === 'created')).toBe(true);
    const { bus, files } = bucketOf(first.record.url, dir);
    await bus.connected();
    await files.put('top.zy', Buffer.from('kept'));
    expect(await stop(first.program)).toBe(0);
    expect(isAlive(first.record.pid)).toBe(false);
    const second = await up(dir);
    expect(second.record).toMatchObject({ url: first.record.url, adopted: false });
    expect(second.record.assets.every(({ action }) => action === 'unchanged')).toBe(true);
    await until(() => bus.status() === 'connected', 'the client to be back by itself');
    const read = await files.get('top.zy');
    expect(read.found && Buffer.from(read.value).toString()).toBe('kept');
    await bus.close();
    expect(await stop(second.program)).toBe(0);
  });

  it('a second up on the same directory is refused with the first one’s pid, and does it no harm', async () => {
    const dir = scratchDir();
    const { program, record } = await up(dir);
    const refused = await zester(['up', '--dir', dir]);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('[SERVER_DIR_IN_USE]');
    expect(refused.err).toContain(String(program.child.pid));
    expect(isAlive(record.pid)).toBe(true);
    await stop(program);
  });

  it('two ups at the same moment on an empty directory: one wins, keys are not mixed', async () => {
    const dir = scratchDir();
    const programs = [1, 2].map(() => startZester(['up', '--dir', dir, '--format', 'json']));
    const loser = await until(
      () => programs.find(({ child }) => child.exitCode !== null),
      'one to give up',
      30_000,
    );
    expect(JSON.parse(loser.err())).toMatchObject({ error: { code: 'SERVER_DIR_IN_USE' } });
    const winner = programs.find((program) => program !== loser) as RunningProgram;
    const { url } = await until(() => JSON.parse(winner.out()) as UpRecord, 'the other to be up', 30_000);
    const { bus } = bucketOf(url, dir);
    await bus.connected();
    await bus.close();
    await stop(winner);
  });

  it('kill -9 of the server: it comes back on the same port, nothing acknowledged is lost', async () => {
    const dir = scratchDir();
    const { program, record } = await up(dir);
    const { bus, files } = bucketOf(record.url, dir);
    await bus.connected();
    const acknowledged: string[] = [];
    for (let i = 0; i < 50; i++) {
      await files.put(`file-${i}`, Buffer.from(String(i)));
      acknowledged.push(`file-${i}`);
    }
    process.kill(record.pid, 'SIGKILL');
    await until(() => bus.status() !== 'connected', 'the loss to be seen');
    await until(() => bus.status() === 'connected', 'the server to be back');
    const keys = await until(() => files.keys(), 'the store to be back');
    expect(keys).toEqual(acknowledged.sort());
    await bus.close();
    expect(await stop(program)).toBe(0);
  });

  it('kill -9 of up leaves the server running; the next up takes it over and can stop it', async () => {
    const dir = scratchDir();
    const first = await up(dir);
    first.program.child.kill('SIGKILL');
    await first.program.ended;
    expect(isAlive(first.record.pid)).toBe(true);
    const second = await up(dir);
    expect(second.record).toMatchObject({ url: first.record.url, pid: first.record.pid, adopted: true });
    expect(await stop(second.program)).toBe(0);
    expect(isAlive(first.record.pid)).toBe(false);
  });

  it.each([
    ['keys are being made', 'auth'],
    ['the server starts', 'nats/nats.pid'],
    ['masters and peels start', 'fleet.json'],
  ])(
    'an interruption while %s ends it without a fleet, leaves nothing running and does no harm',
    async (_stage, file) => {
      const dir = scratchDir();
      const interrupted = startZester(['up', '--dir', dir, '--format', 'json']);
      await until(() => existsSync(join(dir, file)), file);
      const pids = processesOf(dir);
      expect([await stop(interrupted), interrupted.out()]).toEqual([130, '']);
      expect(interrupted.err()).toContain('Stopped before it was up.');
      expect([...pids, ...processesOf(dir)].filter(isAlive)).toEqual([]);
      expect(existsSync(join(dir, 'fleet.json'))).toBe(false);
      const { program } = await up(dir);
      expect(await stop(program)).toBe(0);
    },
  );

  it('an interruption of --detach stops what runs in the background', async () => {
    const dir = scratchDir();
    const program = startZester(['up', '--dir', dir, '--detach']);
    const pids = await until(() => fleetPids(dir), 'the processes');
    program.child.kill('SIGINT');
    expect((await program.ended).code).toBe(130);
    expect([...pids, ...processesOf(dir)].filter(isAlive)).toEqual([]);
  });

  it('a server binary that does not work is explained', async () => {
    const { code, err } = await zester(['up', '--dir', scratchDir()], {
      env: { ZESTER_NATS_SERVER: '/bin/true' },
    });
    expect(code).toBe(1);
    expect(err).toContain('[SERVER_SETTING_UNUSABLE]');
  });
});

describe('zester up --detach', () => {
  it('returns when every peel can be reached, also right after a restart; zester down stops it', async () => {
    const dir = scratchDir();
    for (const life of ['first', 'second']) {
      const detached = await zester(['up', '--dir', dir, '--detach']);
      // On a busy machine it says whom it waits for.
      const said = detached.err.replace(/^Waiting for .*\n/gm, '');
      expect([life, detached.code, said]).toEqual([life, 0, '']);
      expect(detached.out).toContain('is up in the background');
      const ping = await zester(['*', 'test.ping', '--dir', dir, '--format', 'json']);
      const { returns } = JSON.parse(ping.out) as { returns: object };
      expect([life, ping.code, Object.keys(returns).sort()]).toEqual([
        life,
        0,
        ['db-01', 'web-01', 'web-02'],
      ]);
      const pids = fleetPids(dir);
      expect((await zester(['down', '--dir', dir])).code).toBe(0);
      expect([life, pids.filter(isAlive)]).toEqual([life, []]);
    }
    const log = readFileSync(join(dir, 'nats/server.log'), 'utf8');
    expect(log).toContain('Server is ready');
    expect(log).not.toMatch(/\[(ERR|WRN|FTL)\]/);
  }, 60_000);

  it('says why it did not come up', async () => {
    const dir = scratchDir();
    const { code, err } = await zester(['up', '--dir', dir, '--detach'], {
      env: { ZESTER_NATS_SERVER: '/bin/true' },
    });
    expect(code).toBe(1);
    expect(err).toContain('[CLI_UP_FAILED]');
    expect(err).toContain('[SERVER_SETTING_UNUSABLE]');
  });
});

describe('zester down', () => {
  it('stops a fleet that runs in the background', async () => {
    const dir = scratchDir();
    const words = ['up', '--dir', dir, '--masters', '1', '--peels', '1', '--detach', '--format', 'json'];
    const detached = await zester(words);
    expect(detached.code).toBe(0);
    const pids = fleetPids(dir);
    expect(JSON.parse(detached.out)).toMatchObject({ dir, pid: pids[0], missing: [] });
    expect(pids.filter(isAlive)).toEqual(pids);
    const down = await zester(['down', '--dir', dir]);
    expect([down.code, down.out]).toEqual([0, `Stopped the fleet in ${dir}\n`]);
    expect(pids.filter(isAlive)).toEqual([]);
    expect((await zester(['down', '--dir', dir])).out).toBe(`No fleet is up in ${dir}\n`);
  });

  it('ends what a killed up left running, also a process that had been restarted', async () => {
    const dir = scratchDir();
    const { program } = await up(dir);
    const [, , , , victim] = fleetPids(dir);
    process.kill(victim ?? 0, 'SIGKILL');
    const pids = await until(() => {
      const now = fleetPids(dir);
      return !now.includes(victim ?? 0) && now.every(isAlive) ? now : undefined;
    }, 'the peel to be back');
    program.child.kill('SIGKILL');
    await program.ended;
    const rest = pids.filter((pid) => pid !== program.child.pid);
    expect(rest.filter(isAlive)).toEqual(rest);
    expect((await zester(['down', '--dir', dir])).code).toBe(0);
    expect(rest.filter(isAlive)).toEqual([]);
  });
});

/** Of up, the server, the masters, the peels. */
function fleetPids(dir: string): number[] {
  const fleet = JSON.parse(readFileSync(join(dir, 'fleet.json'), 'utf8')) as {
    pid: number;
    serverPid: number;
    masters: { pid: number }[];
    peels: { pid: number }[];
  };
  return [fleet.pid, fleet.serverPid, ...[...fleet.masters, ...fleet.peels].map(({ pid }) => pid)];
}

/** Processes that were started for this directory: it is in their words or they stand in it. */
function processesOf(dir: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return /^\d+$/.test(name) && words.includes(dir) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}
