/**
 * These are `format` and `format_map` of str and Markup, as Jinja2's sandbox has them: a field that walks into its
 * value (`{0.name[key]}`) looks things up as the template itself does, so that it reaches nothing else.
 */

import { subscript } from '../container/item.ts';
import { Func, type Method } from '../func.ts';
import type { MethodTable } from '../native.ts';
import { ADDRESS, repr } from '../print.ts';
import { typeName } from '../type-name.ts';
import {
  type Arguments,
  PyObject,
  PythonError,
  type RenderContext,
  type RenderLimits,
  type Value,
} from '../value.ts';
import { formatValue } from './format-spec.ts';
import { Markup } from './markup.ts';
import { escapeText } from './markup-escape.ts';
import { type FieldSource, formatFields } from './str-format.ts';

export const STR_FORMAT_METHODS = formatMethods((text, source, render) =>
  formatFields(
    text as string,
    { ...source, print: (value, spec) => formatValue(value, spec, render.limits) },
    render,
  ),
);

/** Whatever is put into Markup is escaped, after it was formatted. */
export const MARKUP_FORMAT_METHODS = formatMethods((markup, source, render) => {
  const print = (value: Value, spec: string) => printEscaped(value, spec, render.limits);
  return new Markup(formatFields((markup as Markup).text, { ...source, print }, render));
});

type Values = Pick<FieldSource, 'at' | 'named'>;

function formatMethods(run: (self: Value, values: Values, render: RenderContext) => Value): MethodTable {
  return new Map<string, Method>([
    ['format', (self, args, render) => run(self, valuesOf(args), render)],
    ['format_map', (self, args, render) => run(self, valuesIn(onlyMapping(args)), render)],
  ]);
}

/** The sandbox puts a function of its own in the place of these methods, and it can be told from a method. */
export class FormatFunction extends Func {
  override readonly typeName = 'function';

  constructor(self: Value, name: string, method: Method) {
    const shown = `<function ${typeName(self)}.${name} at ${ADDRESS}>`;
    super(name, (args, render) => method(self, args, render), shown);
  }
}

function valuesOf(args: Arguments): Values {
  return {
    at: (index) => {
      const value = args.positional[index];
      if (value === undefined) throw noPosition();
      return value;
    },
    named: (name) => {
      const value = args.named.get(name);
      if (value === undefined) throw new PythonError('KeyError', repr(name));
      return value;
    },
  };
}

function valuesIn(mapping: Value): Values {
  return {
    at: () => {
      throw noPosition();
    },
    named: (name) => subscript(mapping, name),
  };
}

function onlyMapping(args: Arguments): Value {
  const [mapping] = args.positional;
  if (args.named.size > 0) throw new PythonError('TypeError', 'format_map() takes no keyword arguments');
  if (mapping === undefined || args.positional.length > 1)
    throw new PythonError(
      'TypeError',
      `format_map() takes exactly one argument (${args.positional.length} given)`,
    );
  return mapping;
}

function noPosition(): PythonError {
  return new PythonError('IndexError', 'tuple index out of range');
}

function printEscaped(value: Value, spec: string, limits: RenderLimits): string {
  if (!(value instanceof PyObject) || value.html === undefined)
    return escapeText(formatValue(value, spec, limits));
  if (spec === '') return value.html();
  if (value instanceof Markup)
    throw new PythonError('ValueError', 'Unsupported format specification for Markup.');
  throw new PythonError(
    'ValueError',
    `Format specifier ${spec} given, but ${value.typeName} does not define __html_format__. A class that defines __html__ must define __html_format__ to work with format specifiers.`,
  );
}
