/**
 * `xmlText` is Salt's `xml` filter: a dict as a tree of elements. Keys are tags; simple values of a dict are attributes of
 * its element, dicts and lists are elements inside of it, and each item of a list repeats the tag.
 */
import { Dict } from '../../values/container/dict.ts';
import { Tuple } from '../../values/container/tuple.ts';
import { Float } from '../../values/number/float.ts';
import { repr, str } from '../../values/print.ts';
import { textOf } from '../../values/text/markup.ts';
import { typeName } from '../../values/type-name.ts';
import { PythonError, type RenderContext, type Value } from '../../values/value.ts';
import { bounded } from '../filters/text-values.ts';

interface XmlElement {
  readonly tag: string;
  attributes: readonly (readonly [string, string])[];
  readonly children: XmlElement[];
  text: string;
}

export function xmlText(value: Value, render: RenderContext): string {
  const root = elementOf(pairsOf(value), undefined, render);
  // What Salt says of data without a root element.
  if (root === undefined)
    throw new PythonError('AttributeError', "'NoneType' object has no attribute 'iter'");
  return bounded(`<?xml version="1.0" ?>\n${written(root, '')}`, render);
}

type Pairs = readonly (readonly [Value, Value])[];

/** Makes the elements inside of the parent; the last one is the root where there is no parent. */
function elementOf(
  pairs: Pairs,
  parent: XmlElement | undefined,
  render: RenderContext,
): XmlElement | undefined {
  let element: XmlElement | undefined;
  for (const [tag, value] of pairs) {
    render.charge(1);
    if (Array.isArray(value)) for (const item of value) elementOf([[tag, item]], parent, render);
    else {
      element = { tag: tagOf(tag), attributes: [], children: [], text: '' };
      parent?.children.push(element);
    }
    if (element !== undefined && isSimple(value)) {
      element.text = str(value);
      continue;
    }
    if (element !== undefined && value instanceof Dict) element.attributes = attributesOf(value);
    elementOf(
      pairsOf(value).filter(([, item]) => isNested(item)),
      element,
      render,
    );
  }
  return element;
}

function pairsOf(value: Value): Pairs {
  if (value instanceof Dict) return [...value.entries()];
  const items = Array.isArray(value) ? value : value instanceof Tuple ? value.items : undefined;
  if (items === undefined)
    throw new PythonError('TemplateRuntimeError', 'Value is not a dict or list. Cannot render as XML');
  if (items.length === 0) throw new PythonError('IndexError', 'list index out of range');
  return [];
}

function attributesOf(dict: Dict): [string, string][] {
  return [...dict.entries()]
    .filter(([, value]) => !isNested(value))
    .map(([name, value]) => [tagOf(name), str(value)]);
}

function isNested(value: Value): boolean {
  return value instanceof Dict || Array.isArray(value);
}

function isSimple(value: Value): boolean {
  return (
    textOf(value) !== undefined ||
    ['number', 'bigint', 'boolean'].includes(typeof value) ||
    value instanceof Float
  );
}

const NAME = /^[A-Za-z_:][\w:.-]*$/;

function tagOf(value: Value): string {
  const text = textOf(value);
  if (text === undefined)
    throw new PythonError('TypeError', `cannot serialize ${repr(value)} (type ${typeName(value)})`);
  if (!NAME.test(text)) throw new PythonError('ValueError', `${repr(text)} is no name in XML`);
  return text;
}

function written({ tag, attributes, children, text }: XmlElement, indent: string): string {
  const start = `${indent}<${tag}${attributes.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')}`;
  if (children.length > 0)
    return `${start}>\n${children.map((child) => written(child, `${indent} `)).join('')}${indent}</${tag}>\n`;
  return text === '' ? `${start}/>\n` : `${start}>${escaped(text)}</${tag}>\n`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('>', '&gt;');
}
