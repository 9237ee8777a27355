/** What doctor says about masters, peels, jobs and clocks. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClockOffset, judgeClocks } from './clock-skew.ts';
import { judgeFloods } from './floods.ts';
import { judgeMasters } from './masters-alive.ts';
import { judgeOpenJobs } from './open-jobs.ts';
import { judgePeels } from './peels-seen.ts';
import { judgeTimeSync } from './time-sync.ts';

describe('judgeClocks', () => {
  const at = (name: string, offsetMs: number, uncertainMs = 0): ClockOffset => ({
    name,
    offsetMs,
    uncertainMs,
  });
  const judge = (...peels: ClockOffset[]) =>
    judgeClocks({ here: at('this machine', 3), servers: [], masters: [at('m', 1)], peels });

  it.each([
    [at('p', 1_999), 'ok', 'this machine (+3ms), 0 servers, 1 master, 1 peel'],
    [at('p', -5_000), 'warn', 'off against the store: p -5s'],
    [at('p', 31_000), 'fail', 'p +31s; jobs there may expire before they start'],
    [at('p', 31_000, 5_000), 'warn', 'p +31s'],
    [at('p', 6_000, 5_000), 'ok', 'within 2s'],
  ])('%j', (peel, verdict, found) => {
    expect([judge(peel).verdict, judge(peel).found]).toEqual([verdict, expect.stringContaining(found)]);
  });

  it('the worst is named first', () => {
    expect(judge(at('a', 3_000), at('b', -9_000), at('c', 0)).found).toContain('b -9s, a +3s');
  });

  it('a clock that is further off is never judged better', () => {
    const rank = { ok: 0, unknown: 0, warn: 1, fail: 2 };
    fc.assert(
      fc.property(fc.integer({ min: -99_999, max: 99_999 }), fc.nat(9_999), (offsetMs, moreMs) => {
        const further = offsetMs + Math.sign(offsetMs) * moreMs;
        expect(rank[judge(at('p', further)).verdict]).toBeGreaterThanOrEqual(
          rank[judge(at('p', offsetMs)).verdict],
        );
      }),
    );
  });

  it('a server that does not tell its time leaves it open', () => {
    expect(judgeClocks({ here: undefined, servers: [], masters: [], peels: [] }).verdict).toBe('unknown');
  });
});

describe('judgeTimeSync', () => {
  it.each([
    ['synchronized', 'ok'],
    ['unsynchronized', 'warn'],
    ['unknown', 'unknown'],
  ] as const)('%s is %s', (state, verdict) => {
    expect(judgeTimeSync({ state, why: 'chrony says so' })).toMatchObject({
      verdict,
      found: 'chrony says so',
    });
  });
});

describe('judgeMasters', () => {
  it.each([
    [['a', 'b'], [], 'ok', '2 masters alive: a, b'],
    [['a'], ['b'], 'warn', '1 master alive: a; 1 leaving; nobody takes over'],
    [[], ['b'], 'fail', 'no master is alive; 1 leaving'],
  ])('%j alive, %j leaving', (alive, leaving, verdict, found) => {
    const judgement = judgeMasters({ alive, leaving, problems: [] });
    expect([judgement.verdict, judgement.found]).toEqual([verdict, expect.stringContaining(found)]);
  });
});

describe('judgePeels', () => {
  it.each([
    [3, [], 'ok', '3 peels, all heard of'],
    [8, ['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'warn', '7 of 8 peels silent: a, b, c, d, e and 2 more'],
    [0, [], 'warn', 'no peel has ever'],
  ])('%d known, %j silent', (known, silent, verdict, found) => {
    const judgement = judgePeels({ known, silent });
    expect([judgement.verdict, judgement.found]).toEqual([verdict, expect.stringContaining(found)]);
  });
});

describe('judgeOpenJobs', () => {
  it.each([
    [0, [], 2, 'ok', 'no unfinished jobs'],
    [1, [], 1, 'ok', '1 unfinished job, each with a living master'],
    [2, ['j1'], 1, 'warn', '1 unfinished job without a living master: j1'],
    [2, ['j1', 'j2'], 0, 'fail', '2 unfinished jobs without'],
  ])('%d open, %j without an owner, %d masters', (open, ownerless, mastersAlive, verdict, found) => {
    const judgement = judgeOpenJobs({ open, ownerless, mastersAlive });
    expect([judgement.verdict, judgement.found]).toEqual([verdict, expect.stringContaining(found)]);
  });
});

describe('floods', () => {
  const ban = (peel: string, untilMs: number, liftedBy = '') => ({
    peel,
    untilMs,
    reason: 'sent 9 messages',
    count: 2,
    liftedBy,
  });

  it('names who is kept out, why and for how long, and who was lately', () => {
    const bans = [
      ban('evil', 61_000),
      ban('was', 500),
      ban('good', 500, 'alice'),
      ban('long-ago', -90_000_000),
    ];
    const judged = judgeFloods({ bans, nowMs: 1_000 });
    expect(judged).toMatchObject({ verdict: 'warn' });
    expect(judged.found).toBe(
      'evil sent 9 messages; kept out for 60 s more, 2 times lately; kept out within the last day: was, good (let in by alice)',
    );
    expect(judgeFloods({ bans: bans.slice(1), nowMs: 1_000 })).toMatchObject({ verdict: 'ok' });
    expect(judgeFloods({ bans: [], nowMs: 0 }).found).toBe('no peel floods the bus');
  });
});

describe('masters whose stores take no writes', () => {
  it('are no healthy fleet', () => {
    const problems = ['m-1: jobs took no write within 1500 ms'];
    expect(judgeMasters({ alive: ['m-1', 'm-2'], leaving: [], problems })).toMatchObject({
      verdict: 'fail',
      found: '2 masters alive: m-1, m-2; jobs wait for their stores: m-1: jobs took no write within 1500 ms',
    });
  });
});
