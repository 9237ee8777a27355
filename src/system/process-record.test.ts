import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNumberStillOurs, processRecordLine, readProcessRecord } from './process-record.ts';

const record = { boot: 'b-1', pid: 4711, forks: 5_000, start: '987654' };

it('a number is ours until so many processes were started that its turn may have come again', () => {
  const now = [5_000, 5_001, 21_383, 21_384, 10_000_000];
  expect(now.map((forks) => isNumberStillOurs(record, forks, 32_768))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

describe('readProcessRecord', () => {
  const whole = processRecordLine(record);

  it('reads what was written', () => {
    expect(readProcessRecord(Buffer.from(whole))).toEqual(record);
  });

  it('cut off anywhere, it names no process', () => {
    for (let length = 0; length < whole.length; length++)
      expect(readProcessRecord(Buffer.from(whole.slice(0, length))), `${length} bytes`).toBeUndefined();
  });

  it('takes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(readProcessRecord(bytes)?.pid ?? 1).toBeGreaterThan(0);
      }),
    );
  });
});
