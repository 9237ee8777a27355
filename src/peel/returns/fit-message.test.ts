import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { type ExecResponse, execResponseCodec, stateResultCodec } from '../../wire/records/exec.ts';
import { returnCodec } from '../../wire/records/job-return.ts';
import { encodeResponseWithin, encodeReturnWithin, messageRoom, refitReturn } from './fit-message.ts';
import { returnOfRun } from './make-return.ts';

const FRAME = { jid: '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid, peelId: 'web-01' as PeelId, now: 1n };

function responseWith(texts: readonly string[]): ExecResponse {
  const results = texts.map((text, i) =>
    stateResultCodec.create({ name: `s${i}`, changed: true, diff: text, details: { stdout: text } }),
  );
  return execResponseCodec.create({ jid: FRAME.jid, peelId: FRAME.peelId, success: true, results });
}

const texts = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.nat(5_000).map((n) => '🍊'.repeat(n)),
  ),
  { maxLength: 40 },
);

describe('returns', () => {
  it('fit, can be read, and say of success what they said before', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1_024, max: 65_536 }), (given, bytesMax) => {
        const made = returnOfRun(FRAME, { kind: 'answered', response: responseWith(given) }, 5n);
        const bytes = encodeReturnWithin(made, bytesMax);
        expect(bytes.length).toBeLessThanOrEqual(bytesMax);
        const value = returnCodec.decode(bytes);
        expect(value).toMatchObject({ success: true, error: '', duration: 5n, jid: FRAME.jid });
        const again = refitReturn(bytes, 700);
        expect(again.length).toBeLessThanOrEqual(700);
        expect(returnCodec.decode(again).success).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('that fit are left alone', () => {
    const response = responseWith(['hello']);
    const made = returnOfRun(FRAME, { kind: 'answered', response }, 0n);
    const value = returnCodec.decode(encodeReturnWithin(made, messageRoom()));
    expect(execResponseCodec.decode(value.returnData)).toEqual(response);
  });

  it('leave out what is said twice before they cut what is said', () => {
    const result = stateResultCodec.create({
      name: 'facts.items',
      details: { result: 'x'.repeat(40_000) },
      data: { result: { facts: 'x'.repeat(40_000) }, exitcode: 3 },
    });
    const { jid, peelId } = FRAME;
    const response = execResponseCodec.create({ jid, peelId, success: true, results: [result] });
    const shortened = execResponseCodec.decode(encodeResponseWithin(response, 64 * 1024));
    expect(shortened.results).toEqual([{ ...result, data: { exitcode: 3 } }]);
  });

  it('of many results keep the first and say how many are left out', () => {
    const response = responseWith(Array.from({ length: 2_000 }, () => 'x'.repeat(300)));
    const shortened = execResponseCodec.decode(encodeResponseWithin(response, 64 * 1024));
    const last = shortened.results.at(-1);
    expect(shortened.results[0]?.name).toBe('s0');
    expect(last?.name).toBe('return');
    expect(last?.details.shortened).toBe(
      `${2_001 - shortened.results.length} of 2000 results left out: too large for a message`,
    );
  });

  it('larger than any message are shortened all the same', () => {
    const response = responseWith(['y'.repeat(9 * 1_048_576)]);
    const made = returnOfRun(FRAME, { kind: 'answered', response }, 0n);
    const value = returnCodec.decode(encodeReturnWithin(made, messageRoom()));
    expect(execResponseCodec.decode(value.returnData).results[0]?.diff).toMatch(/^y+… \[shortened by zester/);
  });

  it('leave room for headers, and never exceed what the contract allows', () => {
    expect(messageRoom(65_536)).toBeLessThan(65_536);
    expect(messageRoom(64 * 1_048_576)).toBeLessThan(8 * 1_048_576);
  });
});
