/** Whatever a return holds, it prints: in every format, as a run of states and as a plain answer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { arbitraryOf } from '../../../test/fixtures/go/arbitraries.ts';
import { HOSTILE_TEXTS, hostileRecord } from '../../../test/harness/hostile-record.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import {
  type ExecResponse,
  execResponseCodec,
  type StateResult,
  stateResultCodec,
} from '../../wire/records/exec.ts';
import { type Row, rowCodec } from '../../wire/records/job-return.ts';
import type { RegisteredCodec } from '../../wire/records/registry.ts';
import { formatData } from '../terminal/format-data.ts';
import { paintFor } from '../terminal/paint.ts';
import { execResultRecord } from './exec-result-record.ts';
import { STATE_OUTPUTS } from './format-state-run.ts';
import { UNICODE_GLYPHS } from './glyphs.ts';
import { returnsText } from './returns-text.ts';

const jid = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const peelId = 'web-01' as PeelId;
const STEERS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Prints it in all ways, and asks of each text what holds for all: safe characters, and no line of another peel's. */
async function printed(value: Row): Promise<void> {
  for (const stateOutput of STATE_OUTPUTS) {
    const look = { paint: paintFor(false), glyphs: UNICODE_GLYPHS, stateOutput };
    const text = returnsText([value], look);
    expect(STEERS.test(text)).toBe(false);
    expect(text.split('\n').filter((line) => /^[^ ]/.test(line))).toEqual([
      expect.stringMatching(/^web-01:/),
    ]);
  }
  const record = execResultRecord({
    jid,
    status: 'complete',
    isTest: false,
    targets: [peelId],
    returns: new Map([[peelId, value]]),
    outcomes: new Map([[peelId, 'returned']]),
  });
  const [json, yaml] = [await formatData(record, 'json'), await formatData(record, 'yaml')];
  expect(STEERS.test(json) || STEERS.test(yaml)).toBe(false);
  if (json.length < PARSED_CHARS_MAX)
    expect(JSON.parse(JSON.stringify(parse(yaml)))).toEqual(JSON.parse(json));
}

const returned = (response: Partial<ExecResponse>, given: Partial<Row> = {}) =>
  rowCodec.create({
    jid,
    peelId,
    success: true,
    ...given,
    returnData: execResponseCodec.encode(execResponseCodec.create({ jid, peelId, ...response })),
  });
const withResult = (given: Partial<StateResult>) => stateResultCodec.create({ name: 'cmd.run', ...given });

/** More lines than a call takes arguments. */
const MANY_LINES = 'e\n'.repeat(150_000);
/** Reading much YAML back takes seconds, and says nothing new. */
const PARSED_CHARS_MAX = 500_000;
const LONG_LINE = 'x'.repeat(300_000);

describe('a return prints', () => {
  it('whatever its fields hold', async () => {
    const response = arbitraryOf(execResponseCodec as RegisteredCodec) as fc.Arbitrary<ExecResponse>;
    const row = arbitraryOf(rowCodec as RegisteredCodec) as fc.Arbitrary<Row>;
    const sample = fc.tuple(response, row).map(([answer, given]): Row => {
      const { returnData } = returned(answer);
      return { ...given, jid, peelId, returnData };
    });
    await fc.assert(
      fc.asyncProperty(sample, (value) => printed(rowCodec.decode(rowCodec.encode(value)))),
      { numRuns: 100 },
    );
  });

  it.each(
    HOSTILE_TEXTS.flatMap((text) =>
      [false, true].map((skipped) => [text.slice(0, 4), skipped, text] as const),
    ),
  )('with words of a stranger in every field: %s, skipped %s', async (_, skipped, text) => {
    const result = hostileRecord(stateResultCodec, text, { skipped, ...(skipped ? { error: '' } : {}) });
    const details = { result: text, stdout: text, stderr: text, kept: text, because: text, exitcode: text };
    for (const results of [[result], [{ ...result, details: { ...result.details, ...details } }, result]]) {
      const answer = hostileRecord(execResponseCodec, text, { jid, peelId, results });
      const returnData = execResponseCodec.encode(answer);
      await printed(hostileRecord(rowCodec, text, { jid, peelId, returnData }));
    }
  });

  it('whatever bytes stand for its answer', async () => {
    const row = rowCodec.create({ jid, peelId, success: true });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), (returnData) => printed({ ...row, returnData })),
      { numRuns: 100 },
    );
  });

  it.each([
    ['many lines', MANY_LINES],
    ['one long line', LONG_LINE],
    ['many empty lines', '\n'.repeat(150_000)],
    ['many separators', '\u2028\u0085\r'.repeat(20_000)],
  ])('whatever its size: %s', async (_, text) => {
    const details = { stdout: text, stderr: text, exitcode: '0' };
    await printed(returned({ results: [withResult({ details })] }));
    await printed(
      returned({ results: [withResult({ details: { result: text }, diff: text, error: text })] }),
    );
    await printed(returned({ error: text }, { success: false, error: text }));
    const state = { name: `cmd.run:${text}`, details, diff: text, error: text };
    await printed(
      returned({
        results: [withResult(state), withResult({ ...state, skipped: true, error: '', skipReason: text })],
      }),
    );
  });

  it('with as many results as fit a message', async () => {
    const results = Array.from({ length: 100_000 }, () => withResult({ name: 'a.b:c' }));
    const value = returned({ results });
    const look = { paint: paintFor(false), glyphs: UNICODE_GLYPHS, stateOutput: 'terse' } as const;
    expect(returnsText([value], look).split('\n').length).toBeGreaterThan(100_000);
  });
});
