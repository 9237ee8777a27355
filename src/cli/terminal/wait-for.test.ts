import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../runtime/virtual-clock.ts';
import { waitsOf } from './wait-for.ts';

const WAIT = { what: 'a master', ifLeft: 'nothing was sent', next: 'run it again' };

function waiting(isText: boolean) {
  const clock = virtualClock();
  const said: string[] = [];
  const interruption = new AbortController();
  const context = {
    runtime: { clock } as never,
    interrupted: interruption.signal,
    say: (text: string) => said.push(text),
  };
  return { clock, said, interruption, waitFor: waitsOf(context, { isText }) };
}

describe('a wait', () => {
  it('that is short says nothing', async () => {
    const { clock, said, waitFor } = waiting(true);
    expect(await waitFor(WAIT, Promise.resolve(7))).toBe(7);
    await clock.advance(60_000);
    expect(said).toEqual([]);
  });

  it('says after a second what it waits for, and again; to people only', async () => {
    const { clock, said, waitFor } = waiting(true);
    void waitFor(WAIT, new Promise(() => undefined));
    await clock.advance(999);
    expect(said).toEqual([]);
    await clock.advance(10_001);
    expect(said).toEqual(['zester: waiting for a master (1 s)\n', 'zester: waiting for a master (11 s)\n']);
    const silent = waiting(false);
    void silent.waitFor(WAIT, new Promise(() => undefined));
    await silent.clock.advance(60_000);
    expect(silent.said).toEqual([]);
  });

  it('ends at Ctrl-C, tells what is true then, and is quiet from there on', async () => {
    const { clock, said, interruption, waitFor } = waiting(true);
    const ended = waitFor(WAIT, new Promise(() => undefined)).catch((error: unknown) => error);
    interruption.abort();
    expect(await ended).toMatchObject({
      code: 'CLI_INTERRUPTED',
      exitCode: 130,
      message: 'interrupted while waiting for a master: nothing was sent',
      hint: expect.stringContaining('run it again'),
    });
    await clock.advance(60_000);
    expect(said).toEqual([]);
  });

  it('fails with what failed', async () => {
    const { waitFor } = waiting(true);
    await expect(waitFor(WAIT, Promise.reject(new Error('boom')))).rejects.toThrow('boom');
  });
});
