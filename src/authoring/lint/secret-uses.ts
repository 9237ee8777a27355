/**
 * These checks find templates of settings that compute with a secret. While settings are made only its placeholder is known, so
 * that a comparison, a test or a digest of it is that of the placeholder (decision 21). To print it, alone or inside of a
 * longer text, is right: the value takes its place later. Pure.
 */
import { type DataMap, type DataValue, dataEntries, isDataMap, keyText } from '../../core/data/data-value.ts';
import { TemplateError } from '../../core/jinja/errors.ts';
import type { Expression, Position, Statement } from '../../core/jinja/parse/ast.ts';
import { parseTemplate } from '../../core/jinja/parse/parser.ts';
import { walkStatements } from '../../core/jinja/parse/walk.ts';
import { placeholderOf } from '../../core/settings/secret-placeholders.ts';
import type { StateProblem } from '../../core/states/state-problem.ts';

/** Filters that only hand the text on, perhaps in quotes. */
const CARRYING_FILTERS = [
  ...['default', 'd', 'string', 'indent', 'trim', 'safe'],
  ...['yaml', 'yaml_encode', 'yaml_dquote', 'yaml_squote', 'json', 'json_encode_dict', 'tojson'],
];
/** Tests that do not look at the text. */
const PRESENCE_TESTS = ['defined', 'undefined', 'none'];
/** Names under which templates have all settings. */
const ROOTS = ['settings', 'pillar'];
const LOOKUPS = ['pillar.get', 'settings.get', 'pillar_get'];
const PLACEHOLDER_START = placeholderOf('').slice(0, -'__'.length);

/** A path of keys, as text. */
export type SecretPath = string;

/** Where in settings with placeholders there is one. */
export function secretPathsIn(settings: DataMap): ReadonlySet<SecretPath> {
  const paths = new Set<SecretPath>();
  const walk = (value: DataValue, path: readonly string[]): void => {
    if (typeof value === 'string' && value.includes(PLACEHOLDER_START)) paths.add(path.join(':'));
    else if (Array.isArray(value))
      for (const [place, item] of value.entries()) walk(item as DataValue, [...path, `${place}`]);
    else if (isDataMap(value))
      for (const [key, inner] of dataEntries(value)) walk(inner, [...path, keyText(key)]);
  };
  walk(settings, []);
  return paths;
}

/** A template that cannot be parsed is told by whoever renders it. */
export function secretUses(
  file: string,
  text: string,
  secrets: ReadonlySet<SecretPath>,
): readonly StateProblem[] {
  const found = new Map<string, StateProblem>();
  const check = (node: Expression | undefined, at = node?.at): void => {
    const path = node === undefined ? undefined : settingPath(node);
    if (path === undefined || at === undefined || !secrets.has(path.join(':'))) return;
    found.set(`${at.line}:${at.column}`, problemAt(file, at, path));
  };
  walkStatements(bodyOf(file, text), {
    statement: (node) => {
      if (node.kind === 'if') for (const { test } of node.branches) check(test);
      if (node.kind === 'for') check(node.iterable);
      return true;
    },
    expression: (node) => {
      for (const part of examined(node)) check(part);
    },
  });
  return [...found.values()];
}

/** The parts of an expression whose text decides what comes of it. */
function examined(node: Expression): readonly (Expression | undefined)[] {
  switch (node.kind) {
    case 'compare':
      return [node.first, ...node.rest.map(({ operand }) => operand)];
    case 'filter':
      return CARRYING_FILTERS.includes(node.name) ? [] : [node.input];
    case 'test':
      return PRESENCE_TESTS.includes(node.name) ? [] : [node.input];
    case 'not':
      return [node.operand];
    case 'and':
    case 'or':
      return [node.left];
    case 'condition':
      return [node.test];
    case 'binary':
      return node.operator === '+' ? [] : [node.left, node.right];
    case 'attribute':
    case 'item':
      return [node.object];
    default:
      return [];
  }
}

/** The keys that an expression leads through, where it is a setting and they are written out. */
function settingPath(node: Expression): readonly string[] | undefined {
  if (node.kind === 'name') return ROOTS.includes(node.name) ? [] : undefined;
  if (node.kind === 'attribute') return below(node.object, node.name);
  if (node.kind === 'item') return below(node.object, literalText(node.key));
  if (node.kind === 'filter')
    return node.input && CARRYING_FILTERS.includes(node.name) ? settingPath(node.input) : undefined;
  return node.kind === 'call' ? lookupPath(node.callee, node.args.positional[0]) : undefined;
}

function below(object: Expression, key: string | undefined): readonly string[] | undefined {
  const path = settingPath(object);
  return path === undefined || key === undefined ? undefined : [...path, key];
}

/** `salt['pillar.get']('a:b')`, `salt.pillar.get('a:b')`, `pillar_get('a:b')`, and `pillar.get('a')` of the map. */
function lookupPath(callee: Expression, argument: Expression | undefined): readonly string[] | undefined {
  const key = argument === undefined ? undefined : literalText(argument);
  if (key === undefined) return undefined;
  if (LOOKUPS.includes(functionName(callee))) return key.split(key.includes(':') ? ':' : '.');
  return callee.kind === 'attribute' && callee.name === 'get' ? below(callee.object, key) : undefined;
}

function functionName(callee: Expression): string {
  if (callee.kind === 'name') return callee.name;
  if (callee.kind === 'item') return isSalt(callee.object) ? (literalText(callee.key) ?? '') : '';
  if (callee.kind !== 'attribute' || callee.object.kind !== 'attribute' || !isSalt(callee.object.object))
    return '';
  return `${callee.object.name}.${callee.name}`;
}

function isSalt(node: Expression): boolean {
  return node.kind === 'name' && node.name === 'salt';
}

function literalText(node: Expression): string | undefined {
  if (node.kind !== 'literal' || (node.literal.type !== 'str' && node.literal.type !== 'int'))
    return undefined;
  return String(node.literal.value);
}

function bodyOf(name: string, text: string): readonly Statement[] {
  try {
    return parseTemplate(text, { name }).body;
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}

function problemAt(file: string, at: Position, path: readonly string[]): StateProblem {
  return {
    message: `${path.join(':')} is a secret: the template sees only its placeholder here, and what it computes from it is wrong`,
    at: { file, line: at.line, column: at.column },
    chain: [],
    hint: 'print it, alone or inside of a longer text; decide by another setting',
    severity: 'warning',
  };
}
