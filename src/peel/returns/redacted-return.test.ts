import { describe, expect, it } from 'vitest';
import { hostileRecord } from '../../../test/harness/hostile-record.ts';
import { plainData } from '../../core/plain-data.ts';
import { SecretBook } from '../../core/redact/secret-book.ts';
import type { Jid, PeelId } from '../../wire/names/ids.ts';
import { type ExecResponse, execResponseCodec, stateResultCodec } from '../../wire/records/exec.ts';
import { returnCodec } from '../../wire/records/job-return.ts';
import { ERROR_CHARS_MAX, shortened } from '../states/error-text.ts';
import { redactedResponse, redactedReturn } from './redacted-return.ts';

const SECRET = 'correct horse battery';
const jid = '2hPx1FNsSgJMqVn5bLSTXeBQMpO' as Jid;
const peelId = 'web-01' as PeelId;

function book(): SecretBook {
  const secrets = new SecretBook();
  secrets.learn('db.password', SECRET);
  return secrets;
}

/** The secret in every field that can hold a text. */
function responseFullOf(text: string): ExecResponse {
  const result = {
    ...hostileRecord(stateResultCodec, text, {}),
    data: { [text]: [text, { inner: text }], bytes: Uint8Array.from(Buffer.from(text)) },
  };
  return { ...hostileRecord(execResponseCodec, text, { jid, peelId }), results: [result] };
}

const everything = (value: unknown) =>
  JSON.stringify(plainData(value as never), (_, each: unknown) =>
    each instanceof Uint8Array ? Buffer.from(each).toString('latin1') : each,
  );

describe('what a peel lets go of', () => {
  it.each([
    ['as it is', SECRET],
    ['inside of other words', `password=${SECRET};`],
    ['as base64', Buffer.from(`user:${SECRET}`).toString('base64')],
    ['as hexadecimal digits', Buffer.from(SECRET).toString('hex')],
    ['in an URL', encodeURIComponent(SECRET)],
    ['in JSON', JSON.stringify({ password: SECRET })],
  ])('has no secret in any field, %s', (_, text) => {
    const secrets = book();
    const response = responseFullOf(text);
    const shown = redactedResponse(response, secrets);
    for (const spelling of [SECRET, Buffer.from(SECRET).toString('hex'), encodeURIComponent(SECRET)])
      expect(everything(shown)).not.toContain(spelling);
    expect(everything(shown)).not.toContain(text);
    expect(everything(shown)).toContain('[secret db.password]');
    const made = { value: returnCodec.create({ jid, peelId, error: text }), response };
    expect(everything(redactedReturn(made, secrets))).not.toContain(text);
    expect(redactedResponse(shown, secrets)).toEqual(shown);
  });

  it('is left as it is where there is nothing to hide', () => {
    const response = responseFullOf('nothing to see');
    expect(redactedResponse(response, book())).toEqual(response);
    expect(redactedResponse(response, new SecretBook())).toEqual(response);
  });

  it('has no value in a diff that a secret has replaced, though nobody knows it any more', () => {
    const diff = `@@ -1 +1 @@\n-password former one\n+password ${SECRET}\n`;
    const response = { ...responseFullOf(''), results: [stateResultCodec.create({ diff })] };
    expect(redactedResponse(response, book()).results[0]?.diff).toBe(
      '@@ -1 +1 @@\n-[not shown: a secret stands here now]\n+password [secret db.password]\n',
    );
  });

  it('has no beginning of a secret where a text was cut before', () => {
    for (let left = 4; left < SECRET.length; left++) {
      const part = SECRET.slice(0, left);
      const error = shortened(`${'x'.repeat(ERROR_CHARS_MAX - left)}${SECRET} and more`, ERROR_CHARS_MAX);
      const details = { stdout: `${'y'.repeat(50)}${part}…\n[12 more bytes were not kept]`, stderr: part };
      const data = { stdout: Uint8Array.from(Buffer.from(`\xff${part}`, 'latin1')) };
      const result = stateResultCodec.create({ error, details, data });
      const [shown] = redactedResponse({ ...responseFullOf(''), results: [result] }, book()).results;
      expect([left, shown?.error.includes(`x${part}`)]).toEqual([left, false]);
      expect([left, shown?.details.stdout]).toEqual([
        left,
        `${'y'.repeat(50)}[secret db.password]…\n[12 more bytes were not kept]`,
      ]);
      expect([left, Buffer.from(shown?.data.stdout as Uint8Array).toString('latin1')]).toEqual([
        left,
        '\xff[secret db.password]',
      ]);
      // Nothing says that this was cut: a few letters are a word like others.
      expect(shown?.details.stderr).toBe(left < 8 ? part : '[secret db.password]');
    }
  });
});
