import { describe, expect, it } from 'vitest';
import { plainAck } from './jetstream-api.ts';

const acked = (text: string) => plainAck(Buffer.from(text));

describe('plainAck', () => {
  it('reads the acknowledgement as servers write it', () => {
    for (const text of ['{"stream":"KV_job-returns", "seq":123}', '{"stream":"KV_job-returns","seq":123}'])
      expect(acked(text)).toEqual({ stream: 'KV_job-returns', sequence: 123, duplicate: false });
  });

  it.each([
    '{"stream":"S","seq":1,"duplicate":true}',
    '{"stream":"S", "domain":"hub", "seq":1}',
    '{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 7"},"stream":"S","seq":0}',
    '{"stream":"S\\u0041","seq":1}',
    '{"stream":"S","seq":-1}',
    '{"stream":"S","seq":12345678901234567890}',
    '',
  ])('leaves %s to the JSON parser', (text) => {
    expect(acked(text)).toBeUndefined();
  });
});
