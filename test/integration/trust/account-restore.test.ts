/** Revocation on a real nats-server: at once, over a restart, and against an older document that somebody pushes later. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { KeptAccounts } from '../../harness/kept-accounts.ts';
import { until } from '../../harness/until.ts';

const RESTORED_MS_MAX = 10_000;
const kept = new KeptAccounts();
const bad = kept.world.trust.creds('peel', 'web-66');
const good = kept.world.trust.creds('peel', 'web-67');

beforeAll(() => kept.start(1));
afterAll(() => kept.close());

describe('a revoked peel', () => {
  it('is cut off on the live connection, and others are not', async () => {
    const [cut, stays] = [kept.peel('web-66', bad), kept.peel('web-67', good)];
    await until(() => cut.status() === 'connected' && stays.status() === 'connected', 'the peels');
    const statuses: string[] = [];
    stays.onStatus((status) => statuses.push(status));
    await kept.revoke('web-66', bad);
    await until(() => cut.status() !== 'connected', 'its end');
    await stays.flush();
    expect(statuses).toEqual([]);
  });

  it('stays out when an older document is pushed: it is gone within ten seconds, and told', async () => {
    await until(() => kept.isRestored(1), 'the documents');
    const again = kept.peel('web-66', bad);
    const before = kept.restoredLines();
    const startMs = systemClock.monotonicMs();
    await kept.servers.push(kept.world.trust.topology.public.agents.jwt);
    await until(() => kept.restoredLines() > before, 'the restoration', RESTORED_MS_MAX);
    await until(() => kept.isRestored(1), 'the right document', RESTORED_MS_MAX);
    const tookMs = systemClock.monotonicMs() - startMs;
    console.log(`restored after ${tookMs.toFixed(0)} ms`);
    expect(tookMs).toBeLessThan(RESTORED_MS_MAX);
    await until(() => again.status() !== 'connected', 'its end');
  });

  it('stays out after a restart of the server, which has the first documents in its configuration', async () => {
    await kept.world.server.restart();
    await until(() => kept.isRestored(1).catch(() => false), 'the documents');
    const again = kept.peel('web-66', bad);
    const other = kept.peel('web-67', good);
    await until(() => other.status() === 'connected', 'the other peel');
    expect(again.status()).not.toBe('connected');
  });
});
