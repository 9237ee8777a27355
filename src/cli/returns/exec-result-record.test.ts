import { describe, expect, it } from 'vitest';
import { plainData } from '../../core/plain-data.ts';
import { encodeValue } from '../../wire/msgpack/msgpack-encode.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import {
  type ExecResponse,
  execResponseCodec,
  type StateResult,
  stateResultCodec,
} from '../../wire/records/exec.ts';
import { type Row, rowCodec } from '../../wire/records/job-return.ts';
import { execResultRecord } from './exec-result-record.ts';

const jid = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const peelId = 'web-01' as PeelId;

interface PrintedRow {
  readonly results: readonly Record<string, unknown>[];
  readonly [key: string]: unknown;
}

/** The row of the only target. */
function printedRow(value: Row | undefined, isTest = false): PrintedRow {
  const record = execResultRecord({
    jid,
    status: 'complete',
    isTest,
    targets: [peelId],
    returns: new Map(value === undefined ? [] : [[peelId, value]]),
    outcomes: new Map([[peelId, value === undefined ? 'unreachable' : 'returned']]),
  });
  return (plainData(record) as { returns: Record<string, PrintedRow> }).returns['web-01'] as PrintedRow;
}

const returned = (results: readonly Partial<StateResult>[], given: Partial<ExecResponse> = {}) =>
  rowCodec.create({
    jid,
    peelId,
    success: true,
    returnData: execResponseCodec.encode(
      execResponseCodec.create({
        jid,
        peelId,
        success: true,
        ...given,
        results: results.map((each) => stateResultCodec.create({ name: 'cmd.run', ...each })),
      }),
    ),
  });

describe('execResultRecord', () => {
  it('gives every field of a state result, also where it is empty', () => {
    const result = { name: 'file.managed:/etc/motd', duration: 5_000_000n };
    const row = printedRow(returned([result], { test: true }));
    expect(row).toMatchObject({ outcome: 'returned', final: true, success: true, test: true });
    expect(row.results).toEqual([
      {
        name: 'file.managed:/etc/motd',
        state: { function: 'file.managed', id: '/etc/motd' },
        changed: false,
        diff: '',
        duration_ms: 5,
        details: {},
        error: '',
        skipped: false,
        skip_reason: '',
      },
    ]);
    // `data` stands in the details, in place of the text that tells the same.
    const wireKeys = Object.values(stateResultCodec.fields).map(({ key }) => key);
    expect(Object.keys(row.results[0] ?? {}).sort()).toEqual(
      wireKeys.flatMap((key) => (key === 'data' ? [] : [key === 'duration' ? 'duration_ms' : key])).sort(),
    );
  });

  it('says which state of which file it is; a function is none', () => {
    const state = { id: 'motd', sls: 'web', file: 'web/init.sls', line: 7 };
    const [of, call, ping] = printedRow(
      returned([
        { name: 'file.managed:motd', state },
        { name: 'file.absent:/tmp/a:b', state: { id: '/tmp/a:b', sls: '', file: '', line: 0 } },
        { name: 'test.ping' },
      ]),
    ).results;
    expect(of?.state).toEqual({ function: 'file.managed', ...state });
    expect(call?.state).toEqual({ function: 'file.absent', id: '/tmp/a:b' });
    expect(ping).not.toHaveProperty('state');
  });

  it('numbers are numbers, structures structures, bytes that are no UTF-8 base64 with a mark', () => {
    const details = { exitcode: '3', stdout: '\ufffd\u0000', result: 'a: 1', note: 'x' };
    const data = { exitcode: 3, stdout: Uint8Array.of(0xff, 0), result: { a: 1n, b: [true, null] } };
    expect(printedRow(returned([{ details, data }])).results[0]?.details).toEqual({
      exitcode: 3,
      stdout: { base64: '/wA=' },
      result: { a: 1, b: [true, null] },
      note: 'x',
    });
  });

  it('an exit code is a number or not there, whatever the peel says', () => {
    const codeOf = (given: Partial<StateResult>) => printedRow(returned([given])).results[0]?.details;
    expect(codeOf({ details: { exitcode: '7' } })).toEqual({ exitcode: 7 });
    expect(codeOf({ details: { exitcode: 'many' } })).toEqual({});
    expect(codeOf({ details: { exitcode: '1' }, data: { exitcode: { a: 1 } } })).toEqual({});
  });

  it('a target that said nothing is told as such, and that the job is a dry run', () => {
    expect(printedRow(undefined, true)).toEqual({
      outcome: 'unreachable',
      final: false,
      success: false,
      test: true,
      duration_ms: 0,
      error: '',
      results: [],
    });
    const proof = { acked: 1_700_000_000_000_000_000n, heartbeatAge: 5_000_000_000n, epoch: 1 };
    expect(printedRow(rowCodec.create({ jid, peelId, unreachable: true, proof }))).toMatchObject({
      final: true,
      proof: { acked: '2023-11-14T22:13:20Z', heartbeat_age_ms: 5_000 },
    });
  });

  it('the code of an error is told where the answer has one', () => {
    const row = printedRow(returned([], { success: false, error: 'no', code: 'STATES_UNAVAILABLE' }));
    expect(row).toMatchObject({ error_code: 'STATES_UNAVAILABLE' });
    expect(printedRow(returned([]))).not.toHaveProperty('error_code');
  });

  it('the revisions of published files are told where some were used', () => {
    const row = printedRow(returned([], { statesRevision: 12, settingsRevision: 3 }));
    expect(row).toMatchObject({ states_revision: 12, settings_revision: 3 });
    expect(Object.keys(printedRow(returned([])))).not.toContain('states_revision');
  });

  it('an answer that is none is told as such', () => {
    const row = printedRow(rowCodec.create({ jid, peelId, success: true, returnData: encodeValue('hello') }));
    expect(row.unreadable_answer).toMatch(/^ExecResponse: /);
  });
});
