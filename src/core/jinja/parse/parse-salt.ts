/**
 * These parsers read the tags that Salt adds to Jinja2: data written in a template or in a file of its own, and timing.
 */
import type { DataFormat, Statement } from './ast.ts';
import { parseAssignTarget } from './parse-assign-target.ts';
import { parseImportedAs } from './parse-composition.ts';
import { FUNCTION_BODY, type Parsing, type TagParser } from './parsing.ts';

export const SALT_TAGS: ReadonlyMap<string, TagParser> = new Map<string, TagParser>([
  ...(['yaml', 'json', 'text'] as const).flatMap((format): [string, TagParser][] => [
    [`load_${format}`, (parsing) => parseLoad(parsing, format)],
    [`import_${format}`, (parsing) => parseImportData(parsing, format)],
  ]),
  ['profile', parseProfile],
]);

/** `{% load_yaml as name %}…{% endload %}`. */
function parseLoad(parsing: Parsing, format: DataFormat): Statement {
  const { stream } = parsing;
  const { at, text } = stream.next();
  stream.expectName('as');
  const target = parseAssignTarget(parsing);
  if (target.kind !== 'name') throw stream.error(`${text} needs one name after 'as'`, target.at);
  return { kind: 'load', at, format, name: target.name, body: parsing.bodyThrough('endload', FUNCTION_BODY) };
}

/** `{% import_yaml 'file' as name %}`. */
function parseImportData(parsing: Parsing, format: DataFormat): Statement {
  const { at } = parsing.stream.next();
  return { kind: 'importData', at, format, ...parseImportedAs(parsing) };
}

/** `{% profile as 'label' %}…{% endprofile %}`. */
function parseProfile(parsing: Parsing): Statement {
  const { stream, expressions } = parsing;
  const { at } = stream.next();
  stream.expectName('as');
  const label = expressions.parse();
  return { kind: 'profile', at, label, body: parsing.bodyThrough('endprofile', FUNCTION_BODY) };
}
