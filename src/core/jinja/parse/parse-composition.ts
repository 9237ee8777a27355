/** These parsers read the tags that put several templates together: blocks and inheritance, includes and imports. */

import { SPACE_CLASS } from '../../regex/character-classes.ts';
import type { Statement } from './ast.ts';
import { parseNewName } from './parse-names.ts';
import { FUNCTION_BODY, type Parsing, type TagParser } from './parsing.ts';

export const COMPOSITION_TAGS: ReadonlyMap<string, TagParser> = new Map<string, TagParser>([
  ['block', parseBlock],
  ['extends', parseExtends],
  ['include', parseInclude],
  ['import', parseImport],
  ['from', parseFromImport],
]);

const ONLY_SPACES = new RegExp(`^[${SPACE_CLASS}]*$`, 'u');

function parseBlock(parsing: Parsing): Statement {
  const { stream } = parsing;
  const { at } = stream.next();
  const name = stream.expect('name').text;
  if (parsing.blockNames.has(name))
    parsing.late.block(stream.error(`block '${name}' defined twice`, at, { type: 'TemplateAssertionError' }));
  parsing.blockNames.add(name);
  const scoped = stream.skipName('scoped');
  const required = stream.skipName('required');
  if (stream.isOperator('-'))
    throw stream.error(
      'Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.',
    );
  const body = parsing.bodyThrough('endblock', FUNCTION_BODY);
  if (required && !body.every((node) => node.kind === 'text' && ONLY_SPACES.test(node.text)))
    throw stream.error('Required blocks can only contain comments or whitespace');
  stream.skipName(name);
  return { kind: 'block', at, name, scoped, required, body };
}

function parseExtends({ stream, expressions, place, late }: Parsing): Statement {
  const { at } = stream.next();
  if (!place.topLevel)
    late.assertion(
      stream.error('cannot use extend from a non top-level scope', at, { type: 'TemplateAssertionError' }),
    );
  return { kind: 'extends', at, template: expressions.parse() };
}

function parseInclude(parsing: Parsing): Statement {
  const { stream, expressions } = parsing;
  const { at } = stream.next();
  const template = expressions.parse();
  const ignoreMissing = isPhrase(parsing, 'ignore', 'missing');
  if (ignoreMissing) skipPhrase(parsing);
  const withContext = parseContext(parsing) ?? true;
  return { kind: 'include', at, template, ignoreMissing, withContext };
}

function parseImport(parsing: Parsing): Statement {
  const { at } = parsing.stream.next();
  return { kind: 'import', at, ...parseImportedAs(parsing) };
}

/** `'file' as name with context`; Salt's own import tags go on in the same way. */
export function parseImportedAs(parsing: Parsing): {
  template: ReturnType<Parsing['expressions']['parse']>;
  name: string;
  withContext: boolean;
} {
  const template = parsing.expressions.parse();
  parsing.stream.expectName('as');
  const { name } = parseNewName(parsing.stream);
  return { template, name, withContext: parseContext(parsing) ?? false };
}

function parseFromImport(parsing: Parsing): Statement {
  const { stream, expressions } = parsing;
  const { at } = stream.next();
  const template = expressions.parse();
  stream.expectName('import');
  const names = [];
  let withContext: boolean | undefined;
  for (let first = true; ; first = false) {
    if (!first) stream.expectOperator(',');
    // The words for the context may follow a comma, and may even stand alone.
    withContext = parseContext(parsing);
    if (withContext !== undefined) break;
    names.push(parseImportedName(parsing));
    withContext = parseContext(parsing);
    if (withContext !== undefined || !stream.isOperator(',')) break;
  }
  return { kind: 'fromImport', at, template, names, withContext: withContext ?? false };
}

function parseImportedName({ stream }: Parsing) {
  const { at, name } = parseNewName(stream);
  if (name.startsWith('_'))
    throw stream.error('names starting with an underline can not be imported', at, {
      type: 'TemplateAssertionError',
    });
  return { at, name, alias: stream.skipName('as') ? parseNewName(stream).name : name };
}

/** `with context` or `without context`, or undefined where neither stands. */
function parseContext(parsing: Parsing): boolean | undefined {
  const withContext = isPhrase(parsing, 'with', 'context');
  if (!withContext && !isPhrase(parsing, 'without', 'context')) return undefined;
  skipPhrase(parsing);
  return withContext;
}

function isPhrase({ stream }: Parsing, first: string, second: string): boolean {
  if (!stream.isName(first)) return false;
  const following = stream.look();
  return following.type === 'name' && following.text === second;
}

function skipPhrase({ stream }: Parsing): void {
  stream.next();
  stream.next();
}
