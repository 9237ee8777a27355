import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../wire/records/job-status.ts';
import { exitCodeOf } from './exit-code.ts';

describe('exitCodeOf', () => {
  it.each<[Outcome[], number]>([
    [[], 0],
    [['returned', 'returned'], 0],
    [['returned', 'failed'], 2],
    [['canceled'], 2],
    [['expired'], 2],
    [['returned', 'unreachable'], 3],
    [['running'], 3],
    [['failed', 'unreachable'], 4],
  ])('%j ends with %i', (outcomes, code) => {
    expect(exitCodeOf(outcomes)).toBe(code);
  });
});
