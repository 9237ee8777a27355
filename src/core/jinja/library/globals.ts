/** The globals are what every template finds without being given it: those of Jinja2, and Salt's odict, raise, show_full_context. */
import { bindArguments } from '../values/arguments.ts';
import { attributeOf } from '../values/attribute.ts';
import { checkItemCount } from '../values/bounds.ts';
import { Dict } from '../values/container/dict.ts';
import { updateFrom } from '../values/container/dict-methods.ts';
import { each } from '../values/container/iterate.ts';
import { OrderedDict } from '../values/container/ordered-dict.ts';
import { Range } from '../values/container/range.ts';
import { Tuple } from '../values/container/tuple.ts';
import { type Call, Func } from '../values/func.ts';
import { sizeOf } from '../values/native.ts';
import { Float } from '../values/number/float.ts';
import { intOf } from '../values/number/integer.ts';
import { ADDRESS, repr, str } from '../values/print.ts';
import { Markup } from '../values/text/markup.ts';
import { truthy } from '../values/truthy.ts';
import { typeName } from '../values/type-name.ts';
import { type Arguments, PythonError, type RenderContext, type Value } from '../values/value.ts';
import { Cycler } from './cycler.ts';
import { bounded } from './filters/text-values.ts';
import { needed } from './host-need.ts';
import { Joiner } from './joiner.ts';
import { withoutNamed } from './library-function.ts';
import { loremParagraphs } from './lorem.ts';
import { Namespace } from './namespace.ts';

/** A class of Python, as far as templates need one: it can be called, and may have functions of its own. */
class PythonType extends Func {
  override readonly typeName = 'type';
  private readonly functions: ReadonlyMap<string, Func>;

  constructor(name: string, fullName: string, call: Call, functions: readonly Func[] = []) {
    super(name, call, `<class '${fullName}'>`);
    this.functions = new Map(functions.map((func) => [func.name, func]));
  }

  override attribute(name: string): Value | undefined {
    return this.functions.get(name);
  }
  override attributeNames(): readonly string[] {
    return [...this.functions.keys()];
  }
}

export const JINJA_GLOBALS: readonly Func[] = [
  new PythonType('range', 'range', range),
  new PythonType('dict', 'dict', dict, [
    new Func('fromkeys', (args, render) => render.call(attributeOf(new Dict(), 'fromkeys') ?? null, args)),
  ]),
  new (class extends Func {
    override readonly typeName = 'function';
  })('lipsum', lipsum, `<function generate_lorem_ipsum at ${ADDRESS}>`),
  new PythonType('cycler', 'jinja2.utils.Cycler', (args) => {
    for (const name of args.named.keys())
      throw new PythonError('TypeError', `Cycler.__init__() got an unexpected keyword argument '${name}'`);
    return new Cycler(args.positional);
  }),
  new PythonType('joiner', 'jinja2.utils.Joiner', (args) => {
    const parameters = [{ name: 'self' }, { name: 'sep', default: ', ' }];
    const all = { positional: [null, ...args.positional], named: args.named };
    return new Joiner(bindArguments('Joiner.__init__', parameters, all)[1] ?? null);
  }),
  new PythonType('namespace', 'jinja2.utils.Namespace', (args, render) => new Namespace(dict(args, render))),
];

export const SALT_GLOBALS: readonly Func[] = [
  new PythonType('odict', 'collections.OrderedDict', (args, render) => {
    const result = new OrderedDict();
    updateFrom(result, 'OrderedDict', args, render);
    return result;
  }),
  // `{{ raise('the reason') }}` ends the render.
  new Func('raise', (args) => {
    const [message = ''] = bindArguments('jinja_raise', [{ name: 'msg' }], args);
    throw new PythonError('TemplateError', str(message));
  }),
  // Everything the template sees, for debugging: what is no data as it prints.
  new Func('show_full_context', (args, render) => {
    bindArguments('show_full_context', [{ name: 'ctx' }], {
      ...args,
      positional: [null, ...args.positional],
    });
    const names = [...new Set(render.names())];
    return simpleData(Dict.of(names.map((name) => [name, render.lookup(name) ?? null])), render);
  }),
];

function simpleData(value: Value, render: RenderContext): Value {
  render.charge(1);
  if (Array.isArray(value) || value instanceof Tuple)
    return Array.from(each(value), (item) => simpleData(item, render));
  if (value instanceof Dict)
    return Dict.of(
      Array.from(value.entries(), ([key, item]) => [
        isSimple(key) ? key : repr(key),
        simpleData(item, render),
      ]),
    );
  return isSimple(value) ? value : repr(value);
}

function isSimple(value: Value): boolean {
  return value === null || typeof value !== 'object' || value instanceof Float || value instanceof Markup;
}

function range(args: Arguments, render: RenderContext): Value {
  withoutNamed('range', args);
  const given = args.positional.length;
  if (given === 0) throw new PythonError('TypeError', 'range expected at least 1 argument, got 0');
  if (given > 3) throw new PythonError('TypeError', `range expected at most 3 arguments, got ${given}`);
  const tooBig = () =>
    // The words of Jinja2's sandbox, which has the same bound.
    new PythonError(
      'OverflowError',
      `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${render.limits.range}).`,
    );
  const bounds = args.positional.map((value) => wholeNumber(value, tooBig));
  const [start = 0, stop = 0, step = 1] = given === 1 ? [0, ...bounds] : bounds;
  const result = new Range(start, stop, step);
  if (result.count > render.limits.range) throw tooBig();
  return result;
}

/** A number that a range can count with; larger ones nearly always make a range that is too long anyway. */
function wholeNumber(value: Value, tooBig: () => PythonError): number {
  const whole = intOf(value);
  if (typeof whole === 'bigint') throw tooBig();
  if (whole === undefined)
    throw new PythonError('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
  return whole;
}

function dict(args: Arguments, render: RenderContext): Dict {
  const result = new Dict();
  updateFrom(result, 'dict', args, render);
  return result;
}

const LIPSUM = [
  { name: 'n', default: 5 },
  { name: 'html', default: true },
  { name: 'min', default: 20 },
  { name: 'max', default: 100 },
];

function lipsum(args: Arguments, render: RenderContext): Value {
  const [n = 5, html = true, min = 20, max = 100] = bindArguments('generate_lorem_ipsum', LIPSUM, args);
  const paragraphs = Math.max(0, sizeOf(n));
  checkItemCount(paragraphs, render.limits);
  const [low, high] = [sizeOf(min), sizeOf(max)];
  if (paragraphs > 0 && low >= high)
    throw new PythonError('ValueError', `empty range for randrange() (${low}, ${high}, ${high - low})`);
  const texts = loremParagraphs({
    paragraphs,
    min: low,
    max: high,
    random: needed(render.host.random, 'random', "the function 'lipsum'"),
    charge: () => render.charge(1),
  });
  if (!truthy(html)) return bounded(texts.join('\n\n'), render);
  return new Markup(bounded(texts.map((text) => `<p>${text}</p>`).join('\n'), render));
}
