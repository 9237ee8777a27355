import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addScratch, prepareSources, sourceArgs } from './fleet-sources.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'zester-fleet-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const facts = () => readFileSync(join(home, 'facts'), 'utf8');

it('gives a master the directories that it publishes, and one of its own', () => {
  expect(sourceArgs('/fleet', 'master-1')).toEqual([
    ...['--states', '/fleet/states', '--settings', '/fleet/settings', '--reactor', '/fleet/reactor'],
    ...['--data-dir', '/fleet/masters/master-1'],
  ]);
});

it('gives a peel a directory of its own', () => {
  addScratch(home);
  expect(JSON.parse(facts())).toEqual({ scratch: join(home, 'scratch') });
});

it.each([
  ['{"role": "web"}', { role: 'web', scratch: true }],
  ['{"scratch": "/mine"}', { scratch: '/mine' }],
  ['', { scratch: true }],
])('keeps the facts %s', (text, expected) => {
  writeFileSync(join(home, 'facts'), text);
  addScratch(home);
  const wanted = expected.scratch === true ? { ...expected, scratch: join(home, 'scratch') } : expected;
  expect(JSON.parse(facts())).toEqual(wanted);
});

it('leaves a file of lines alone', () => {
  writeFileSync(join(home, 'facts'), 'role: web\n');
  addScratch(home);
  expect(facts()).toBe('role: web\n');
});

describe('the directories of a fleet', () => {
  const settings = (files: Readonly<Record<string, string>>) => {
    mkdirSync(join(home, 'settings'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home, 'settings', name), text);
  };
  const tree = () => {
    const names = readdirSync(join(home, 'settings')).sort();
    return Object.fromEntries(
      names.map((name) => [name, readFileSync(join(home, 'settings', name), 'utf8')]),
    );
  };

  it('are made where they are not there', () => {
    prepareSources(home);
    expect(readdirSync(home).sort()).toEqual(['reactor', 'settings', 'states']);
  });

  it('from before masters published them become a settings tree that means the same', () => {
    settings({
      '20-web.yaml': 'b: 1\n',
      'a.b.yml': 'c: 1\n',
      '10.zy': 'a: 1\n',
      'a-b.zy': 'd: 1\n',
      '.hidden.yaml': '',
    });
    prepareSources(home);
    const made = tree();
    expect(made).toEqual({
      '.hidden.yaml': '',
      '10.zy': 'a: 1\n',
      '20-web.zy': 'b: 1\n',
      'a-b.zy': 'd: 1\n',
      'a-b-2.zy': 'c: 1\n',
      'top.zy':
        "# Which machine gets which settings.\nbase:\n  '*':\n    - '10'\n    - '20-web'\n    - 'a-b'\n    - 'a-b-2'\n",
    });
    prepareSources(home);
    expect(tree()).toEqual(made);
  });

  it('with a top file stay as they are, and so do empty ones', () => {
    settings({ 'top.sls': 'base: {}\n', 'x.yaml': 'a: 1\n' });
    prepareSources(home);
    expect(tree()).toEqual({ 'top.sls': 'base: {}\n', 'x.yaml': 'a: 1\n' });
  });
});
