/** `jsonText` is Python's `json.dumps`: its spaces, its escapes, its order of keys and its errors. */

import { lessThan } from '../values/compare.ts';
import { Dict } from '../values/container/dict.ts';
import { Tuple } from '../values/container/tuple.ts';
import { binary } from '../values/number/arithmetic.ts';
import { Float, floatText } from '../values/number/float.ts';
import { repr, str } from '../values/print.ts';
import { textOf } from '../values/text/markup.ts';
import { typeName } from '../values/type-name.ts';
import { PythonError, type RenderContext, type Value } from '../values/value.ts';
import { sortKeyed } from './filters/sort-values.ts';
import { bounded } from './filters/text-values.ts';

export interface JsonOptions {
  readonly sortKeys: boolean;
  /** None for one line, else the number of spaces or the text that each level adds. */
  readonly indent: Value;
  /** Whether everything beyond ASCII is escaped, as Python does unless told otherwise. */
  readonly ensureAscii: boolean;
  /** What stands between two items and after a key, where it is not Python's usual. */
  readonly between?: string;
  readonly afterKey?: string;
}

export function jsonText(value: Value, options: JsonOptions, render: RenderContext): string {
  const writer = new JsonWriter(options, indentText(options.indent, render), render);
  writer.write(value, '\n');
  return writer.text;
}

function indentText(indent: Value, render: RenderContext): string | undefined {
  return indent === null ? undefined : (textOf(indent) ?? str(binary('*', ' ', indent, render.limits)));
}

/** Containers deeper than Python's own stack would allow. */
const DEPTH_MAX = 500;

class JsonWriter {
  text = '';
  private readonly options: JsonOptions;
  private readonly indent: string | undefined;
  private readonly render: RenderContext;
  /** The containers around the value being written: one that holds itself has no end. */
  private readonly open = new Set<object>();

  constructor(options: JsonOptions, indent: string | undefined, render: RenderContext) {
    this.options = options;
    this.indent = indent;
    this.render = render;
  }

  /** `line` starts a new line at the level of the value's own brackets. */
  write(value: Value, line: string): void {
    if (Array.isArray(value)) this.list(value, value, line);
    else if (value instanceof Tuple) this.list(value, value.items, line);
    else if (value instanceof Dict) this.dict(value, line);
    else this.add(this.scalar(value));
  }

  private add(text: string): void {
    this.text += text;
    bounded(this.text, this.render);
  }

  private list(container: object, items: readonly Value[], line: string): void {
    if (items.length === 0) this.add('[]');
    else this.within(container, '[', ']', line, items, (item, inner) => this.write(item, inner));
  }

  private dict(dict: Dict, line: string): void {
    if (dict.size === 0) {
      this.add('{}');
      return;
    }
    const pairs = Array.from(dict.entries(), ([key, value]) => ({ key, value }));
    if (this.options.sortKeys) sortKeyed(pairs, lessThan, false);
    this.within(dict, '{', '}', line, pairs, ({ key, value }, inner) => {
      this.add(this.string(keyText(key)) + (this.options.afterKey ?? ': '));
      this.write(value, inner);
    });
  }

  private scalar(value: Value): string {
    const text = textOf(value);
    return text === undefined ? scalar(value) : this.string(text);
  }

  private string(text: string): string {
    return jsonString(text, this.options.ensureAscii);
  }

  private within<T>(
    container: object,
    open: string,
    close: string,
    line: string,
    parts: readonly T[],
    write: (part: T, inner: string) => void,
  ): void {
    if (this.open.has(container)) throw new PythonError('ValueError', 'Circular reference detected');
    if (this.open.size >= DEPTH_MAX)
      throw new PythonError(
        'RecursionError',
        'maximum recursion depth exceeded while encoding a JSON object',
      );
    this.open.add(container);
    const inner = this.indent === undefined ? '' : line + this.indent;
    const between = (this.options.between ?? (this.indent === undefined ? ', ' : ',')) + inner;
    this.add(open + inner);
    parts.forEach((part, index) => {
      this.render.charge(1);
      if (index > 0) this.add(between);
      write(part, inner);
    });
    this.add(this.indent === undefined ? close : line + close);
    this.open.delete(container);
  }
}

function scalar(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number' || typeof value === 'bigint') return repr(value);
  if (value instanceof Float) return jsonFloat(value.value);
  throw new PythonError('TypeError', `Object of type ${typeName(value)} is not JSON serializable`);
}

function jsonFloat(value: number): string {
  if (Number.isFinite(value)) return floatText(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

function keyText(key: Value): string {
  const text = textOf(key);
  if (text !== undefined) return text;
  const isScalar = key === null || typeof key !== 'object' || key instanceof Float;
  if (isScalar) return scalar(key);
  throw new PythonError('TypeError', `keys must be str, int, float, bool or None, not ${typeName(key)}`);
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function jsonString(text: string, ensureAscii: boolean): string {
  const escaped = text.replace(
    ensureAscii ? /["\\]|[^ -~]/g : /["\\\x00-\x1f]/g,
    (unit) => SHORT_ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}

/** JSON that may stand anywhere in HTML, also in an attribute in single quotes. */
export function htmlSafeJson(json: string): string {
  return json
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll("'", '\\u0027');
}
