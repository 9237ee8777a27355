import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWord } from './shell-word.ts';

describe('shellWord', () => {
  it('leaves plain paths as they are', () => {
    expect(shellWord('/tmp/fleet-1.d')).toBe('/tmp/fleet-1.d');
  });

  it('a shell reads it back as it was', () => {
    const words = fc.array(
      fc.string({ minLength: 1 }).map((text) => text.replaceAll('\0', '')),
      { minLength: 50 },
    );
    fc.assert(
      fc.property(words, (list) => {
        const script = `printf '%s\\0' ${list.map(shellWord).join(' ')}`;
        expect(execFileSync('/bin/sh', ['-c', script]).toString()).toBe(
          list.map((word) => `${word}\0`).join(''),
        );
      }),
      { numRuns: 10 },
    );
  });
});
