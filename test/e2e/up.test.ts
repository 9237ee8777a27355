/** `zester up` as a person uses and abuses it: started, stopped, killed, started twice. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBus } from '../../src/bus/bus.ts';
import { connectNats } from '../../src/bus/nats/nats-connection.ts';
import { serversIn } from '../../src/nats-server/orphans.ts';
import { credsPath, loadCreds } from '../../src/trust/auth-dir.ts';
import { natsAuthenticator } from '../../src/trust/nats-authenticator.ts';
import { ALL_BUCKETS, BUCKETS } from '../../src/wire/names/buckets.ts';
import { ALL_STREAMS } from '../../src/wire/names/streams.ts';
import { type RunningProgram, scratchDir, startZester, zester } from '../harness/programs/program.ts';
import { testRuntime } from '../harness/servers/trusted-nats.ts';
import { until } from '../harness/until.ts';

interface UpRecord {
  readonly url: string;
  readonly pid: number;
  readonly servers: readonly { readonly pid: number }[];
  readonly adopted: boolean;
  readonly assets: readonly { readonly asset: string; readonly action: string }[];
}

const serverPid = ({ servers }: UpRecord) => servers[0]?.pid ?? 0;

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
  // One in which neither masters nor peels write yet.
  return { bus, files: bus.bucket(BUCKETS.basket.name) };
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
    expect(isAlive(serverPid(first.record))).toBe(false);
    const second = await up(dir);
    expect(second.record).toMatchObject({ url: first.record.url, adopted: false });
    const inMemory = [...ALL_BUCKETS, ...ALL_STREAMS].filter(({ storage }) => storage === 'memory');
    // What a single server keeps in memory is gone with its process, and made again.
    expect(second.record.assets.filter(({ action }) => action !== 'unchanged')).toHaveLength(inMemory.length);
    await until(() => bus.status() === 'connected', 'the client to be back by itself');
    const read = await files.get('top.zy');
    expect(read.found && Buffer.from(read.value).toString()).toBe('kept');
    await bus.close();
    expect(await stop(second.program)).toBe(0);
  });

  it('peels of a fleet that an older Zester made keep their keys and join with them', async () => {
    const dir = scratchDir();
    const first = await up(dir);
    const home = join(dir, 'peels/web-01');
    const before = loadCreds(join(home, 'auth/web-01.creds')).key.publicKey;
    expect(await stop(first.program)).toBe(0);
    // As it was: credentials that `up` made itself, beside the data.
    renameSync(join(home, 'auth/web-01.creds'), join(home, 'web-01.creds'));
    rmSync(join(home, 'auth'), { recursive: true });
    const second = await up(dir);
    expect(loadCreds(join(home, 'auth/web-01.creds')).key.publicKey).toBe(before);
    expect((await zester(['web-01', 'test.ping', '--dir', dir])).code).toBe(0);
    // Nobody else can read the token, and it is gone.
    expect(readdirSync(join(home, 'auth'))).not.toContain('join-token');
    expect(await stop(second.program)).toBe(0);
  });

  it('down of what is no directory says that no fleet is up there', async () => {
    const { code, out } = await zester(['down', '--dir', '/etc/hostname']);
    expect([code, out]).toEqual([0, 'No fleet is up in /etc/hostname\n']);
  });

  it('a second up on the same directory is refused with the first one’s pid, and does it no harm', async () => {
    const dir = scratchDir();
    const { program, record } = await up(dir);
    const refused = await zester(['up', '--dir', dir]);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('[SERVER_DIR_IN_USE]');
    expect(refused.err).toContain(String(program.child.pid));
    // A `down` without the directory would stop the fleet of another one.
    expect(refused.err).toContain(`down --dir ${dir}\``);
    expect(isAlive(serverPid(record))).toBe(true);
    await stop(program);
  });

  it('what a command line or a variable names is not ignored because a local fleet is up', async () => {
    const dir = scratchDir();
    const { program } = await up(dir);
    const other = scratchDir();
    await zester(['auth', 'init', '--dir', other]);
    await zester(['ca', 'init', '--dir', other]);
    const ca = join(other, 'ca/root.crt');
    const ours = join(dir, 'auth/ca/root.crt');
    const codes = async (words: readonly string[], env = {}) => {
      const { code, err } = await zester(['peel', 'list', '--format', 'json', ...words], { env });
      return code === 0 ? 'OK' : (JSON.parse(err) as { error: { code: string } }).error.code;
    };
    expect(await codes(['--dir', dir, '--ca', ca])).toBe('BUS_CERTIFICATE');
    // What the system trusts is nothing to us.
    expect(await codes(['--dir', dir, '--ca', ca], { SSL_CERT_FILE: ours })).toBe('BUS_CERTIFICATE');
    expect(await codes(['--dir', dir, '--ca', '/nowhere'])).toBe('BUS_CA_FILE');
    expect(await codes(['--dir', dir, '--auth-dir', other, '--ca', ours])).toBe('BUS_CREDENTIALS');
    expect(await codes(['--dir', dir, '--nats-url', 'tls://127.0.0.1:1'])).toBe('CLI_TWO_PLACES');
    expect(await codes([], { ZESTER_DIR: dir, NATS_CA_FILE: ca })).toBe('BUS_CERTIFICATE');
    expect(await codes([], { ZESTER_DIR: dir, NATS_URL: 'tls://127.0.0.1:1' })).toBe('CLI_TWO_PLACES');
    expect(await codes([], { ZESTER_DIR: dir, NATS_CA_FILE: ours })).toBe('OK');
    expect(await codes(['--dir', dir], { NATS_CA_FILE: ca })).toBe('OK');
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
    process.kill(serverPid(record), 'SIGKILL');
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
    expect(isAlive(serverPid(first.record))).toBe(true);
    const second = await up(dir);
    expect(second.record).toMatchObject({
      url: first.record.url,
      pid: second.program.child.pid,
      adopted: true,
    });
    expect(serverPid(second.record)).toBe(serverPid(first.record));
    expect(await stop(second.program)).toBe(0);
    expect(isAlive(serverPid(first.record))).toBe(false);
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

  it('says what it waits for, and can be left: what it has asked to end does so', async () => {
    const dir = scratchDir();
    await zester(['up', '--dir', dir, '--masters', '0', '--peels', '0', '--detach']);
    const pids = fleetPids(dir);
    const [supervisor = 0] = pids;
    process.kill(supervisor, 'SIGSTOP');
    const down = startZester(['down', '--dir', dir]);
    const waits = `zester: waiting for zester up (pid ${supervisor}), `;
    await until(() => down.err().includes(waits), 'the wait to be told', 20_000);
    down.child.kill('SIGINT');
    const { code, err } = await down.ended;
    expect([code, err]).toEqual([
      130,
      expect.stringMatching(/may still do so.*\n {2}next: .*zester down --dir /),
    ]);
    process.kill(supervisor, 'SIGCONT');
    await until(() => pids.filter(isAlive).length === 0, 'the fleet to end', 30_000);
  }, 90_000);

  it('ends a server that was restarted before up was killed, and says what it ended', async () => {
    const dir = scratchDir();
    const { program, record } = await up(dir);
    process.kill(serverPid(record), 'SIGKILL');
    const server = await until(() => {
      const [pid] = serverPids(dir);
      return pid !== undefined && pid !== serverPid(record) ? pid : undefined;
    }, 'the server to be started again');
    // The record follows it, a moment later.
    await until(() => fleetPids(dir)[1] === server, 'the record to name it');
    program.child.kill('SIGKILL');
    await program.ended;
    expect(isAlive(server)).toBe(true);
    const { code, out } = await zester(['down', '--dir', dir]);
    expect([code, isAlive(server), serverPids(dir)]).toEqual([0, false, []]);
    expect(out).toContain(`nats (pid ${server})`);
    expect(await zester(['down', '--dir', dir])).toMatchObject({
      code: 0,
      out: `No fleet is up in ${dir}\n`,
    });
  });

  it('believes the kernel, not the record: a wrong one misleads it in no direction', async () => {
    const dir = scratchDir();
    const { program } = await up(dir);
    const pids = fleetPids(dir);
    const file = join(dir, 'fleet.json');
    const bystander = startZester(['sim', '--help']).child;
    const record = JSON.parse(readFileSync(file, 'utf8')) as object;
    const wrong = [{ name: 'x', pid: process.pid }];
    writeFileSync(file, JSON.stringify({ ...record, pid: bystander.pid, servers: wrong, masters: wrong }));
    program.child.kill('SIGKILL');
    await program.ended;
    expect((await zester(['down', '--dir', dir])).code).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  it('does not say stopped of a fleet that was gone already', async () => {
    const dir = scratchDir();
    const { program } = await up(dir);
    for (const pid of fleetPids(dir).reverse()) process.kill(pid, 'SIGKILL');
    await program.ended;
    await until(() => fleetPids(dir).every((pid) => !isAlive(pid)), 'all to be gone');
    const down = await zester(['down', '--dir', dir, '--format', 'json']);
    expect(JSON.parse(down.out)).toEqual({ dir, was_up: false, ended: [] });
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
    servers: { pid: number }[];
    masters: { pid: number }[];
    peels: { pid: number }[];
  };
  return [fleet.pid, ...[...fleet.servers, ...fleet.masters, ...fleet.peels].map(({ pid }) => pid)];
}

const serverPids = (dir: string) => serversIn(join(dir, 'nats')).map(({ pid }) => pid);

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
