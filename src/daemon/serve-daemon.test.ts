import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { jsonLog } from '../runtime/log.ts';
import { seededRandom } from '../runtime/seeded-random.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { parseHealthAddress } from './health-address.ts';
import type { CheckResult } from './health-checks.ts';
import { Metrics } from './metrics.ts';
import { type HealthOptions, serveDaemon } from './serve-daemon.ts';

const dir = mkdtempSync(join(tmpdir(), 'zester-daemon-'));
afterAll(() => rmSync(dir, { recursive: true }));
const file = join(dir, 'address');
const anyPort: HealthOptions = { address: { host: '127.0.0.1', port: 0 }, isDefault: false, file };

const lines: string[] = [];
const log = jsonLog({ clock: systemClock, write: (line) => lines.push(line) });
const runtime = { clock: systemClock, random: seededRandom(1), log };
const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((daemon) => daemon.stop()));
  lines.length = 0;
});

async function serve(options: HealthOptions, check: () => CheckResult = () => ({ status: 'ok' })) {
  const metrics = new Metrics();
  const parts = { component: 'peel', version: '1.2.3', runtime, metrics, checks: { nats: check } };
  const daemon = await serveDaemon(parts, options);
  running.push(daemon);
  return daemon;
}

async function ask(path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://${readFileSync(file, 'utf8').trim()}${path}`);
  return { status: response.status, text: await response.text() };
}

describe('serveDaemon', () => {
  it('healthz tells what runs and that its event loop turns', async () => {
    await serve(anyPort);
    const { status, text } = await ask('/healthz');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      status: 'ok',
      component: 'peel',
      version: '1.2.3',
      event_loop_lag_ms: expect.any(Number),
    });
  });

  it.each([
    ['ok', 200],
    ['degraded', 200],
    ['down', 503],
  ] as const)('readyz with a check that is %s answers %d and says why', async (status, code) => {
    await serve(anyPort, () => ({ status, message: 'because' }));
    const answer = await ask('/readyz');
    expect(answer.status).toBe(code);
    expect(JSON.parse(answer.text)).toEqual({
      status,
      checks: { nats: { status, message: 'because', latency_ms: expect.any(Number) } },
      component: 'peel',
      version: '1.2.3',
      uptime: expect.stringMatching(/^\d+s$/),
    });
  });

  it('metrics have the build and the process', async () => {
    await serve(anyPort);
    const { status, text } = await ask('/metrics');
    expect(status).toBe(200);
    expect(text).toContain('zester_build_info{component="peel",version="1.2.3"} 1\n');
    expect(text).toMatch(/^process_resident_memory_bytes \d{6,}$/m);
    expect(text).toMatch(/^process_cpu_seconds_total \d/m);
  });

  it('an address that was asked for must be had; without the default one it goes on, and says so', async () => {
    await serve(anyPort);
    const address = parseHealthAddress(readFileSync(file, 'utf8').trim()) ?? 'off';
    await expect(serve({ address, isDefault: false, file: undefined })).rejects.toMatchObject({
      code: 'DAEMON_HEALTH_ADDRESS',
    });
    await serve({ address, isDefault: true, file: undefined });
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      level: 'warn',
      msg: expect.stringContaining('--health-addr'),
      error: { code: 'DAEMON_HEALTH_ADDRESS' },
    });
  });

  it('off serves nothing; the file goes with the server; a file that cannot be written is an error', async () => {
    await serve({ address: 'off', isDefault: false, file: undefined });
    expect(lines).toEqual([]);
    const daemon = await serve(anyPort);
    expect(existsSync(file)).toBe(true);
    await daemon.stop();
    expect(existsSync(file)).toBe(false);
    await expect(serve({ ...anyPort, file: join(dir, 'none', 'address') })).rejects.toMatchObject({
      code: 'DAEMON_HEALTH_FILE',
    });
  });

  it('warns when others than this machine can read it', async () => {
    await serve({ ...anyPort, address: { host: '0.0.0.0', port: 0 } });
    expect(lines.map((line) => JSON.parse(line).msg)).toContainEqual(
      expect.stringContaining('from other machines'),
    );
  });
});
