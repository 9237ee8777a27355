/**
 * These checks tell what a template does here and not in Salt, in all of its branches: a render only meets those that the
 * facts at hand lead to. The list for people is docs/reference/jinja.md.
 */
import { TemplateError } from '../../core/jinja/errors.ts';
import type { ArgumentNodes, Expression, LoadNode, Position, Statement } from '../../core/jinja/parse/ast.ts';
import { parseTemplate } from '../../core/jinja/parse/parser.ts';
import { walkStatements } from '../../core/jinja/parse/walk.ts';
import { PythonError } from '../../core/jinja/values/value.ts';
import type { StateProblem } from '../../core/states/state-problem.ts';
import { templateRegex } from '../../core/templates/template-regex.ts';
import { sexagesimalScalars } from './yaml-traps.ts';

const ASKS_NETWORK = 'it asks the network in the middle of a render: give the answer as a setting';
const READS_MACHINE = 'it reads the machine past its functions: use a fact, or a function through salt[…]';
const CHANGES_ALWAYS =
  'what it gives changes with every render: take it from a setting, or from random_shuffle with a seed';

/** Filters of Salt that are not there, each with what to do. */
export const ABSENT_FILTERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['dns_check', 'http_query'].map((name) => [name, ASKS_NETWORK])),
  ...Object.fromEntries(
    ['file_hashsum', 'is_bin_file', 'is_empty', 'is_text_file', 'list_files', 'which', 'get_uid'].map(
      (name) => [name, READS_MACHINE],
    ),
  ),
  ...Object.fromEntries(['rand_str', 'random_hash', 'random_str'].map((name) => [name, CHANGES_ALWAYS])),
  json_query: 'use attributes, selectattr and map, or traverse',
};

const REGEX_FILTERS = ['regex_match', 'regex_search', 'regex_replace'];

/** A template that cannot be parsed is told by whoever renders it. */
export function templateDifferences(path: string, text: string): readonly StateProblem[] {
  const found: StateProblem[] = [];
  const tell = (at: Position, message: string, hint: string) =>
    found.push({
      message,
      at: { file: path, line: at.line, column: at.column },
      chain: [],
      hint,
      severity: 'warning',
    });
  walkStatements(bodyOf(path, text), {
    statement: (node) => {
      if (node.kind === 'load' && node.format === 'yaml') tellSexagesimal(node, tell);
      for (const at of includesPastCapture(node))
        tell(
          at,
          'the included text stands here where it is written; Salt writes it past the block around it',
          'include it outside of the block, or with context',
        );
      return true;
    },
    expression: (node) => tellExpression(node, tell),
  });
  return found;
}

type Tell = (at: Position, message: string, hint: string) => void;

function bodyOf(name: string, text: string): readonly Statement[] {
  try {
    return parseTemplate(text, { name }).body;
  } catch (error) {
    if (error instanceof TemplateError) return [];
    throw error;
  }
}

function tellExpression(node: Expression, tell: Tell): void {
  if (node.kind === 'filter') {
    const hint = Object.hasOwn(ABSENT_FILTERS, node.name) ? ABSENT_FILTERS[node.name] : undefined;
    if (hint !== undefined)
      tell(
        node.at,
        `Salt's filter ${node.name} does not exist here: the render fails where it is used`,
        hint,
      );
    if (REGEX_FILTERS.includes(node.name)) tellRegex(node.args, node.at, tell);
  }
  if (node.kind === 'test' && node.name === 'match') tellRegex(node.args, node.at, tell);
  if (isPowerOfNegative(node))
    tell(
      node.at,
      'the minus belongs to the number here; Salt applies it to the power, unless both are constants',
      'write parentheses',
    );
}

/** Only patterns that Python takes and the linear-time engine does not. */
function tellRegex({ positional, named }: ArgumentNodes, at: Position, tell: Tell): void {
  const pattern = positional[0] ?? named.find(({ name }) => name === 'rgx')?.value;
  if (pattern?.kind !== 'literal' || pattern.literal.type !== 'str') return;
  try {
    const regex = templateRegex(pattern.literal.value, {
      ignoreCase: false,
      multiline: false,
      dotAll: false,
    });
    // Some show only in a search.
    Array.from(regex.matches(''));
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    if (error.type === 'NotImplementedError')
      tell(at, error.message, 'say it without, or in several steps; the render fails where it is used');
  }
}

/** `-2 ** n`, where `n` is not a constant. */
function isPowerOfNegative(node: Expression): boolean {
  if (node.kind !== 'binary' || node.operator !== '**' || node.right.kind === 'literal') return false;
  const { left } = node;
  return left.kind === 'unary' && left.operator === '-' && left.operand.kind === 'literal';
}

/** `{% include … without context %}` inside of text that is captured. */
function includesPastCapture(node: Statement): readonly Position[] {
  if (node.kind !== 'macro' && node.kind !== 'filterBlock' && node.kind !== 'blockSet') return [];
  const found: Position[] = [];
  walkStatements(node.body, {
    statement: (inner) => {
      if (inner.kind === 'include' && !inner.withContext) found.push(inner.at);
      // It looks into itself.
      return inner.kind !== 'macro' && inner.kind !== 'filterBlock' && inner.kind !== 'blockSet';
    },
  });
  return found;
}

/** What expressions print inside of it is not known, and stands as a word. */
function tellSexagesimal(node: LoadNode, tell: Tell): void {
  let text = '';
  walkStatements(node.body, {
    statement: (inner) => {
      if (inner.kind === 'text') text += inner.text;
      if (inner.kind === 'output') text += 'x';
      return true;
    },
  });
  for (const { source } of sexagesimalScalars(text, node.name))
    tell(
      node.at,
      `${source} in ${node.name} is text here; Salt reads it as a number with the base 60`,
      `write '${source}': in quotes it is text for both`,
    );
}
