/** These filters take a value of any kind. */
import { isUndefined } from '../../render/undefined.ts';
import { attributeOf } from '../../values/attribute.ts';
import { textOf } from '../../values/text/markup.ts';
import { truthy } from '../../values/truthy.ts';
import { typeName } from '../../values/type-name.ts';
import { PythonError } from '../../values/value.ts';
import { alias, jinjaFilter, type LibraryFunction, signature } from '../library-function.ts';
import { prettyPrint } from './pretty-print.ts';

const defaultFilter = jinjaFilter(
  'default',
  signature('do_default', ['value', ['default_value', ''], ['boolean', false]]),
  ([value, otherwise, boolean]) =>
    isUndefined(value) || (truthy(boolean) && !truthy(value)) ? otherwise : value,
);

export const DATA_FILTERS: readonly LibraryFunction[] = [
  jinjaFilter('attr', signature('do_attr', ['obj', 'name'], 'environment'), ([object, name], render) => {
    const text = textOf(name);
    if (text === undefined)
      throw new PythonError('TypeError', `attribute name must be string, not '${typeName(name)}'`);
    // An item of that name does not count, other than for `object.name`.
    return attributeOf(object, text) === undefined
      ? render.undefined({ object, name: text })
      : render.getAttribute(object, text);
  }),
  alias('d', defaultFilter),
  defaultFilter,
  jinjaFilter('pprint', signature('do_pprint', ['value']), ([value], render) => prettyPrint(value, render)),
];
