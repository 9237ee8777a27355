/** docs/reference/jinja.md names every difference that the tests allow, and no other. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LOAD_DIFFERENCES } from '../yaml/load-differences.ts';
import { DIFFERENCES } from './differences.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/reference/jinja.md'), 'utf8');

function headingsUnder(title: string): string[] {
  const section = PAGE.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  return [...section.matchAll(/^### (.*)$/gm)].map((match) => (match[1] ?? '').replaceAll('\\', ''));
}

describe('the reference page', () => {
  it('names the differences of templates', () => {
    expect(headingsUnder('Differences of templates')).toEqual(DIFFERENCES.map(({ name }) => name));
  });

  it('names the differences of YAML', () => {
    expect(headingsUnder('Differences of YAML')).toEqual(LOAD_DIFFERENCES.map(({ name }) => name));
  });
});
