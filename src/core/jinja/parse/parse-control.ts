/** These parsers read the tags that decide and repeat, and those that set names. */
import type { Expression, ForNode, IfNode, Statement } from './ast.ts';
import { parseAssignTarget } from './parse-assign-target.ts';
import { type Parsing, SCOPED_BODY, type TagParser } from './parsing.ts';

export const CONTROL_TAGS: ReadonlyMap<string, TagParser> = new Map<string, TagParser>([
  ['if', parseIf],
  ['for', parseFor],
  ['break', (parsing) => parseLoopControl(parsing, 'break', "'break' outside loop")],
  ['continue', (parsing) => parseLoopControl(parsing, 'continue', "'continue' not properly in loop")],
  ['set', parseSet],
  ['with', parseWith],
  ['do', parseDo],
  ['print', parsePrint],
  ['filter', parseFilterBlock],
  ['autoescape', parseAutoescape],
]);

function parseIf(parsing: Parsing): IfNode {
  const { stream, expressions } = parsing;
  const { at } = stream.next();
  const branches: { test: Expression; body: Statement[] }[] = [];
  while (true) {
    const test = expressions.parseTuple({ conditions: false });
    branches.push({ test, body: parsing.bodyUntil(['elif', 'else', 'endif']) });
    const closing = stream.next().text;
    if (closing === 'endif') return { kind: 'if', at, branches, otherwise: undefined };
    if (closing === 'else') return { kind: 'if', at, branches, otherwise: parsing.bodyThrough('endif') };
  }
}

function parseFor(parsing: Parsing): ForNode {
  const { stream, expressions } = parsing;
  const { at } = stream.next();
  // Not even the loop's own target may be called `loop`.
  const target = parseAssignTarget(parsing, { withinLoop: true });
  stream.expectName('in');
  const iterable = expressions.parseTuple({ conditions: false });
  const filter = stream.skipName('if') ? expressions.parse() : undefined;
  const recursive = stream.skipName('recursive');
  const body = parsing.bodyUntil(['endfor', 'else'], {
    topLevel: false,
    breakable: true,
    withinLoop: true,
  });
  const otherwise =
    stream.next().text === 'else'
      ? parsing.bodyThrough('endfor', { topLevel: false, withinLoop: true })
      : undefined;
  return { kind: 'for', at, target, iterable, filter, recursive, body, otherwise };
}

function parseLoopControl(
  { stream, place, late }: Parsing,
  kind: 'break' | 'continue',
  fault: string,
): Statement {
  const { at } = stream.next();
  if (!place.breakable) late.python(stream.error(fault, at));
  return { kind, at };
}

function parseSet(parsing: Parsing): Statement {
  const { stream, expressions } = parsing;
  const { at } = stream.next();
  const target = parseAssignTarget(parsing, { namespaces: true });
  if (stream.skipOperator('=')) return { kind: 'set', at, target, value: expressions.parseTuple() };
  const filter = expressions.parseOptionalFilterChain();
  return { kind: 'blockSet', at, target, filter, body: parsing.bodyThrough('endset', SCOPED_BODY) };
}

function parseWith(parsing: Parsing): Statement {
  const { stream, expressions } = parsing;
  const { at } = stream.next();
  const targets = [];
  const values = [];
  while (stream.current.type !== 'blockEnd') {
    if (targets.length > 0) stream.expectOperator(',');
    targets.push(parseAssignTarget(parsing, { withinLoop: false }));
    stream.expectOperator('=');
    values.push(expressions.parse());
  }
  return { kind: 'with', at, targets, values, body: parsing.bodyThrough('endwith', SCOPED_BODY) };
}

function parseDo({ stream, expressions }: Parsing): Statement {
  const { at } = stream.next();
  return { kind: 'do', at, value: expressions.parseTuple() };
}

/** `{% print a, b %}` is `{{ a }}{{ b }}`. */
function parsePrint({ stream, expressions }: Parsing): readonly Statement[] {
  stream.next();
  const outputs: Statement[] = [];
  while (stream.current.type !== 'blockEnd') {
    if (outputs.length > 0) stream.expectOperator(',');
    const { at } = stream.current;
    outputs.push({ kind: 'output', at, value: expressions.parse() });
  }
  return outputs;
}

function parseFilterBlock(parsing: Parsing): Statement {
  const { at } = parsing.stream.next();
  const filter = parsing.expressions.parseFilterChain();
  return { kind: 'filterBlock', at, filter, body: parsing.bodyThrough('endfilter', SCOPED_BODY) };
}

/** Jinja2 puts a scope around it: what is set inside is gone outside. */
function parseAutoescape(parsing: Parsing): Statement {
  const { at } = parsing.stream.next();
  const enabled = parsing.expressions.parse();
  const body = parsing.bodyThrough('endautoescape', SCOPED_BODY);
  return { kind: 'scope', at, body: [{ kind: 'autoescape', at, enabled, body }] };
}
