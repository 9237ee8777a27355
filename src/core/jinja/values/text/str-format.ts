/**
 * `formatFields` fills the fields of `text.format(…)`, by the rules of Python's `string.Formatter`, which Jinja2's
 * sandbox uses: `{}` counts up, `{.name}` does not, and a field that has more than a number may stand beside fields
 * that count.
 */
import { checkTextLength } from '../bounds.ts';
import { ascii, repr, str } from '../print.ts';
import { PythonError, type RenderContext, type Value } from '../value.ts';

/** Where fields get their values from, and how a value is printed. */
export interface FieldSource {
  at(index: number): Value;
  named(name: string): Value;
  print(value: Value, spec: string): string;
}

/** Fields inside of format specifications inside of fields, and no deeper. */
const DEPTH_MAX = 2;

export function formatFields(format: string, source: FieldSource, render: RenderContext): string {
  return new Formatter(source, render).format(format, DEPTH_MAX);
}

class Formatter {
  private readonly source: FieldSource;
  private readonly render: RenderContext;
  /** The next automatic number; undefined until a first field decides; 'manual' once a field is a number. */
  private numbering: number | 'manual' | undefined;

  constructor(source: FieldSource, render: RenderContext) {
    this.source = source;
    this.render = render;
  }

  format(format: string, depth: number): string {
    if (depth < 0) throw wrong('Max string recursion exceeded');
    let text = '';
    for (const part of parts(format)) {
      text += typeof part === 'string' ? part : this.field(part, depth);
      checkTextLength(text.length, this.render.limits);
    }
    return text;
  }

  private field(field: Field, depth: number): string {
    const value = converted(this.value(field.name), field.conversion);
    return this.source.print(value, this.format(field.spec, depth - 1));
  }

  private value(fieldName: string): Value {
    const first = /^[^.[]*/.exec(fieldName)?.[0] ?? '';
    let value = this.first(first, fieldName);
    for (let at = first.length; at < fieldName.length; ) {
      const step = readStep(fieldName, at);
      value =
        'item' in step
          ? this.render.getItem(value, step.item)
          : this.render.getAttribute(value, step.attribute);
      at = step.end;
    }
    return value;
  }

  private first(name: string, fieldName: string): Value {
    if (fieldName === '') {
      if (this.numbering === 'manual') throw mixed();
      const number = this.numbering ?? 0;
      this.numbering = number + 1;
      return this.source.at(number);
    }
    const index = indexIn(name);
    if (index === undefined) return this.source.named(name);
    if (name === fieldName) {
      if (typeof this.numbering === 'number') throw mixed();
      this.numbering = 'manual';
    }
    return this.source.at(index);
  }
}

function mixed(): PythonError {
  return wrong('cannot switch from manual field specification to automatic field numbering');
}

interface Field {
  readonly name: string;
  readonly conversion: string | undefined;
  readonly spec: string;
}

/** The literal texts and fields of a format string. */
function* parts(format: string): Generator<string | Field, void> {
  let at = 0;
  while (at < format.length) {
    const brace = nextBrace(format, at);
    if (brace > at) yield format.slice(at, brace);
    if (brace === format.length) return;
    const character = format.charAt(brace);
    if (format.charAt(brace + 1) === character) {
      yield character;
      at = brace + 2;
    } else if (character === '}') {
      throw wrong("Single '}' encountered in format string");
    } else if (brace + 1 === format.length) {
      throw wrong("Single '{' encountered in format string");
    } else {
      const { field, end } = readField(format, brace + 1);
      yield field;
      at = end;
    }
  }
}

function nextBrace(format: string, from: number): number {
  let at = from;
  while (at < format.length && format.charAt(at) !== '{' && format.charAt(at) !== '}') at++;
  return at;
}

function readField(format: string, start: number): { readonly field: Field; readonly end: number } {
  const nameEnd = endOfName(format, start);
  const name = format.slice(start, nameEnd);
  const separator = format.charAt(nameEnd);
  if (separator === '}') return { field: { name, conversion: undefined, spec: '' }, end: nameEnd + 1 };
  if (separator === '') throw wrong("expected '}' before end of string");
  if (separator === ':') return readSpec(format, nameEnd + 1, name, undefined);
  const point = format.codePointAt(nameEnd + 1);
  if (point === undefined) throw wrong('end of string while looking for conversion specifier');
  const conversion = String.fromCodePoint(point);
  const after = nameEnd + 1 + conversion.length;
  const next = format.charAt(after);
  if (next === '}') return { field: { name, conversion, spec: '' }, end: after + 1 };
  if (next === '') throw wrong("unmatched '{' in format spec");
  if (next !== ':') throw wrong("expected ':' after conversion specifier");
  return readSpec(format, after + 1, name, conversion);
}

function endOfName(format: string, start: number): number {
  let inBrackets = false;
  for (let at = start; at < format.length; at++) {
    const character = format.charAt(at);
    if (inBrackets) inBrackets = character !== ']';
    else if (character === '[') inBrackets = true;
    else if (character === '{') throw wrong("unexpected '{' in field name");
    else if (character === '}' || character === ':' || character === '!') return at;
  }
  return format.length;
}

function readSpec(
  format: string,
  start: number,
  name: string,
  conversion: string | undefined,
): { readonly field: Field; readonly end: number } {
  let depth = 1;
  for (let at = start; at < format.length; at++) {
    const character = format.charAt(at);
    if (character === '{') depth++;
    else if (character === '}' && --depth === 0)
      return { field: { name, conversion, spec: format.slice(start, at) }, end: at + 1 };
  }
  throw wrong("unmatched '{' in format spec");
}

type Step = { readonly end: number } & ({ readonly item: Value } | { readonly attribute: string });

/** `.name` or `[key]` at this place of a field name. */
function readStep(fieldName: string, at: number): Step {
  const opening = fieldName.charAt(at);
  if (opening === '.') {
    const attribute = /^[^.[]*/.exec(fieldName.slice(at + 1))?.[0] ?? '';
    if (attribute === '') throw wrong('Empty attribute in format string');
    return { attribute, end: at + 1 + attribute.length };
  }
  if (opening !== '[') throw wrong("Only '.' or '[' may follow ']' in format field specifier");
  const closing = fieldName.indexOf(']', at);
  if (closing < 0) throw wrong("Missing ']' in format string");
  const key = fieldName.slice(at + 1, closing);
  if (key === '') throw wrong('Empty attribute in format string');
  return { item: indexIn(key) ?? key, end: closing + 1 };
}

function indexIn(text: string): number | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined;
  const index = Number(text);
  if (index > Number.MAX_SAFE_INTEGER) throw wrong('Too many decimal digits in format string');
  return index;
}

function converted(value: Value, conversion: string | undefined): Value {
  switch (conversion) {
    case undefined:
      return value;
    case 's':
      return str(value);
    case 'r':
      return repr(value);
    case 'a':
      return ascii(value);
    default:
      throw wrong(`Unknown conversion specifier ${conversion}`);
  }
}

function wrong(message: string): PythonError {
  return new PythonError('ValueError', message);
}
