/**
 * Every decision that code or a page cites is a page of docs/decisions. There is one form of citation: `decision 8`,
 * `decision 23c`, `decisions 2, 5 and 10`. Anything else that looks like one is an error, so that none escapes the check.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commentsOf, listFiles } from './source-files.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGES_DIR = join(ROOT, 'docs', 'decisions');
const PAGE_NAME = /^(\d{4})-[a-z0-9-]+\.md$/;

/** A number, alone or in a list. */
const NUMBER = String.raw`[1-9]\d{0,2}[a-z]?`;
const LIST = `${NUMBER}(?:, ${NUMBER})*(?: and ${NUMBER})?`;
const CITATION = new RegExp(String.raw`\b[Dd]ecisions? (${LIST})(?![\w-]|[.,]\d)`, 'g');
/** The word with a number in other forms, and a number with a letter but without the word. */
const LOOKS_LIKE = [/\b(?:decisions?|ADR)[ #:-]*#?\d\w*/gi, /\(\d{1,3}[a-h]\)/g];

interface Page {
  readonly name: string;
  readonly number: number;
  readonly text: string;
}

const names = listFiles(PAGES_DIR).map((path) => path.slice(PAGES_DIR.length + 1));
const pages: readonly Page[] = names
  .filter((name) => name !== 'README.md')
  .map((name) => ({
    name,
    number: Number(PAGE_NAME.exec(name)?.[1]),
    text: readFileSync(join(PAGES_DIR, name), 'utf8'),
  }));
/** A page's number with its zeros, where it is no path. */
const WITH_ZEROS = new RegExp(
  `(?<![\\w./'"\`-])(?:${pages.map(({ name }) => name.slice(0, 4)).join('|')})(?![\\w.'"\`/-])`,
  'g',
);
const index = readFileSync(join(PAGES_DIR, 'README.md'), 'utf8');
const texts = citingTexts();

describe('decisions', () => {
  it('every page has a number of its own, in its name and its title', () => {
    expect(pages.filter(({ number }) => !(number > 0)).map(({ name }) => name)).toEqual([]);
    const numbers = pages.map(({ number }) => number);
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
    const untitled = pages.filter(({ name, text }) => !text.startsWith(`# ${name.slice(0, 4)} `));
    expect(untitled.map(({ name }) => name)).toEqual([]);
  });

  it('the index links every page, by its title, in order', () => {
    const linked = [...index.matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(([, title, name]) => ({ title, name }));
    const expected = pages.map(({ name, text }) => ({ title: text.slice(2, text.indexOf('\n')), name }));
    expect(linked).toEqual(expected.sort((a, b) => a.name.localeCompare(b.name)));
  });

  it('code and pages cite some, and each that they cite is there, with its letter', () => {
    const cited = texts.flatMap(({ path, text }) => citationsIn(text).map((what) => ({ path, what })));
    expect(cited.length).toBeGreaterThan(50);
    const unresolved = cited.filter(({ what }) => !isThere(what));
    expect(unresolved.map(({ path, what }) => `${path}: decision ${what}`)).toEqual([]);
  });

  it('there is no other form of citation', () => {
    const strange = texts.flatMap(({ path, text }) => strangeForms(text).map((what) => `${path}: ${what}`));
    expect(strange).toEqual([]);
  });

  it.each([
    ['decision 8', ['8']],
    ['(decision 23c: masters)', ['23c']],
    ['see decisions 2, 5 and 10.', ['2', '5', '10']],
    ['Decision 40: on disk', ['40']],
    ['decision 112', ['112']],
  ])('reads %s', (text, expected) => {
    expect(citationsIn(text)).toEqual(expected);
    expect(strangeForms(text)).toEqual([]);
  });

  it.each([
    'decision 0011',
    'unguessable (23e)',
    'Decision #8',
    'ADR 12',
    'decisions 2,5',
    'see 0112 for it',
  ])('does not take %s', (text) => {
    expect(strangeForms(text)).not.toEqual([]);
  });
});

function citationsIn(text: string): string[] {
  return [...text.matchAll(CITATION)].flatMap(([, list]) => (list ?? '').split(/, | and /));
}

function strangeForms(text: string): string[] {
  const rest = text.replace(CITATION, (whole) => ' '.repeat(whole.length));
  return [...LOOKS_LIKE, WITH_ZEROS].flatMap((form) => [...rest.matchAll(form)].map(([match]) => match));
}

function isThere(cited: string): boolean {
  const [, number, letter] = /^(\d+)([a-z]?)$/.exec(cited) ?? [];
  const page = pages.find((each) => each.number === Number(number));
  return page !== undefined && (letter === '' || new RegExp(`^- \\*\\*${letter}\\. `, 'm').test(page.text));
}

/** What may cite a decision: comments of code, whole pages. Joined over line breaks, as a sentence is. */
function citingTexts(): readonly { readonly path: string; readonly text: string }[] {
  const folders = ['src', 'test', 'bench', 'scripts', 'docs'].flatMap((dir) => listFiles(join(ROOT, dir)));
  const top = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].map((name) =>
    join(ROOT, name),
  );
  return [...folders, ...top].flatMap((file) => {
    const path = file.slice(ROOT.length + 1);
    // The index explains the form, this file tries the wrong ones.
    if (file === import.meta.filename || path === 'docs/decisions/README.md') return [];
    const raw = readText(file);
    if (raw === undefined) return [];
    const body = path.startsWith('docs/decisions/') ? raw.slice(raw.indexOf('\n')) : raw;
    return [{ path, text: body.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|#)?\s*/g, ' ') }];
  });
}

function readText(file: string): string | undefined {
  if (/\.(?:ts|mjs|cjs)$/.test(file)) return commentsOf(readFileSync(file, 'utf8'));
  return /\.(?:md|sh|py)$/.test(file) && !file.includes('/fixtures/')
    ? readFileSync(file, 'utf8')
    : undefined;
}
