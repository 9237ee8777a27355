import { expect, it } from 'vitest';
import { ask, QUESTIONS } from './ask.ts';

it('an answer that is no such record is an error with a code, not a bug', async () => {
  const request = async () => ({
    subject: 'x',
    data: Uint8Array.of(0xc1),
    headers: new Map<string, string>(),
    reply: undefined,
  });
  const question = { expr: '*', type: '', wantFacts: false };
  await expect(ask({ request }, QUESTIONS.resolve, question, 5)).rejects.toMatchObject({
    code: 'BUS_BAD_DATA',
    httpStatus: 502,
  });
});
