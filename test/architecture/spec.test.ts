/** The page docs/reference/spec.md names code and tests for every sentence of the specification: here each of them is looked up. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles } from './source-files.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = 'docs/reference/spec.md';
const ID = /^([A-Z])-(\d+)\.(\d+)$/;

interface Row {
  readonly id: string;
  readonly statement: string;
  readonly standing: string;
  readonly code: readonly Cited[];
  readonly tests: readonly Cited[];
}

/** A path, and what is said to be in that file. */
interface Cited {
  readonly path: string;
  readonly words: readonly string[];
}

interface Section {
  /** `J-4`. */
  readonly id: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

interface Document {
  readonly letter: string;
  /** Its list of headings, in order. */
  readonly headings: readonly string[];
  readonly sections: readonly Section[];
}

type Need = 'some' | 'none' | 'any';

/** What a row of each standing must name. */
const STANDINGS: readonly { readonly text: RegExp; readonly code: Need; readonly tests: Need }[] = [
  { text: /^holds$/, code: 'some', tests: 'some' },
  { text: /^otherwise: (decision \d+|decisions \d+(, \d+)+|issue \d+)$/, code: 'some', tests: 'some' },
  { text: /^differs$/, code: 'some', tests: 'some' },
  { text: /^not proven$/, code: 'some', tests: 'none' },
  { text: /^not yet: issue \d+$/, code: 'any', tests: 'any' },
  { text: /^out: (advice|NATS|Go only|superseded|future)$/, code: 'any', tests: 'any' },
  { text: /^same as [A-Z]-\d+\.\d+$/, code: 'none', tests: 'none' },
];

const documents = parsePage(readFileSync(join(ROOT, PAGE), 'utf8'));
const rows = documents.flatMap(({ sections }) => sections.flatMap((section) => section.rows));
const tree = ['src', 'test', 'scripts'].flatMap((dir) =>
  listFiles(join(ROOT, dir)).map((path) => path.slice(ROOT.length + 1)),
);
const texts = new Map<string, string>();

function parsePage(page: string): Document[] {
  return partsOf(page, /^## ([A-Z]): .*$/m).map(({ head, body }) => ({
    letter: head[1] ?? '',
    headings: [...body.matchAll(/^\d+\. \[(.+)\]\(#.+\)$/gm)].map((match) => match[1] ?? ''),
    sections: partsOf(body, /^### (\S+) (.+)$/m).map((section) => ({
      id: section.head[1] ?? '',
      title: section.head[2] ?? '',
      rows: [...section.body.matchAll(/^\| [A-Z]-.*$/gm)].map(([line]) => parseRow(line)),
    })),
  }));
}

/** What stands under each heading that matches, up to the next one. */
function partsOf(
  text: string,
  heading: RegExp,
): { readonly head: RegExpMatchArray; readonly body: string }[] {
  const heads = [...text.matchAll(new RegExp(heading, 'gm'))];
  return heads.map((head, index) => ({
    head,
    body: text.slice(head.index + head[0].length, heads[index + 1]?.index),
  }));
}

function parseRow(line: string): Row {
  const cells = line.slice(1, -1).split(/(?<!\\)\|/);
  const [id = '', statement = '', standing = '', code = '', tests = '', ...more] = cells.map((cell) =>
    cell.trim().replaceAll('\\|', '|'),
  );
  expect([id, more], `${line.slice(0, 60)}… has five cells`).toEqual([expect.stringMatching(ID), []]);
  return {
    id,
    statement,
    standing,
    code: citedIn(id, code, /^`([^`]+)`(?: (.+))?$/).map(([path, symbols]) => ({
      path,
      words: symbols === undefined ? [] : symbols.split(', '),
    })),
    tests: citedIn(id, tests, /^`([^`]+)`: (.+)$/).map(([path, name = '']) => ({ path, words: [name] })),
  };
}

function citedIn(
  id: string,
  cell: string,
  form: RegExp,
): (readonly [path: string, words: string | undefined])[] {
  if (cell === '-') return [];
  return cell.split('<br>').map((part) => {
    const [, path, words] = form.exec(part) ?? [];
    expect(path, `${id}: ${part} is a path and what is in it`).toBeDefined();
    return [path ?? '', words] as const;
  });
}

function textOf(path: string): string {
  const text = texts.get(path) ?? readFileSync(join(ROOT, path), 'utf8');
  texts.set(path, text);
  return text;
}

/** The whole name as it is written, or the part of it before what a table fills in. */
function hasTest(path: string, name: string): boolean {
  const text = textOf(path);
  return ["'", '"', '`'].some((quote) =>
    [quote, '%', '$'].some((end) => text.includes(`${quote}${name}${end}`)),
  );
}

function hasSymbol(path: string, symbol: string): boolean {
  return new RegExp(`\\b${symbol.replace(/[^\w]/g, '\\$&')}\\b`).test(textOf(path));
}

function missingFiles({ id, code, tests }: Row): string[] {
  return [...code, ...tests]
    .filter(({ path }) => !existsSync(join(ROOT, path)))
    .map(({ path }) => {
      const moved = tree.filter((other) => basename(other) === basename(path));
      return `${id}: ${path} is not there${moved.length === 0 ? '' : `; perhaps ${moved.join(' or ')}`}`;
    });
}

function missingWords(
  { id }: Row,
  cited: readonly Cited[],
  has: (path: string, word: string) => boolean,
  isCandidate: (path: string) => boolean,
): string[] {
  return cited.flatMap(({ path, words }) => {
    if (!existsSync(join(ROOT, path))) return [];
    return words
      .filter((word) => !has(path, word))
      .map((word) => {
        const found = tree.filter((other) => isCandidate(other) && has(other, word));
        const hint = found.length === 0 ? '' : `; perhaps ${found.slice(0, 3).join(' or ')}`;
        return `${id}: ${path} has no “${word}”${hint}`;
      });
  });
}

const isTestFile = (path: string) => path.endsWith('.test.ts') || path.startsWith('test/conformance/');
const isSource = (path: string) => path.startsWith('src/') && !isTestFile(path);

describe('the specification, sentence by sentence', () => {
  it('has the documents that are built, each with its headings and a section for each of them', () => {
    expect(documents.map(({ letter }) => letter)).toEqual(['J', 'H', 'E', 'R']);
    for (const { letter, headings, sections } of documents) {
      expect(sections.map(({ title }) => title)).toEqual(headings);
      expect(sections.map(({ id }) => id)).toEqual(headings.map((_, index) => `${letter}-${index + 1}`));
      expect(headings.length).toBeGreaterThan(10);
    }
  });

  it('numbers the sentences of a section from 1, and no section is empty', () => {
    for (const section of documents.flatMap(({ sections }) => sections)) {
      expect(section.rows.length, `sentences of ${section.id}`).toBeGreaterThan(0);
      expect(section.rows.map(({ id }) => id)).toEqual(
        section.rows.map((_, index) => `${section.id}.${index + 1}`),
      );
    }
  });

  it('every sentence has a standing that is one, with the code and the tests that it asks for', () => {
    const fits = (need: Need, { length }: readonly unknown[]) =>
      need === 'any' || (need === 'some') === length > 0;
    const problems = rows.flatMap(({ id, statement, standing, code, tests }) => {
      const rule = STANDINGS.find(({ text }) => text.test(standing));
      if (rule === undefined) return [`${id}: “${standing}” is no standing`];
      return [
        ...(statement === '' ? [`${id}: says nothing`] : []),
        ...(fits(rule.code, code) ? [] : [`${id}: ${standing}, so it names ${rule.code} code`]),
        ...(fits(rule.tests, tests) ? [] : [`${id}: ${standing}, so it names ${rule.tests} tests`]),
      ];
    });
    expect(problems).toEqual([]);
  });

  it('a sentence that is said twice points at one that stands for itself', () => {
    const standing = new Map(rows.map((row) => [row.id, row.standing]));
    const wrong = rows.flatMap((row) => {
      const other = /^same as (\S+)$/.exec(row.standing)?.[1];
      if (other === undefined) return [];
      return (standing.get(other) ?? 'same as').startsWith('same as') ? [`${row.id}: ${row.standing}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('every file that it names is there, and tests are tests', () => {
    const strange = rows.flatMap(({ id, code, tests }) => [
      ...code.filter(({ path }) => !isSource(path)).map(({ path }) => `${id}: ${path} is no source file`),
      ...tests
        .filter(({ path }) => !isTestFile(path))
        .map(({ path }) => `${id}: ${path} is no file of tests`),
    ]);
    expect([...rows.flatMap(missingFiles), ...strange]).toEqual([]);
  });

  it('every test that it names is in its file', () => {
    expect(rows.flatMap((row) => missingWords(row, row.tests, hasTest, isTestFile))).toEqual([]);
  });

  it('every symbol that it names is in its file', () => {
    expect(rows.flatMap((row) => missingWords(row, row.code, hasSymbol, isSource))).toEqual([]);
  });
});
