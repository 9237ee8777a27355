/** These filters are for HTML and addresses: escaping, attributes, links. */

import { SPACE_CLASS, WORD_CLASS } from '../../../regex/character-classes.ts';
import { isUndefined } from '../../render/undefined.ts';
import { order } from '../../values/compare.ts';
import { Dict } from '../../values/container/dict.ts';
import { subscript } from '../../values/container/item.ts';
import { each, iteratorOf, lengthOf, unpack } from '../../values/container/iterate.ts';
import { Slice } from '../../values/container/slice.ts';
import { Tuple } from '../../values/container/tuple.ts';
import { repr, str } from '../../values/print.ts';
import { Markup, textOf } from '../../values/text/markup.ts';
import { escapeHtml, escapeText } from '../../values/text/markup-escape.ts';
import { truthy } from '../../values/truthy.ts';
import { typeName } from '../../values/type-name.ts';
import { PyObject, PythonError, type RenderContext, type Value } from '../../values/value.ts';
import {
  alias,
  type Bound,
  jinjaFilter,
  type LibraryFunction,
  signature,
  wrongArgument,
} from '../library-function.ts';
import { percentEncode } from '../percent-encode.ts';
import { stripTags } from './strip-tags.ts';
import { bounded, callMethod, counted } from './text-values.ts';
import { linkAddresses } from './urlize-text.ts';

const escapeFilter = jinjaFilter('escape', signature('escape', ['s']), ([s], render) => {
  const html = escapeHtml(s);
  bounded(html.text, render);
  return html;
});

export const HTML_FILTERS: readonly LibraryFunction[] = [
  alias('e', escapeFilter),
  escapeFilter,
  jinjaFilter(
    'forceescape',
    signature('do_forceescape', ['value']),
    ([value], render) => new Markup(bounded(escapeText(htmlText(value)), render)),
  ),
  jinjaFilter('safe', signature('do_mark_safe', ['value']), ([value]) => new Markup(htmlText(value))),
  jinjaFilter('striptags', signature('do_striptags', ['value']), ([value], render) => {
    const text = htmlText(value);
    render.charge(text.length >> 4);
    return stripTags(text);
  }),
  jinjaFilter('urlencode', signature('do_urlencode', ['value']), ([value], render) =>
    urlencode(value, render),
  ),
  jinjaFilter(
    'urlize',
    signature(
      'do_urlize',
      [
        'value',
        ['trim_url_limit', null],
        ['nofollow', false],
        ['target', null],
        ['rel', null],
        ['extra_schemes', null],
      ],
      'eval_ctx',
    ),
    urlize,
  ),
  jinjaFilter('xmlattr', signature('do_xmlattr', ['d', ['autospace', true]], 'eval_ctx'), xmlattr),
];

function htmlText(value: Value): string {
  return value instanceof PyObject && value.html !== undefined ? value.html() : str(value);
}

function urlencode(value: Value, render: RenderContext): string {
  const pairs = value instanceof Dict ? dictPairs(value, render) : pairsIn(value, render);
  if (pairs === undefined) return bounded(percentEncode(value, 'path'), render);
  const fields: string[] = [];
  for (const [key, item] of pairs) {
    fields.push(`${percentEncode(key as Value, 'query')}=${percentEncode(item as Value, 'query')}`);
  }
  return bounded(fields.join('&'), render);
}

function* dictPairs(dict: Dict, render: RenderContext): Generator<readonly Value[], void> {
  render.charge(dict.size);
  yield* dict.entries();
}

function pairsIn(value: Value, render: RenderContext): Iterable<readonly Value[]> | undefined {
  if (textOf(value) !== undefined || iteratorOf(value) === undefined) return undefined;
  return unpacked(value, render);
}

function* unpacked(value: Value, render: RenderContext): Generator<readonly Value[], void> {
  for (const item of counted(value, render)) yield unpack(item, 2);
}

/** Characters that would end an attribute's name. */
const NOT_IN_NAME = new RegExp(`[${SPACE_CLASS}/>=]`, 'u');

function xmlattr([d, autospace]: Bound, render: RenderContext): Value {
  const items = d instanceof Dict ? d.entries() : each(callMethod(d, 'items', [], render));
  const attributes: string[] = [];
  for (const pair of items) {
    render.charge(1);
    const [key, value] = (pair instanceof Tuple ? pair.items : pair) as readonly [Value, Value];
    if (value === null || isUndefined(value)) continue;
    const name = textOf(key);
    if (name === undefined)
      throw new PythonError('TypeError', `expected string or bytes-like object, got '${typeName(key)}'`);
    if (NOT_IN_NAME.test(name))
      throw new PythonError('ValueError', `Invalid character in attribute name: ${repr(key)}`);
    attributes.push(`${escapeHtml(key).text}="${escapeHtml(value).text}"`);
  }
  const text = (truthy(autospace) && attributes.length > 0 ? ' ' : '') + attributes.join(' ');
  return render.autoescape ? new Markup(bounded(text, render)) : bounded(text, render);
}

const SCHEME = new RegExp(`^[${WORD_CLASS}.+-]{2,}:/{0,2}$`, 'u');

function urlize([value, limit, nofollow, target, rel, extraSchemes]: Bound, render: RenderContext): Value {
  const schemes = extraSchemes === null ? [] : [...each(extraSchemes)].map(schemeOf);
  const relations = new Set(truthy(rel) ? [...each(callMethod(rel, 'split', [], render))].map(str) : []);
  if (truthy(nofollow)) relations.add('nofollow');
  relations.add('noopener');
  const relation = [...relations].sort().join(' ');
  const targetText = truthy(target) ? ` target="${escapeHtml(target).text}"` : '';
  const text = escapeHtml(value).text;
  render.charge(text.length >> 4);
  const linked = linkAddresses(text, {
    shorten: (address) => shorten(address, limit),
    attributes: ` rel="${escapeText(relation)}"${targetText}`,
    schemes,
  });
  return render.autoescape ? new Markup(bounded(linked, render)) : bounded(linked, render);
}

function schemeOf(value: Value): string {
  const scheme = textOf(value);
  if (scheme === undefined)
    throw new PythonError('TypeError', `expected string or bytes-like object, got '${typeName(value)}'`);
  if (!SCHEME.test(scheme)) throw wrongArgument(`${repr(value)} is not a valid URI scheme prefix.`);
  return scheme;
}

function shorten(address: string, limit: Value): string {
  if (limit === null || !order('>', lengthOf(address), limit)) return address;
  return `${str(subscript(address, new Slice(null, limit, null)))}...`;
}
