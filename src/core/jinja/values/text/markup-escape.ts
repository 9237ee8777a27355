/** These functions are markupsafe's `escape`, and what Markup does with the values that are put into it. */

import { ascii, repr, str } from '../print.ts';
import { PyObject, type RenderLimits, type Value } from '../value.ts';
import { Markup } from './markup.ts';
import { formatPercent } from './percent-format.ts';

/** The value as HTML: what knows its own HTML stays as it is, anything else is printed and escaped. */
export function escapeHtml(value: Value): Markup {
  if (value instanceof Markup) return value;
  if (value instanceof PyObject && value.html !== undefined) return new Markup(value.html());
  return new Markup(escapeText(str(value)));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};

export function escapeText(text: string): string {
  return /[&<>'"]/.test(text) ? text.replace(/[&<>'"]/g, (character) => ESCAPES[character] ?? '') : text;
}

/** `markup % values`: every value is escaped as it is put in. */
export function formatMarkup(format: Markup, values: Value, limits: RenderLimits): Markup {
  const text = formatPercent(format.text, values, limits, {
    str: (value) => escapeHtml(value).text,
    repr: (value) => escapeText(repr(value)),
    ascii: (value) => escapeText(ascii(value)),
    wrapped: true,
  });
  return new Markup(text);
}
