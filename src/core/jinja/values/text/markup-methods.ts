/**
 * These are the methods of Markup: those of str with what they return marked as HTML, and markupsafe's own. They are
 * written in Python, so that arguments may have names and wrong calls are worded as for any Python function.
 */
import { stripTags, unescapeHtml } from '../../library/filters/strip-tags.ts';
import { bindArguments, type FunctionParameter, positional } from '../arguments.ts';
import { toArray } from '../container/iterate.ts';
import { Tuple } from '../container/tuple.ts';
import type { Method } from '../func.ts';
import type { MethodTable, Native } from '../native.ts';
import type { Arguments, RenderContext, Value } from '../value.ts';
import { Markup } from './markup.ts';
import { escapeHtml } from './markup-escape.ts';
import { STR_METHODS, STR_NATIVES } from './str-methods.ts';

const SELF: FunctionParameter = { name: 'self', positionalOnly: true };
const SEPARATOR = [SELF, unnamed('sep')];
const CHARACTERS = [SELF, unnamed('chars', null)];
const SPLITS = [SELF, { name: 'sep', default: null }, { name: 'maxsplit', default: -1 }];
const PADS = [SELF, unnamed('width'), unnamed('fillchar', ' ')];

/** The parameters of the methods that return Markup. */
const PARAMETERS: Readonly<Record<string, readonly FunctionParameter[]>> = {
  capitalize: [SELF],
  casefold: [SELF],
  center: PADS,
  expandtabs: [SELF, { name: 'tabsize', default: 8 }],
  join: [SELF, unnamed('iterable')],
  ljust: PADS,
  lower: [SELF],
  lstrip: CHARACTERS,
  partition: SEPARATOR,
  removeprefix: [SELF, unnamed('prefix')],
  removesuffix: [SELF, unnamed('suffix')],
  replace: [SELF, unnamed('old'), unnamed('new'), unnamed('count', -1)],
  rjust: PADS,
  rpartition: SEPARATOR,
  rsplit: SPLITS,
  rstrip: CHARACTERS,
  split: SPLITS,
  splitlines: [SELF, { name: 'keepends', default: false }],
  strip: CHARACTERS,
  swapcase: [SELF],
  title: [SELF],
  translate: [SELF, unnamed('table')],
  upper: [SELF],
  zfill: [SELF, unnamed('width')],
};

function unnamed(name: string, otherwise?: Value): FunctionParameter {
  return { name, positionalOnly: true, ...(otherwise === undefined ? {} : { default: otherwise }) };
}

/** Arguments, from 0, that become part of the text and are escaped for that. */
const ESCAPED: Readonly<Record<string, number>> = { replace: 1, center: 1, ljust: 1, rjust: 1 };

export const MARKUP_METHODS: MethodTable = new Map<string, Method>([
  ...Object.entries(STR_NATIVES).map(([name, native]): [string, Method] => [name, unmarked(name, native)]),
  ...Object.entries(PARAMETERS).map(([name, parameters]): [string, Method] => [
    name,
    marked(name, parameters),
  ]),
  [
    'escape',
    (_self, args) => escapeHtml(bind('escape', [unnamed('cls'), unnamed('s')], null, args)[0] as Value),
  ],
  ['striptags', own('striptags', stripTags)],
  ['unescape', own('unescape', unescapeHtml)],
]);

/** A method of str as it is, for those that return no text. */
function unmarked(name: string, native: Native<string>): Method {
  const method = native({ name: name === 'maketrans' ? 'str' : 'Markup' }, name);
  return (self, args, render) => method((self as Markup).text, args, render);
}

function marked(name: string, parameters: readonly FunctionParameter[]): Method {
  const method = STR_METHODS.get(name) as Method;
  return (self, args, render) => {
    const values = bind(name, parameters, self, args).map((value, index) =>
      prepared(name, index, value, render),
    );
    return inMarkup(method((self as Markup).text, positional(...values), render));
  };
}

function prepared(name: string, index: number, value: Value, render: RenderContext): Value {
  if (ESCAPED[name] === index) return escapeHtml(value);
  if (name !== 'join') return value;
  const values = toArray(value);
  render.charge(values.length);
  return values.map(escapeHtml);
}

function own(name: string, run: (text: string) => string): Method {
  return (self, args) => {
    bind(name, [SELF], self, args);
    return run((self as Markup).text);
  };
}

/** The values after `self`, which Python counts as an argument where it says how many were given. */
function bind(name: string, parameters: readonly FunctionParameter[], self: Value, args: Arguments): Value[] {
  const all = { positional: [self, ...args.positional], named: args.named };
  return bindArguments(`Markup.${name}`, parameters, all).slice(1);
}

function inMarkup(value: Value): Value {
  if (typeof value === 'string') return new Markup(value);
  if (Array.isArray(value)) return value.map(inMarkup);
  return value instanceof Tuple ? new Tuple(value.items.map(inMarkup)) : value;
}
