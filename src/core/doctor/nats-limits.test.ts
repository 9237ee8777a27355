import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGENT_CONNECTIONS_MAX, SERVER_LIMIT_RULES, type ServerLimits } from '../server-limits.ts';
import { judgeNatsLimits } from './nats-limits.ts';

const WANTED = Object.fromEntries(
  SERVER_LIMIT_RULES.map(({ limit, wanted }) => [limit, wanted]),
) as unknown as ServerLimits;
const judge = (...given: readonly Partial<ServerLimits>[]) =>
  judgeNatsLimits({
    servers: given.map((limits, i) => ({ name: `n${i + 1}`, limits: { ...WANTED, ...limits } })),
  });

describe('judgeNatsLimits', () => {
  it('is content with what `zester up` writes', () => {
    expect(judge({}, {}, {})).toEqual({
      verdict: 'ok',
      found: '3 servers with limits on connections, subscriptions, payload and pending bytes',
      fix: '',
    });
  });

  it.each([
    [{ subscriptions: 0 }, 'max_subscriptions: n2 has no limit', '`max_subscriptions: 65536`'],
    [
      { connections: 65_536 },
      'max_connections: n2 has 65536, the default, too wide: at most 61440',
      '`max_connections: 40960`',
    ],
    [
      { connections: 1_000 },
      'max_connections: n2 has 1000, too small: at least 33792',
      '`max_connections: 40960`',
    ],
    [
      { payloadBytes: 64 * 1_048_576 },
      'max_payload: n2 has 67108864, too wide: at most 8388608',
      '`max_payload: 1048576`',
    ],
    [
      { payloadBytes: 65_536 },
      'max_payload: n2 has 65536, too small: at least 1048576',
      '`max_payload: 1048576`',
    ],
    [{ pendingBytes: 2_000_000 }, 'max_pending: n2 has 2000000, too small', '`max_pending: 67108864`'],
    [{ writeDeadlineMs: 2_000 }, 'write_deadline: n2 has "2s", too small', '`write_deadline: "10s"`'],
  ] as const)('%j is named with its server and what to write', (limits, found, fix) => {
    const judgement = judge({}, limits);
    expect(judgement.verdict).toBe('warn');
    expect(judgement.found).toContain(found);
    expect(judgement.found).not.toContain('n1');
    expect(judgement.fix).toContain(fix);
  });

  it('names every setting that is wrong, and no other', () => {
    const rules = fc.subarray([...SERVER_LIMIT_RULES]);
    fc.assert(
      fc.property(rules, fc.boolean(), (broken, isWide) => {
        const limits = Object.fromEntries(
          broken.map(({ limit, least, most }) => [limit, isWide ? most + 1 : least - 1]),
        );
        const { found, verdict } = judge(limits);
        expect(verdict).toBe(broken.length === 0 ? 'ok' : 'warn');
        for (const rule of SERVER_LIMIT_RULES)
          expect(found.includes(`${rule.setting}: `)).toBe(broken.includes(rule));
      }),
    );
  });

  it('does not guess', () => {
    expect(judgeNatsLimits({ notAsked: 'there is no sys.creds' })).toEqual({
      verdict: 'unknown',
      found: 'the limits of the servers could not be asked: there is no sys.creds',
      fix: expect.stringContaining('sys.creds'),
    });
  });
});

describe('the rules', () => {
  it('want values that they are content with, and more connections than peels may have', () => {
    for (const { setting, wanted, least, most } of SERVER_LIMIT_RULES) {
      expect(wanted, setting).toBeGreaterThanOrEqual(least);
      expect(wanted, setting).toBeLessThanOrEqual(most);
    }
    const connections = SERVER_LIMIT_RULES.find(({ limit }) => limit === 'connections');
    expect(connections?.least).toBeGreaterThan(AGENT_CONNECTIONS_MAX);
  });
});
