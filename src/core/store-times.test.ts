import { describe, expect, it } from 'vitest';
import { judgeStoreTimes, SLOW_MS } from './store-times.ts';

const time = (asset: string, ms: number | undefined, decides = true) => ({ asset, ms, decides });

describe('judgeStoreTimes', () => {
  it('is content with writes that take milliseconds', () => {
    expect(judgeStoreTimes([time('jobs', 3), time('words', SLOW_MS - 1, false)], 1_500)).toEqual({
      status: 'ok',
      problem: '',
    });
  });

  it('names slow ones with the figure', () => {
    expect(judgeStoreTimes([time('jobs', 1_200), time('rows', 2)], 1_500)).toEqual({
      status: 'degraded',
      problem: 'a write to jobs took 1200 ms',
    });
  });

  it('is down where a store that decides takes no write, and only there', () => {
    expect(judgeStoreTimes([time('jobs', undefined)], 1_500)).toEqual({
      status: 'down',
      problem: 'jobs took no write within 1500 ms',
    });
    expect(judgeStoreTimes([time('words', undefined, false)], 1_500).status).toBe('degraded');
  });
});
