import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processRecordLine, readProcessRecord } from './process-record.ts';

describe('readProcessRecord', () => {
  const record = { boot: 'b-1', pid: 4711, start: '987654' };
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
