import { describe, expect, it } from 'vitest';
import { Metrics, SERIES_MAX } from '../daemon/metrics.ts';
import { metricsText } from '../daemon/metrics-text.ts';
import { nanosFromMs } from '../wire/msgpack/time.ts';
import type { Jid, PeelId } from '../wire/names/ids.ts';
import { type Job, jobCodec } from '../wire/records/job.ts';
import { masterMetrics } from './master-metrics.ts';

/** Claimed at second 100 of the master's clock; the client's clock is an hour ahead. */
const ended = (endedMs: number): Job =>
  jobCodec.create({
    jid: '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid,
    function: 'test.ping',
    status: 'complete',
    created: nanosFromMs(3_600_000),
    timeout: nanosFromMs(60_000),
    deadline: nanosFromMs(160_000),
    updated: nanosFromMs(endedMs),
  });

describe('masterMetrics', () => {
  it('counts jobs by their end, and times them on the clock of masters', () => {
    const metrics = new Metrics();
    const master = masterMetrics(metrics);
    master.jobEnded(ended(100_300));
    master.jobEnded(ended(104_000));
    const text = metricsText(metrics.families());
    expect(text).toContain('zester_jobs_total{status="complete"} 2\n');
    expect(text).toContain('zester_jobs_total{status="timeout"} 0\n');
    expect(text).toContain('zester_job_duration_seconds_bucket{function="test.ping",le="0.25"} 0\n');
    expect(text).toContain('zester_job_duration_seconds_bucket{function="test.ping",le="0.5"} 1\n');
    expect(text).toContain('zester_job_duration_seconds_sum{function="test.ping"} 4.3\n');
  });

  it('counts dispatches, reclaims and scans', () => {
    const metrics = new Metrics();
    const master = masterMetrics(metrics);
    master.dispatchAnswered('refused');
    master.jobReclaimed();
    master.orphanScanned('aborted');
    const text = metricsText(metrics.families());
    expect(text).toContain('zester_dispatches_total{result="dispatched"} 0\n');
    expect(text).toContain('zester_dispatches_total{result="refused"} 1\n');
    expect(text).toContain('zester_job_reclaims_total 1\n');
    expect(text).toContain('zester_orphan_scans_total{result="aborted"} 1\n');
  });

  it('counts what strangers send by peel, and a whole fleet of them in a bounded number of series', () => {
    const metrics = new Metrics();
    const master = masterMetrics(metrics);
    for (let i = 0; i < 10_000; i++) master.strangerDropped(`web-${i}` as PeelId);
    master.strangerDropped('web-0' as PeelId);
    const lines = metricsText(metrics.families())
      .split('\n')
      .filter((line) => line.startsWith('zester_stranger_words_total{'));
    expect(lines).toContain('zester_stranger_words_total{peel="web-0"} 2');
    expect(lines).toContain(`zester_stranger_words_total{peel="other"} ${10_000 - SERIES_MAX}`);
    expect(lines).toHaveLength(SERIES_MAX + 1);
  });
});
