import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { statesArgs } from './fleet-states.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'zester-fleet-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const facts = () => readFileSync(join(home, 'facts'), 'utf8');

it('gives a peel its places and a directory of its own', () => {
  expect(statesArgs('/fleet', home)).toEqual(['--states', '/fleet/states', '--settings', '/fleet/settings']);
  expect(JSON.parse(facts())).toEqual({ scratch: join(home, 'scratch') });
});

it.each([
  ['{"role": "web"}', { role: 'web', scratch: true }],
  ['{"scratch": "/mine"}', { scratch: '/mine' }],
  ['', { scratch: true }],
])('keeps the facts %s', (text, expected) => {
  writeFileSync(join(home, 'facts'), text);
  statesArgs('/fleet', home);
  const wanted = expected.scratch === true ? { ...expected, scratch: join(home, 'scratch') } : expected;
  expect(JSON.parse(facts())).toEqual(wanted);
});

it('leaves a file of lines alone', () => {
  writeFileSync(join(home, 'facts'), 'role: web\n');
  statesArgs('/fleet', home);
  expect(facts()).toBe('role: web\n');
});
