/**
 * These rules name the attributes of Python's objects that lead to the interpreter. Here they do not exist; a template
 * that asks for one is told what Jinja2's sandbox tells it.
 */
import { knownLength } from '../values/container/iterate.ts';
import { typeName } from '../values/type-name.ts';
import { PyObject, type Value } from '../values/value.ts';

const dunders = (words: string): ReadonlySet<string> =>
  new Set(words.split(/\s+/).map((word) => `__${word}__`));

const OF_EVERY_OBJECT = dunders(
  `class delattr dir doc eq format ge getattribute getstate gt hash init init_subclass le lt ne new reduce reduce_ex
   repr setattr sizeof str subclasshook`,
);
const OF_FUNCTIONS = dunders(
  'annotations builtins call closure code defaults dict get globals kwdefaults module name qualname',
);
const OF_CONTAINERS = dunders('contains getitem iter len');

export function unsafeAttributeMessage(object: Value, name: string): string | undefined {
  if (!name.startsWith('__') || !isUnsafe(object, name)) return undefined;
  return `access to attribute '${name}' of '${typeName(object)}' object is unsafe.`;
}

function isUnsafe(object: Value, name: string): boolean {
  const type = typeName(object);
  // A namespace answers for itself and has nothing but what was set.
  if (type === 'Namespace') return name === '__class__';
  if (OF_EVERY_OBJECT.has(name)) return true;
  if (type === 'function' || type === 'Macro') return OF_FUNCTIONS.has(name);
  if (type.endsWith('Undefined') || !OF_CONTAINERS.has(name)) return false;
  return (
    typeof object === 'string' ||
    Array.isArray(object) ||
    (object instanceof PyObject && knownLength(object) !== undefined)
  );
}
