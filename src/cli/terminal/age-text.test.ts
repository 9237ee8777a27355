import { expect, it } from 'vitest';
import { ageText } from './age-text.ts';

it.each([
  [-5_000, '0s ago'],
  [0, '0s ago'],
  [119_000, '119s ago'],
  [120_000, '2m ago'],
  [119 * 60_000, '119m ago'],
  [2 * 3_600_000, '2h ago'],
  [47 * 3_600_000, '47h ago'],
  [48 * 3_600_000, '2d ago'],
])('%d ms is %s', (ms, text) => {
  expect(ageText(ms)).toBe(text);
});
