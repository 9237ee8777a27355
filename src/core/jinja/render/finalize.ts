/**
 * `finalText` is how `{{ … }}` writes a value: as Salt's finalizer does, so that a dict in a state file is YAML that gives
 * the same texts back. Texts with line breaks or tabs that are values of a dict stand in YAML's double quotes; everything
 * else prints as in Python. Only output is written so: `~`, `|string` and `'%s'` print as Python does.
 */
import { libyamlQuoted } from '../library/salt/yaml-scalar.ts';
import { Dict } from '../values/container/dict.ts';
import { each } from '../values/container/iterate.ts';
import { PySet } from '../values/container/set.ts';
import { Tuple } from '../values/container/tuple.ts';
import { beginPrint, chargePrint, endPrint, repr, str } from '../values/print.ts';
import { Markup } from '../values/text/markup.ts';
import { PythonError, type Value } from '../values/value.ts';

type PrintPart = (value: Value) => string;

export function finalText(value: Value): string {
  if (value instanceof Dict) return printDict(value, finalText);
  return isContainer(value) ? printInside(value) : str(value);
}

/** The containers that Salt's finalizer looks into. */
export function isContainer(value: Value): value is Value[] | Dict | Tuple | PySet {
  return Array.isArray(value) || value instanceof Dict || value instanceof Tuple || value instanceof PySet;
}

/** What stands inside of a list is printed by `repr`, and so is a dict in it. */
function printInside(value: Value): string {
  if (Array.isArray(value)) return printItems(value, value, '[', ']');
  if (value instanceof Dict) return printDict(value, printInside);
  if (value instanceof PySet)
    return value.length() === 0 ? 'set()' : printItems(value, each(value), '{', '}');
  if (!(value instanceof Tuple)) return repr(value);
  // Salt makes a new tuple of the same class from a list, which what `groupby` gives cannot be made from.
  if (value.constructor !== Tuple)
    throw new PythonError(
      'TypeError',
      "_GroupTuple.__new__() missing 1 required positional argument: 'list'",
    );
  return printItems(value, value.items, '(', value.items.length === 1 ? ',)' : ')');
}

function printItems(container: object, items: Iterable<Value>, open: string, close: string): string {
  return within(container, () => {
    let text = open;
    let separator = '';
    for (const item of items) {
      text += separator + charged(printInside(item));
      separator = ', ';
    }
    return text + close;
  });
}

function printDict(dict: Dict, printValue: PrintPart): string {
  return within(dict, () => {
    let text = '{';
    let separator = '';
    for (const [key, value] of dict.entries()) {
      text += `${separator}${charged(repr(key))}: ${charged(printDictValue(value, printValue))}`;
      separator = ', ';
    }
    return `${text}}`;
  });
}

const BREAKS = /[\n\r\t]/;

function printDictValue(value: Value, print: PrintPart): string {
  if (typeof value === 'string') return BREAKS.test(value) ? libyamlQuoted(value) : repr(value);
  if (!(value instanceof Markup)) return print(value);
  // Salt's dumper does not know Markup, and says so in YAML.
  return BREAKS.test(value.text) ? '! "NULL"' : repr(value);
}

function charged(part: string): string {
  chargePrint(part.length + 1);
  return part;
}

/** Salt copies what it prints: a container that holds itself has no end. */
function within(container: object, print: () => string): string {
  if (!beginPrint(container)) throw new PythonError('RecursionError', 'maximum recursion depth exceeded');
  try {
    return print();
  } finally {
    endPrint();
  }
}
