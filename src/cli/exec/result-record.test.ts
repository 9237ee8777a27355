import { describe, expect, it } from 'vitest';
import { execResponseCodec, stateResultCodec } from '../../wire/exec.ts';
import type { Jid, PeelId } from '../../wire/ids.ts';
import { returnCodec } from '../../wire/job-return.ts';
import { resultRecord } from './result-record.ts';

const jid = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const peelId = 'web-01' as PeelId;

describe('resultRecord', () => {
  it('gives every field of a state result under its wire name, also where it is empty', () => {
    const results = [stateResultCodec.create({ name: 'file.managed:/etc/motd', duration: 5_000_000n })];
    const response = execResponseCodec.create({ jid, peelId, success: true, test: true, results });
    const value = returnCodec.create({
      jid,
      peelId,
      success: true,
      returnData: execResponseCodec.encode(response),
    });
    const record = resultRecord({
      jid,
      status: 'complete',
      targets: [peelId],
      returns: new Map([[peelId, value]]),
      outcomes: new Map([[peelId, 'returned']]),
    }) as { returns: Record<string, { test: boolean; results: Record<string, unknown>[] }> };
    const row = record.returns['web-01'];
    expect(row?.test).toBe(true);
    expect(row?.results).toEqual([
      {
        name: 'file.managed:/etc/motd',
        changed: false,
        diff: '',
        duration_ms: 5,
        details: {},
        error: '',
        skipped: false,
        skip_reason: '',
      },
    ]);
    const wireKeys = Object.values(stateResultCodec.fields).map(({ key }) => key);
    expect(Object.keys(row?.results[0] ?? {}).sort()).toEqual(
      wireKeys.map((key) => (key === 'duration' ? 'duration_ms' : key)).sort(),
    );
  });
});
