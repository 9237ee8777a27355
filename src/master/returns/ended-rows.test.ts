import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { EndedRows } from './ended-rows.ts';

const peels = (count: number) => new Set(Array.from({ length: count }, (_, i) => `p${i}` as PeelId));

describe('EndedRows', () => {
  it('knows the targets that returned, and no others', () => {
    const rows = new EndedRows();
    rows.add('a' as Jid, peels(2));
    expect([rows.has('a' as Jid, 'p1' as PeelId), rows.has('a' as Jid, 'p2' as PeelId)]).toEqual([
      true,
      false,
    ]);
    expect(rows.has('b' as Jid, 'p1' as PeelId)).toBe(false);
  });

  it('forgets the oldest jobs at its bound, and keeps count of a job that ends twice', () => {
    const rows = new EndedRows();
    for (const jid of ['a', 'b', 'b', 'c']) rows.add(jid as Jid, peels(100_000));
    expect(['a', 'b', 'c'].map((jid) => rows.has(jid as Jid, 'p0' as PeelId))).toEqual([false, true, true]);
  });
});
