import { expect, it } from 'vitest';
import type { PeelId } from '../../../wire/names/ids.ts';
import { matchPattern, parsePattern } from './top-pattern.ts';

const facts = { os: { family: 'debian', platform: 'ubuntu', name: 'linux' }, role: 'web', roles: ['a', 'b'] };
const words = { tags: { role: 'db' }, facts: {} };
const means = (pattern: string, type = '') =>
  matchPattern(parsePattern(pattern, type), 'web-01' as PeelId, facts, words);

it.each([
  ['os_family:Debian', 'grain'],
  ['G@os_family:Debian and web*', 'compound'],
  ['G@kernel:Linux', ''],
  ['os_family:Debian', ''],
  ['role:web', ''],
  ['roles:b', ''],
  ['os.family:debian', ''],
  ['G@os:Ubuntu', ''],
  ['os:Ubuntu', 'grain'],
  ['web*', ''],
  ['T@role:db', ''],
  ['role:db', 'tag'],
  ['web* and not T@role:web', 'compound'],
])('%s %s means the peel', (pattern, type) => {
  expect(means(pattern, type)).toBe(true);
});

it.each(['os_family:RedHat', 'role:db', 'db*', 'nothing:here'])('%s does not', (pattern) => {
  expect(means(pattern)).toBe(false);
});

it.each(['web* and role:web', 'a b:c', 'web:'])('%s is still a mistake', (pattern) => {
  expect(() => parsePattern(pattern, '')).toThrow();
});
