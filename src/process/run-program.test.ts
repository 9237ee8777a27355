import { describe, expect, it } from 'vitest';
import { systemClock } from '../runtime/system-clock.ts';
import { runProgram } from './run-program.ts';

const sleeper = { file: '/bin/sleep', args: ['600'] };

describe('runProgram', () => {
  it('keeps what the program printed, and says how it ended', async () => {
    const run = (script: string) =>
      runProgram(systemClock, { file: '/bin/sh', args: ['-c', script], timeoutMs: 10_000 });
    expect(await run('echo a; echo b >&2')).toEqual({ ok: true, output: 'a\nb\n', reason: '' });
    expect(await run('exit 3')).toMatchObject({ ok: false, reason: 'ended with exit code 3' });
  });

  it('ends a program when its time is up, and answers for one that is not there', async () => {
    expect(await runProgram(systemClock, { ...sleeper, timeoutMs: 20 })).toMatchObject({ ok: false });
    const absent = { file: '/nonexistent', args: [], timeoutMs: 10_000 };
    expect(await runProgram(systemClock, absent)).toMatchObject({ ok: false, reason: 'ENOENT' });
  });

  it.each(['before', 'after'])('kills it when the signal aborts %s the start', async (when) => {
    const interruption = new AbortController();
    if (when === 'before') interruption.abort();
    const ended = runProgram(systemClock, { ...sleeper, timeoutMs: 600_000, signal: interruption.signal });
    interruption.abort();
    expect(await ended).toMatchObject({ ok: false, reason: 'ended with SIGKILL' });
  });
});
