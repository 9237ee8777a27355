import { expect, it } from 'vitest';
import { isVersionEnough } from '../bus/server-floor.ts';

it.each([
  ['2.10.0', true],
  ['2.10.27', true],
  ['v2.15.1', true],
  ['3.0.0', true],
  ['2.10.0-RC.3', true],
  ['2.9.10', false],
  ['2.9.99', false],
  ['1.99.99', false],
  ['', false],
  ['dev', false],
])('version %j is new enough: %s', (version, expected) => {
  expect(isVersionEnough(version)).toBe(expected);
});
