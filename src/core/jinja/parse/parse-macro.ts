/** These parsers read macros and the blocks that are handed to them. */
import type { Parameter, Statement } from './ast.ts';
import { checkParametersOnce, parseNewName } from './parse-names.ts';
import { FUNCTION_BODY, type Parsing, type TagParser } from './parsing.ts';

export const MACRO_TAGS: ReadonlyMap<string, TagParser> = new Map<string, TagParser>([
  ['macro', parseMacro],
  ['call', parseCallBlock],
]);

function parseMacro(parsing: Parsing): Statement {
  const { at } = parsing.stream.next();
  const { name } = parseNewName(parsing.stream);
  const parameters = parseParameters(parsing);
  return { kind: 'macro', at, name, parameters, body: parsing.bodyThrough('endmacro', FUNCTION_BODY) };
}

function parseCallBlock(parsing: Parsing): Statement {
  const { stream } = parsing;
  const { at } = stream.next();
  const parameters = stream.isOperator('(') ? parseParameters(parsing) : [];
  const call = parsing.expressions.parse();
  if (call.kind !== 'call') throw stream.error('expected call', at);
  return { kind: 'callBlock', at, call, parameters, body: parsing.bodyThrough('endcall', FUNCTION_BODY) };
}

function parseParameters({ stream, expressions, late }: Parsing): readonly Parameter[] {
  stream.expectOperator('(');
  const parameters: Parameter[] = [];
  while (!stream.isOperator(')')) {
    if (parameters.length > 0) stream.expectOperator(',');
    const { at, name } = parseNewName(stream);
    const defaultValue = stream.skipOperator('=') ? expressions.parse() : undefined;
    if (defaultValue === undefined && parameters.at(-1)?.defaultValue !== undefined)
      throw stream.error('non-default argument follows default argument');
    parameters.push({ at, name, defaultValue });
  }
  stream.next();
  checkParametersOnce(parameters, stream, late);
  return parameters;
}
