import { describe, expect, it } from 'vitest';
import { ALL_BUCKETS, BUCKETS } from './buckets.ts';
import { ADMIN_GRANT, AGENT_EXPORTS, MASTER_GRANT } from './grants.ts';
import { hintSubject } from './store-subjects.ts';
import { ALL_CONSUMERS, ALL_STREAMS, CONSUMERS } from './streams.ts';
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

describe('the streams', () => {
  it('keep what their consumers ask for', () => {
    for (const consumer of ALL_CONSUMERS) {
      const stream = ALL_STREAMS.find(({ name }) => name === consumer.stream);
      expect(stream?.subjects.some((pattern) => subjectMatches(pattern, consumer.filter))).toBe(true);
    }
    expect(CONSUMERS.scheduleResults.filter).toBe('zester.job.*.schedule.*');
  });

  it('forget duplicates only after every retry of a message', () => {
    expect(ALL_STREAMS.map((stream) => stream.duplicateWindowMs)).toEqual([120_000, 120_000]);
  });
});
