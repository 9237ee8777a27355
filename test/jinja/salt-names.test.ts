/**
 * Whatever a template finds in Salt's environment is here too, or docs/reference/jinja.md says by name that it is not,
 * and why. The names are recorded from Salt (scripts/record-salt.sh).
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILTERS, GLOBALS, TESTS } from '../../src/core/jinja/library/registry.ts';
import { templateGlobals } from '../../src/core/states/template/template-context.ts';
import { NO_WORDS } from '../../src/core/target/operator-words.ts';
import type { PeelId } from '../../src/wire/names/ids.ts';

type Kind = 'filters' | 'tests' | 'globals';

const SALT: Readonly<Record<Kind, readonly string[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/jinja/names.json'), 'utf8'),
);
const PAGE = readFileSync(join(import.meta.dirname, '../../docs/reference/jinja.md'), 'utf8');

const OF_THE_STATE_ENGINE = templateGlobals({
  peelId: 'web-01' as PeelId,
  facts: {},
  words: NO_WORDS,
  settings: {},
  statesDir: '/',
  dryRun: true,
  machine: {
    functionNames: [],
    callFunction: async () => null,
    hasProgram: async () => false,
    userInfo: async () => ({}),
  },
});

const OURS: Readonly<Record<Kind, readonly string[]>> = {
  filters: [...FILTERS.keys()],
  tests: [...TESTS.keys()],
  globals: [...GLOBALS.keys(), ...Object.keys(OF_THE_STATE_ENGINE)],
};

/** The names in the first column of the table under the heading; each row has a reason in the second. */
function listedAsMissing(): string[] {
  const section =
    PAGE.split(/^### /m).find((text) => text.startsWith('What Salt has and Zester has not\n')) ?? '';
  const rows = [...section.matchAll(/^\| (`.*?) \| (.*?) \|$/gm)];
  for (const [row, , reason] of rows) expect(reason?.length, row).toBeGreaterThan(20);
  return rows.flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

describe("the names in Salt's environment", () => {
  it('are recorded', () => {
    expect(SALT.filters.length).toBeGreaterThan(140);
    expect(SALT.tests.length).toBeGreaterThan(35);
    expect(SALT.globals.length).toBeGreaterThan(8);
  });

  it('are all here, but for those that the reference page lists', () => {
    const missing = (['filters', 'tests', 'globals'] as const).flatMap((kind) =>
      SALT[kind].filter((name) => !OURS[kind].includes(name)),
    );
    expect(listedAsMissing().sort()).toEqual(missing.sort());
  });

  it('are all filters and tests there are: nothing works here that would fail in Salt', () => {
    expect(OURS.filters.filter((name) => !SALT.filters.includes(name))).toEqual([]);
    expect(OURS.tests.filter((name) => !SALT.tests.includes(name))).toEqual([]);
    expect([...GLOBALS.keys()].filter((name) => !SALT.globals.includes(name))).toEqual([]);
  });
});
