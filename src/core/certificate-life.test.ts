import { expect, it } from 'vitest';
import { isRenewalDue, renewFromMs } from './certificate-life.ts';

const life = { beginsMs: 1_000, endsMs: 4_000 };

it('a certificate is renewed from two thirds of its life on', () => {
  expect(renewFromMs(life)).toBe(3_000);
  expect([isRenewalDue(life, 2_999), isRenewalDue(life, 3_000), isRenewalDue(life, 9_000)]).toEqual([
    false,
    true,
    true,
  ]);
});
