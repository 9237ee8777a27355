import { describe, expect, it } from 'vitest';
import { virtualClock } from '../runtime/virtual-clock.ts';
import { type CheckReport, type CheckStatus, HEALTH_CHECK_MS_MAX, healthChecks } from './health-checks.ts';

describe('healthChecks', () => {
  it('is as bad as the worst check', async () => {
    const report = async (...statuses: CheckStatus[]) => {
      const checks = Object.fromEntries(statuses.map((status, i) => [`c${i}`, () => ({ status })]));
      return (await healthChecks(checks, virtualClock())()).status;
    };
    expect(await report()).toBe('ok');
    expect(await report('ok', 'ok')).toBe('ok');
    expect(await report('ok', 'degraded')).toBe('degraded');
    expect(await report('degraded', 'down', 'ok')).toBe('down');
  });

  it('a check that throws is down with the reason; so is one that does not answer, and the others do not wait for it', async () => {
    const clock = virtualClock();
    const ask = healthChecks(
      {
        good: () => ({ status: 'ok', message: 'fine' }),
        broken: () => Promise.reject(new Error('no route')),
        silent: () => new Promise(() => undefined),
      },
      clock,
    );
    let report: CheckReport | undefined;
    const asked = ask().then((answer) => {
      report = answer;
    });
    await clock.advance(HEALTH_CHECK_MS_MAX - 1);
    expect(report).toBeUndefined();
    await clock.advance(1);
    await asked;
    expect(report).toEqual({
      status: 'down',
      checks: {
        good: { status: 'ok', message: 'fine', latency_ms: 0 },
        broken: { status: 'down', message: 'no route', latency_ms: 0 },
        silent: { status: 'down', message: 'no answer within 2000 ms', latency_ms: HEALTH_CHECK_MS_MAX },
      },
    });
  });

  it('asks once for everybody who comes within a second', async () => {
    const clock = virtualClock();
    let asked = 0;
    const ask = healthChecks(
      {
        counted: () => {
          asked += 1;
          return { status: 'ok' };
        },
      },
      clock,
    );
    await Promise.all([ask(), ask()]);
    await clock.advance(999);
    await ask();
    expect(asked).toBe(1);
    await clock.advance(1);
    await ask();
    expect(asked).toBe(2);
  });
});
