import { describe, expect, it } from 'vitest';
import type { Bucket } from '../port.ts';
import { fencedWrite, tokenOfTerm } from './fenced-write.ts';

describe('the token of a term', () => {
  it.each([
    ['of the lease', 20, 12, 20],
    ['of the lease where nothing is stored', 20, undefined, 20],
    ['above what is stored, when the leases began anew', 3, 12, 13],
  ])('is %s', (_what, lease, stored, token) => {
    expect(tokenOfTerm(lease, stored)).toBe(token);
  });
});

describe('a fenced write', () => {
  it('gives up when the value never stands still', async () => {
    let writes = 0;
    const bucket = {
      getLatest: async () => ({ found: false, key: 'guarded', revision: 0 }),
      create: async () => {
        writes += 1;
        return { won: false };
      },
    } as unknown as Bucket;
    const write = { key: 'guarded', token: 1, value: new Uint8Array(), tokenOf: () => undefined };
    await expect(fencedWrite(bucket, write)).rejects.toMatchObject({ code: 'BUS_STORE_UNAVAILABLE' });
    expect(writes).toBeLessThan(20);
  });
});
