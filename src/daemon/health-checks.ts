/**
 * The health checks of a daemon say whether it can do its work. They are asked all at once, each for at most
 * `HEALTH_CHECK_MS_MAX`. An answer is good for `FRESH_MS`, so that whoever asks in a loop asks us and not NATS. A check
 * that throws or does not answer is `down`, with the reason; only `down` makes the daemon not ready, because `degraded`
 * must not take it out of service.
 */
import { within } from '../runtime/abortable-wait.ts';
import type { Clock } from '../runtime/clock.ts';

export type CheckStatus = 'ok' | 'degraded' | 'down';

export interface CheckResult {
  readonly status: CheckStatus;
  /** Why, where there is something to say. */
  readonly message?: string;
}

/** By name. */
export type HealthChecks = Readonly<Record<string, () => CheckResult | Promise<CheckResult>>>;

export interface CheckReport {
  readonly status: CheckStatus;
  readonly checks: Readonly<Record<string, CheckResult & { readonly latency_ms: number }>>;
}

export const HEALTH_CHECK_MS_MAX = 2_000;
const FRESH_MS = 1_000;

export function healthChecks(checks: HealthChecks, clock: Clock): () => Promise<CheckReport> {
  let latest: { readonly askedMs: number; readonly report: Promise<CheckReport> } | undefined;
  return () => {
    const nowMs = clock.monotonicMs();
    if (latest === undefined || nowMs - latest.askedMs >= FRESH_MS)
      latest = { askedMs: nowMs, report: askAll(checks, clock) };
    return latest.report;
  };
}

async function askAll(checks: HealthChecks, clock: Clock): Promise<CheckReport> {
  const entries = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await ask(check, clock)] as const),
  );
  const statuses = entries.map(([, { status }]) => status);
  const worst = (['down', 'degraded'] as const).find((status) => statuses.includes(status));
  return { status: worst ?? 'ok', checks: Object.fromEntries(entries) };
}

async function ask(check: HealthChecks[string], clock: Clock): Promise<CheckReport['checks'][string]> {
  const startMs = clock.monotonicMs();
  const result = await within(clock, HEALTH_CHECK_MS_MAX, answerOf(check));
  const shown = result ?? down(`no answer within ${HEALTH_CHECK_MS_MAX} ms`);
  return { ...shown, latency_ms: Math.round((clock.monotonicMs() - startMs) * 10) / 10 };
}

async function answerOf(check: HealthChecks[string]): Promise<CheckResult> {
  try {
    return await check();
  } catch (error) {
    return down((error as Error).message);
  }
}

function down(message: string): CheckResult {
  return { status: 'down', message };
}
