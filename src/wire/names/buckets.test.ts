import { describe, expect, it } from 'vitest';
import { CHALLENGE_BYTES, enrollChallengeCodec } from '../records/enroll/enrollment.ts';
import { ALL_BUCKETS, BUCKETS, SELF } from './buckets.ts';
import { ADMIN_GRANT, AGENT_EXPORTS, MASTER_GRANT, peelGrant } from './grants.ts';
import type { ChallengeId, PeelId } from './ids.ts';
import { hintSubject, kvSubject } from './store-subjects.ts';
import { ALL_CONSUMERS, ALL_STREAMS, CONSUMERS, STREAMS } from './streams.ts';
import { subjectMatches } from './subjects.ts';

describe('the buckets', () => {
  it('are those of the contract', () => {
    expect(ALL_BUCKETS.map((b) => [b.name, b.ttlMs / 1_000, b.history, b.storage, b.tier].join(' '))).toEqual(
      [
        'facts 0 5 file critical',
        'settings-files 0 3 file critical',
        'secrets 0 3 file critical',
        'basket 0 1 file critical',
        'jobs 604800 10 file critical',
        'job-returns 604800 1 file critical',
        'master-heartbeat 15 1 file ephemeral',
        'state-files 0 3 file critical',
        'peel-heartbeat 30 1 file ephemeral',
        'leases 15 1 file ephemeral',
        'reactor-files 0 3 file critical',
        'master-settings 0 1 file critical',
        'fleet-keys 0 3 file critical',
        'enrollments 0 10 file critical',
        'enroll-challenges 300 1 memory ephemeral',
        'join-tokens 0 1 file critical',
        'peel-tags 0 3 file critical',
        'account-docs 0 5 file critical',
        'flood-guard 0 1 file critical',
        'store-watch 0 1 file critical',
      ],
    );
  });

  it('say which of them a peel can write', () => {
    const writable = ALL_BUCKETS.filter((b) => b.peelWritable);
    expect(writable).toEqual([BUCKETS.facts, BUCKETS.basket, BUCKETS.peelHeartbeat]);
  });

  it('send hints about every key that a peel reads', () => {
    expect(ALL_BUCKETS.filter((b) => b.peelReads.length > 0 && b.hints === 'none')).toEqual([]);
    expect(ALL_BUCKETS.filter((b) => b.hints === 'none')).toEqual([
      BUCKETS.jobReturns,
      BUCKETS.leases,
      BUCKETS.enrollChallenges,
      BUCKETS.joinTokens,
      BUCKETS.storeWatch,
    ]);
  });

  it('send whole hints only where no peel hears or forges them, and of small values', () => {
    const whole = ALL_BUCKETS.filter((b) => b.hints === 'whole');
    expect(whole).toEqual([BUCKETS.peelHeartbeat]);
    const heard = AGENT_EXPORTS.map(({ subject }) => subject);
    for (const b of whole) {
      expect(heard.filter((subject) => subject.startsWith(hintSubject(b.name, '')))).toEqual([]);
      expect(MASTER_GRANT.pub.some((grant) => subjectMatches(grant, hintSubject(b.name, 'k')))).toBe(true);
      expect(ADMIN_GRANT.pub.some((grant) => subjectMatches(grant, hintSubject(b.name, 'k')))).toBe(false);
      expect(b.valueBytesMax).toBeGreaterThan(0);
      expect(b.valueBytesMax).toBeLessThanOrEqual(4_096);
    }
  });
});

/** Whether a peel may write this subject, by its grant. */
const isWritable = (pattern: string) => peelGrant('web-01').pub.some((grant) => couldMeet(pattern, grant));

/** Whether one subject matches both. */
function couldMeet(a: string, b: string): boolean {
  const [as, bs] = [a.split('.'), b.split('.')];
  for (let i = 0; i < Math.max(as.length, bs.length); i++) {
    if (as[i] === '>' || bs[i] === '>') return true;
    if (as[i] === undefined || bs[i] === undefined) return false;
    if (as[i] !== bs[i] && as[i] !== '*' && bs[i] !== '*') return false;
  }
  return true;
}

describe('what peels may write', () => {
  it('is never in the stream of what masters write to decide', () => {
    for (const { name, subjects, peelWritable } of ALL_STREAMS)
      expect([name, subjects.some(isWritable)]).toEqual([name, peelWritable]);
    expect(ALL_STREAMS.filter(({ peelWritable }) => !peelWritable)).toEqual([STREAMS.jobEvents]);
  });

  it('is bounded: streams in bytes, messages and size of a message', () => {
    for (const spec of ALL_STREAMS.filter(({ peelWritable }) => peelWritable)) {
      expect(spec.maxBytes, spec.name).toBeGreaterThan(0);
      expect(spec.maxMessages, spec.name).toBeGreaterThan(0);
      expect(spec.messageBytesMax, spec.name).toBeGreaterThan(0);
    }
  });

  it('is bounded: buckets by one key of its own and its history, or in bytes and values', () => {
    for (const spec of ALL_BUCKETS.filter(({ peelWritable }) => peelWritable)) {
      expect(spec.valueBytesMax, spec.name).toBeGreaterThan(0);
      if (spec.peelWrites.every((pattern) => pattern === SELF)) continue;
      expect(spec.bytesMax, spec.name).toBeGreaterThan(0);
      expect(spec.valuesMax, spec.name).toBeGreaterThan(0);
    }
  });
});

describe('what strangers at the enrollment door can fill', () => {
  it('is bounded, and has room for all that the rate of a door lets through', () => {
    const { name, bytesMax, ttlMs } = BUCKETS.enrollChallenges;
    const id = `chl-${'x'.repeat(27)}`;
    const longest = enrollChallengeCodec.encode({
      challengeId: id as ChallengeId,
      challenge: new Uint8Array(CHALLENGE_BYTES).fill(255),
      peelId: 'p'.repeat(128) as PeelId,
      publicKey: 'U'.repeat(56),
      issuedAt: 1_800_000_000_000_000_000n,
      expiresAt: 1_800_000_000_000_000_000n,
      used: true,
    });
    // Of all networks together, core/enroll/desk/door-limits.ts.
    const perSecond = 400;
    const entryBytes = longest.length + kvSubject(name, id).length + 16;
    expect(((ttlMs / 1_000) * perSecond * entryBytes) / bytesMax).toBeLessThan(1);
  });
});

describe('the streams', () => {
  it('keep what their consumers ask for', () => {
    for (const consumer of ALL_CONSUMERS) {
      const stream = ALL_STREAMS.find(({ name }) => name === consumer.stream);
      expect(stream?.subjects.some((pattern) => subjectMatches(pattern, consumer.filter))).toBe(true);
    }
    expect(CONSUMERS.scheduleResults.filter).toBe('zester.job.*.schedule.*');
  });

  it('keep events as the contract says, and hand each to one master', () => {
    const { subjects, maxAgeMs, maxBytes, maxMessages } = STREAMS.events;
    expect([subjects, maxAgeMs, maxBytes, maxMessages]).toEqual([
      ['zester.event.>'],
      7 * 86_400_000,
      2 ** 30,
      1_000_000,
    ]);
    expect(CONSUMERS.reactor).toMatchObject({
      ...{ name: 'reactor', stream: 'events', deliver: 'new', ackWaitMs: 60_000 },
      ...{ deliveriesMax: 5, ackPendingMax: 64 },
    });
  });

  it('forget duplicates only after every retry of a message', () => {
    expect(ALL_STREAMS.map((stream) => stream.duplicateWindowMs)).toEqual(ALL_STREAMS.map(() => 120_000));
  });
});
