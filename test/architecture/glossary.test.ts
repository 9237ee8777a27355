/** The glossary: each word once, in order, defined briefly, and with a place that is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const SENTENCES_MAX = 2;

const lines = readFileSync(join(ROOT, 'docs', 'glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('- '));
const entries = lines.map((line) =>
  /^- \*\*(?<term>[a-z ]+)\*\*: (?<meaning>.+\.) `(?<place>[\w./-]+)`$/.exec(line),
);
const terms = entries.map((entry) => entry?.groups?.term ?? '');

describe('glossary', () => {
  it('every entry is a term, what it means, and where it lives', () => {
    expect(lines.filter((_, at) => entries[at] === null)).toEqual([]);
    expect(terms.length).toBeGreaterThan(30);
  });

  it('terms are sorted, and each is defined once', () => {
    expect(terms).toEqual([...new Set(terms)].sort());
  });

  it('a definition is one or two sentences', () => {
    const long = entries.filter(
      (entry) => (entry?.groups?.meaning?.match(/\.(?: |$)/g)?.length ?? 0) > SENTENCES_MAX,
    );
    expect(long.map((entry) => entry?.groups?.term)).toEqual([]);
  });

  it('the place of each is there', () => {
    const places = entries.map((entry) => entry?.groups?.place ?? '');
    expect(places.filter((place) => !existsSync(join(ROOT, place)))).toEqual([]);
  });
});
