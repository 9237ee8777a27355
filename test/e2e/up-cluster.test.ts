/** `zester up --servers 3`: a real cluster on one machine, of which any server may die. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetFile } from '../../src/local-fleet/fleet-file.ts';
import { isProcessAlive } from '../../src/process/process-table.ts';
import { scratchDir, zester } from '../harness/programs/program.ts';
import { until } from '../harness/until.ts';

const UP_MS_MAX = 120_000;
const SERVERS = ['nats-1', 'nats-2', 'nats-3'];
const dir = scratchDir();

const fleet = () => JSON.parse(readFileSync(join(dir, 'fleet.json'), 'utf8')) as FleetFile;
const pids = () => fleet().servers.map(({ pid }) => pid);
const up = (...words: string[]) =>
  zester(['up', '--dir', dir, '--detach', '--masters', '2', '--peels', '1', ...words]);

/** The verdict of each check of `zester doctor`. */
async function doctor(): Promise<Readonly<Record<string, string>>> {
  const { out } = await zester(['doctor', '--dir', dir, '--format', 'json']);
  const checks = JSON.parse(out) as { check: string; verdict: string }[];
  return Object.fromEntries(checks.map(({ check, verdict }) => [check, verdict]));
}

beforeAll(async () => {
  const { code, err } = await up('--servers', '3');
  expect([code, err.replace(/^Waiting for .*\n/gm, '')]).toEqual([0, '']);
}, UP_MS_MAX);
afterAll(async () => {
  await zester(['down', '--dir', dir]);
}, UP_MS_MAX);

describe('zester up --servers 3', () => {
  it('runs three servers in one group, with three copies of everything', async () => {
    expect(fleet().servers.map(({ name }) => name)).toEqual(SERVERS);
    expect(fleet().url.split(',')).toHaveLength(3);
    const log = readFileSync(join(dir, 'logs/up.log'), 'utf8');
    expect(log).toContain('3 replicas of everything on 3 servers: any one of them may die');
    expect(await doctor()).toMatchObject({ 'nats-servers': 'ok', replicas: 'ok', durability: 'ok' });
    for (const name of SERVERS) {
      const config = readFileSync(join(dir, name, 'nats.conf'), 'utf8');
      expect(config).toMatch(/cluster \{[^}]*routes: \["tls:[^}]*verify: true/s);
    }
  });

  it('any server may die: commands find the others, and it is started again', async () => {
    for (const [i, name] of SERVERS.entries()) {
      const victim = pids()[i] ?? 0;
      process.kill(victim, 'SIGKILL');
      for (const words of [
        ['*', 'test.ping'],
        ['peel', 'list'],
        ['job', 'list'],
        ['master', 'list'],
      ]) {
        const { code, err } = await zester([...words, '--dir', dir]);
        expect([name, words, code, code === 0 ? '' : err]).toEqual([name, words, 0, '']);
      }
      await until(() => pids()[i] !== victim && isProcessAlive(pids()[i] ?? 0), `${name} to be back`, 60_000);
      await until(async () => (await doctor())['nats-servers'] === 'ok', 'all three to answer', 60_000);
    }
  }, 300_000);

  it(
    'the number of servers is settled: another one is refused, none is as it was',
    async () => {
      await zester(['down', '--dir', dir]);
      expect([...pidsOnDisk()].filter(isProcessAlive)).toEqual([]);
      const refused = await zester(['up', '--dir', dir, '--servers', '1']);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('[CLI_FLEET_SERVERS]')]);
      expect(existsSync(join(dir, 'nats'))).toBe(false);
      // A port that another program has taken meanwhile is no obstacle.
      const { route_ports: ports } = JSON.parse(readFileSync(join(dir, 'cluster.json'), 'utf8')) as {
        route_ports: number[];
      };
      const stranger = createServer().listen(ports[1], '127.0.0.1');
      expect(await up()).toMatchObject({ code: 0 });
      stranger.close();
      expect(fleet().servers.map(({ name }) => name)).toEqual(SERVERS);
      expect(await doctor()).toMatchObject({ 'nats-servers': 'ok' });
    },
    UP_MS_MAX,
  );
});

function pidsOnDisk(): number[] {
  return SERVERS.flatMap((name) => {
    const file = join(dir, name, 'nats.pid');
    return existsSync(file) ? [Number(readFileSync(file, 'utf8'))] : [];
  });
}

describe('the number of servers', () => {
  it.each([
    ['2', 'more than half of its servers run, so 2 may lose no more of them than 1'],
    ['4', 'so 4 may lose no more of them than 3'],
    ['5', 'three copies'],
    ['0', 'is 1 or 3, not 0'],
    ['many', 'is 1 or 3, not many'],
  ])('%s is refused with the reason, and nothing is made', async (count, reason) => {
    const place = join(scratchDir(), 'fleet');
    const { code, err } = await zester(['up', '--dir', place, '--servers', count]);
    expect([code, err]).toEqual([1, expect.stringContaining(reason)]);
    expect(existsSync(place)).toBe(false);
  });

  it('a fleet of one does not become one of three', async () => {
    const place = scratchDir();
    expect((await zester(['up', '--dir', place, '--detach', '--masters', '1', '--peels', '1'])).code).toBe(0);
    expect((await zester(['down', '--dir', place])).code).toBe(0);
    const { code, err } = await zester(['up', '--dir', place, '--servers', '3']);
    expect([code, err]).toEqual([1, expect.stringContaining('[CLI_FLEET_SERVERS]')]);
    expect(existsSync(join(place, 'nats-1'))).toBe(false);
  });
});
