import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { type Row, rowCodec } from '../../wire/records/job-return.ts';
import { fittingRow } from './fitting-row.ts';

const JID = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const WEB = 'web-1' as PeelId;
const returnOf = (given: Partial<Row> = {}) =>
  rowCodec.create({ jid: JID, peelId: WEB, success: true, ...given });

describe('a row', () => {
  it('fits, whatever the return; what the peel did stays', () => {
    const max = 16_384;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 40_000 }),
        fc.string({ unit: 'binary', maxLength: 6_000 }),
        fc.boolean(),
        (bytes, error, success) => {
          const data = new Uint8Array(bytes + 3);
          data.set([0xc5, bytes >> 8, bytes & 255]);
          const row = returnOf({ returnData: data, error, success, duration: 5n });
          const fitting = fittingRow(row, max);
          expect(rowCodec.encode(fitting).length).toBeLessThan(max);
          expect(fitting).toMatchObject({ jid: JID, peelId: WEB, success, duration: 5n });
          expect(error.startsWith(fitting.error)).toBe(true);
          if (data.length + error.length * 3 < 10_000) expect(fitting).toBe(row);
        },
      ),
      { numRuns: 100 },
    );
  });
});
