/**
 * Nothing of the language is without recorded cases: whatever our own tables list needs five at least. A new filter,
 * method, statement or kind of error fails here until scripts/record-salt has cases for it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILTERS, GLOBALS, TESTS } from '../../src/core/jinja/library/registry.ts';
import type {
  BinaryOperator,
  CompareOperator,
  Expression,
  Statement,
} from '../../src/core/jinja/parse/ast.ts';
import { COMPOSITION_TAGS } from '../../src/core/jinja/parse/parse-composition.ts';
import { CONTROL_TAGS } from '../../src/core/jinja/parse/parse-control.ts';
import { MACRO_TAGS } from '../../src/core/jinja/parse/parse-macro.ts';
import { SALT_TAGS } from '../../src/core/jinja/parse/parse-salt.ts';
import { parseTemplate } from '../../src/core/jinja/parse/parser.ts';
import { attributeNames } from '../../src/core/jinja/values/attribute.ts';
import { Dict } from '../../src/core/jinja/values/container/dict.ts';
import { Tuple } from '../../src/core/jinja/values/container/tuple.ts';
import { Float } from '../../src/core/jinja/values/number/float.ts';
import type { Value } from '../../src/core/jinja/values/value.ts';
import { type RecordedCase, RecordedCases } from './recorded-cases.ts';

const CASES_MIN = 5;
const WHOLE_FILES_MIN = 300;
const WHOLE_FILE_LINES = 40;
const SKELETONS_MIN = 40;

const ENGINE = join(import.meta.dirname, '../../src/core/jinja');
const CASES = new RecordedCases(join(import.meta.dirname, '../fixtures/jinja'));
const SMALL = ['statements', 'operators', 'filters', 'tests', 'methods', 'errors', 'salt'].flatMap((file) =>
  CASES.read(file),
);
const FORMULAS = CASES.read('formulas');
const ALL = [
  ...SMALL,
  ...FORMULAS,
  ...CASES.read('generated-expressions'),
  ...CASES.read('generated-templates'),
];

/** The compiler keeps these complete: a kind that is missing here does not fit the type. */
const STATEMENT_KINDS: Record<Statement['kind'], true> = {
  text: true,
  output: true,
  if: true,
  for: true,
  set: true,
  blockSet: true,
  macro: true,
  callBlock: true,
  filterBlock: true,
  with: true,
  block: true,
  extends: true,
  include: true,
  import: true,
  fromImport: true,
  do: true,
  break: true,
  continue: true,
  autoescape: true,
  scope: true,
  load: true,
  importData: true,
  profile: true,
};
const EXPRESSION_KINDS: Record<Expression['kind'], true> = {
  literal: true,
  name: true,
  tuple: true,
  list: true,
  dict: true,
  attribute: true,
  item: true,
  slice: true,
  call: true,
  filter: true,
  test: true,
  unary: true,
  binary: true,
  compare: true,
  concat: true,
  and: true,
  or: true,
  not: true,
  condition: true,
};
const OPERATORS: Record<BinaryOperator | CompareOperator, true> = {
  '+': true,
  '-': true,
  '*': true,
  '/': true,
  '//': true,
  '%': true,
  '**': true,
  '==': true,
  '!=': true,
  '<': true,
  '<=': true,
  '>': true,
  '>=': true,
  in: true,
  'not in': true,
};

/** Filters whose answers are chance. */
const UNRECORDED = new Set(['gen_mac', 'random_sample', 'random_shuffle']);

/** What the engine raises that Python's Jinja2 has no counterpart for; their own tests are in src/core/jinja. */
const OWN_ERRORS = new Set([
  'LimitError',
  'HostError',
  'RenderAborted',
  'ReplayError',
  'SaltInvocationError',
  'MemoryError',
  'TemplateError',
]);

function counts(words: Iterable<string>): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (const word of words) table.set(word, (table.get(word) ?? 0) + 1);
  return table;
}

function tooFew(wanted: Iterable<string>, table: ReadonlyMap<string, number>): string[] {
  return [...wanted].filter((word) => (table.get(word) ?? 0) < CASES_MIN);
}

const GROUPS = counts(SMALL.map(({ id }) => id.slice(0, id.lastIndexOf('/'))));

/** Every kind and operator in the trees of a case's templates, once for each case. */
function syntaxOf({ t, f = {} }: RecordedCase): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === 'object' && node !== null) {
      const { kind, operator } = node as { kind?: string; operator?: string };
      if (kind !== undefined) found.add(kind);
      if (operator !== undefined) found.add(operator);
      Object.values(node).forEach(visit);
    }
  };
  for (const source of [t, ...Object.values(f)]) {
    try {
      visit(parseTemplate(source).body);
    } catch {
      // A case of an error in the syntax has no tree.
    }
  }
  return found;
}

describe('the recorded cases', () => {
  it('cover every filter and test', () => {
    const filters = [...FILTERS.keys()]
      .filter((name) => !UNRECORDED.has(name))
      .map((name) => `filter:${name}`);
    const tests = [...TESTS.keys()].filter((name) => !UNRECORDED.has(name)).map((name) => `test:${name}`);
    expect(filters.length).toBeGreaterThan(120);
    expect(tests.length).toBeGreaterThan(35);
    expect(tooFew([...filters, ...tests], GROUPS)).toEqual([]);
  });

  it('cover every global', () => {
    const globals = [...GLOBALS.keys()].map((name) => `object:${name}`);
    expect(globals.length).toBeGreaterThan(8);
    expect(tooFew(globals, GROUPS)).toEqual([]);
  });

  it.each<[string, Value]>([
    ['str', ''],
    ['list', []],
    ['dict', new Dict()],
    ['tuple', new Tuple([])],
    ['int', 1],
    ['float', new Float(1.5)],
  ])('cover every method of %s', (type, value) => {
    const names = attributeNames(value).map((name) => `${type}:${name}`);
    expect(names.length).toBeGreaterThan(1);
    expect(tooFew(names, GROUPS)).toEqual([]);
  });

  it('cover every statement, by its tag', () => {
    const tags = [CONTROL_TAGS, MACRO_TAGS, COMPOSITION_TAGS, SALT_TAGS].flatMap((table) => [
      ...table.keys(),
    ]);
    expect(tags.length).toBeGreaterThan(20);
    const used = counts(
      SMALL.flatMap(({ t }) => [
        ...new Set([...t.matchAll(/\{%[-+]?\s*(\w+)/g)].map((match) => match[1] ?? '')),
      ]),
    );
    expect(tooFew(tags, used)).toEqual([]);
  });

  it('cover every kind of node and every operator', () => {
    const used = counts(SMALL.flatMap((recorded) => [...syntaxOf(recorded)]));
    const kinds = [
      ...Object.keys(STATEMENT_KINDS),
      ...Object.keys(EXPRESSION_KINDS),
      ...Object.keys(OPERATORS),
    ];
    expect(tooFew(kinds, used)).toEqual([]);
  });

  it('cover every kind of error that the engine can raise', () => {
    const raised = new Set<string>();
    for (const file of readdirSync(ENGINE, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
      const text = readFileSync(join(ENGINE, file), 'utf8');
      for (const match of text.matchAll(/'([A-Z]\w*(?:Error|NotFound|Aborted))'/g))
        raised.add(match[1] ?? '');
    }
    const recorded = counts(ALL.flatMap(({ err }) => (err === undefined ? [] : [err.type])));
    const wanted = [...raised].filter((type) => !OWN_ERRORS.has(type));
    expect(wanted.length).toBeGreaterThan(15);
    expect(tooFew(wanted, recorded)).toEqual([]);
  });

  it('have whole files in the style of Salt formulas', () => {
    const whole = FORMULAS.filter(
      ({ t, out }) => out !== undefined && t.split('\n').length >= WHOLE_FILE_LINES,
    );
    expect(whole.length).toBeGreaterThanOrEqual(WHOLE_FILES_MIN);
    expect(counts(FORMULAS.map(({ id }) => id.slice(0, id.indexOf('/')))).size).toBeGreaterThanOrEqual(
      SKELETONS_MIN,
    );
    expect(new Set(FORMULAS.map(({ out, err }) => out ?? err?.message)).size).toBeGreaterThan(
      WHOLE_FILES_MIN / 2,
    );
  });

  it('have names of their own', () => {
    expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length);
  });
});
