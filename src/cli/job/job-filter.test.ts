import { describe, expect, it } from 'vitest';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { jobCodec } from '../../wire/records/job.ts';
import { parseOptions } from '../program/parse-options.ts';
import { givenJobFilter } from './job-filter.ts';
import { jobListCommand } from './job-list.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = 100 * HOUR_MS;
const JOB = jobCodec.create({
  jid: '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as never,
  function: 'state.apply',
  status: 'partial',
  user: 'alice',
  targetExpr: 'web* and G@os:debian',
  targets: ['web-01', 'db_example_com'] as PeelId[],
  created: nanosFromMs(NOW_MS - 2 * HOUR_MS),
});

describe('the filters of job list', () => {
  it.each([
    [[], true],
    [['--state', 'partial'], true],
    [['--state', 'running'], false],
    [['--function', 'state.apply'], true],
    [['--function', 'state.*'], true],
    [['--function', 'state'], false],
    [['--user', 'alice'], true],
    [['--user', 'al'], false],
    [['--target', 'web-01'], true],
    [['--target', 'web*'], true],
    [['--target', 'db.example.com'], true],
    [['--target', 'db-*'], false],
    [['--target', 'web* and G@os:debian'], true],
    [['--target', 'E@[a'], false],
    [['--older', '1h'], true],
    [['--older', '3h'], false],
    [['--state', 'partial', '--user', 'bob'], false],
  ])('%j: %s', (words, accepted) => {
    const { accepts } = givenJobFilter(parseOptions(jobListCommand, words), NOW_MS);
    expect(accepts(JOB)).toBe(accepted);
  });

  it('--since is a time before now', () => {
    const { since } = givenJobFilter(parseOptions(jobListCommand, ['--since', '90m']), NOW_MS);
    expect(since).toBe(nanosFromMs(NOW_MS - 1.5 * HOUR_MS));
  });

  it.each([
    [['--state', 'done'], 'is pending or claimed'],
    [['--since', 'yesterday'], 'is a duration'],
    [['--function', 'state.[a'], 'never closed'],
    [['--limit', '0'], 'is a whole number from 1 to'],
    [['--limit', 'all'], 'is a whole number from 1 to'],
  ])('%j is refused', (words, part) => {
    const context = { runtime: { clock: { nowMs: () => NOW_MS } } } as never;
    const run = async () => jobListCommand.run(context, parseOptions(jobListCommand, words));
    return expect(run()).rejects.toThrow(part);
  });
});
