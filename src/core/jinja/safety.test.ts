/** Nothing of JavaScript, and nothing of the host that was not handed in, can be reached from a template. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Environment } from './environment.ts';
import { TemplateError } from './errors.ts';
import { HostFunction } from './render/host-function.ts';
import { mapLoader } from './render/loader.ts';

const context = () => ({
  x: { a: 1 },
  s: 'text',
  l: [1, 2],
  n: 1,
  f: new HostFunction('f', () => 1),
});
const loader = mapLoader(new Map([['lib', '{% macro m() %}{% endmacro %}']]));
const strict = new Environment({ loader });
const lenient = new Environment({ loader, undefinedType: 'chainable' });

function failure(template: string, environment = strict): TemplateError {
  try {
    environment.compile(template, 'main').render(context());
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  return expect.fail(`${template} rendered`);
}

const EVERY_VALUE = [
  'x',
  's',
  'l',
  'n',
  'f',
  'none',
  'true',
  '1.5',
  '(1, 2)',
  '(2 ** 70)',
  "('a'|safe)",
  'x.items',
  'x.items()',
  'x.keys()',
  'x.values()',
  's.upper',
  'range',
  'range(3)',
  'dict',
  'lipsum',
  'cycler',
  "cycler('a')",
  'joiner',
  'joiner()',
  'namespace',
  'namespace(a=1)',
  'self',
  'self.b',
  "(l|map('string'))",
  '(l|reverse)',
  '(x|dictsort)',
  's.encode()',
];

const JAVASCRIPT_NAMES = [
  'constructor',
  'prototype',
  '__proto__',
  '__defineGetter__',
  '__lookupGetter__',
  'hasOwnProperty',
  'toString',
  'valueOf',
  'call',
  'apply',
  'bind',
  'typeName',
  'attribute',
  'iterate',
  'hashKey',
  'repr',
  'equals',
  'operate',
  'length',
  'push',
  'then',
];

describe('names of JavaScript', () => {
  it.each(EVERY_VALUE)('are no attributes and no items of %s', (value) => {
    // What Python has under that name is Python's.
    const ofPython = new Set(['self.length', 'self.call']);
    for (const name of JAVASCRIPT_NAMES) {
      if (ofPython.has(`${value}.${name}`)) continue;
      const block = '{% block b %}{% endblock %}';
      for (const access of [`${value}.${name}`, `${value}['${name}']`, `${value}|attr('${name}')`]) {
        const template = `{% set found = (${access}) is defined %}{{ found }}${block}`;
        expect([access, strict.compile(template, 'main').render(context()).output]).toEqual([
          access,
          'False',
        ]);
      }
    }
  });

  it('are no variables', () => {
    for (const name of [
      ...JAVASCRIPT_NAMES,
      'process',
      'globalThis',
      'require',
      'Function',
      'this',
      'arguments',
    ])
      expect([name, strict.compile(`{{ ${name} is defined }}`, 'main').render({}).output]).toEqual([
        name,
        'False',
      ]);
  });
});

describe('known escapes from template sandboxes', () => {
  it.each([
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ ''['__class__']['__mro__'] }}",
    "{{ ''|attr('__class__')|attr('__mro__') }}",
    '{{ [].__class__.__base__.__subclasses__() }}',
    "{{ x.constructor.constructor('return process')() }}",
    "{{ x['constructor']['constructor']('return this')() }}",
    "{{ s.sub.constructor('return process')() }}",
    "{{ f.constructor('return process')() }}",
    '{{ f.__globals__ }}',
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    '{{ joiner.__init__.__globals__ }}',
    '{{ namespace.__init__.__globals__ }}',
    "{{ lipsum.__globals__['os'] }}",
    '{{ self._TemplateReference__context }}',
    '{{ self.__init__.__globals__.__builtins__ }}',
    "{{ range.constructor('return 1')() }}",
    "{{ '{0.__class__}'.format(s) }}",
    "{{ '{0.__class__.__init__.__globals__}'.format(f) }}",
    "{{ '{x.constructor}'.format(x=x) }}",
    "{{ '{0[constructor]}'.format(x) }}",
    "{{ '{a.constructor}'.format_map({'a': x}) }}",
    "{{ ('{0.__class__}'|safe).format(s) }}",
    '{{ (s|safe).__html__.__func__ }}',
    '{{ x.update.__self__.constructor }}',
    '{{ x.__proto__.polluted }}',
    "{% import 'lib' as lib %}{{ lib.m.__init__.__globals__ }}",
    "{% import 'lib' as lib %}{{ lib.__dict__ }}",
    "{% import 'lib' as lib %}{{ lib.m._func }}",
    '{% for i in l %}{{ loop.__init__ }}{% endfor %}',
    '{% for i in l %}{{ loop._iterator }}{% endfor %}',
    '{% macro m() %}{{ caller.__class__ }}{% endmacro %}{% call m() %}{% endcall %}',
    '{% set x.constructor = 1 %}',
    '{% set ns = namespace() %}{% set ns.__class__ = 1 %}{{ ns.__class__ }}',
    '{{ l.sort.__self__ }}',
    '{{ nope.__class__ }}',
    "{{ x|map(attribute='__class__')|join }}",
    "{{ [x]|map(attribute='constructor')|join }}",
    "{{ [x, x]|groupby('__class__') }}",
    "{{ [x]|sort(attribute='__class__.__name__') }}",
    "{{ [s]|sum(attribute='__class__') }}",
    '{% include x.constructor %}',
  ])('%s is an error', (template) => {
    expect(failure(template).type).toMatch(
      /^(UndefinedError|SecurityError|TemplateRuntimeError|AttributeError|KeyError|TypeError)$/,
    );
  });

  it.each(['{{ x.constructor.constructor }}', '{{ x.__proto__.polluted }}', '{{ f.constructor }}'])(
    '%s is nothing where undefined values may be chained',
    (template) => {
      expect(lenient.compile(template, 'main').render(context()).output).toBe('');
    },
  );
});

describe('keys that JavaScript treats in a special way', () => {
  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    '%s is a key like any other',
    (key) => {
      const data = JSON.parse(`{"d": {"${key}": 1}}`);
      const template = `{{ d['${key}'] }}{{ d|length }}{% do d.update({'${key}': 2}) %}{{ d }}{{ d.get('nope') }}`;
      expect(strict.compile(template, 'main').render(data).output).toBe(`11{'${key}': 2}None`);
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    },
  );

  it('a variable may be called so', () => {
    const variables = JSON.parse('{"__proto__": 1, "constructor": 2}');
    expect(strict.compile('{{ __proto__ }}{{ constructor }}', 'main').render(variables).output).toBe('12');
  });

  it('keyword arguments may be called so, and change nothing outside', () => {
    const seen: unknown[] = [];
    const f = new HostFunction('f', (_, named) => void seen.push(named));
    strict.compile("{{ f(**{'__proto__': {'polluted': 1}, 'constructor': 2}) }}", 'main').render({ f });
    expect(Object.entries(seen[0] as object)).toEqual([
      ['__proto__', { polluted: 1 }],
      ['constructor', 2],
    ]);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('data of the host that is not plain', () => {
  class Secret {
    readonly key = 'secret';
  }

  it.each([
    ['an instance of a class', new Secret()],
    ['a date', new (class extends Secret {})()],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['an instance inside of a list', [new Secret()]],
    ['a promise', Promise.resolve(1)],
    ['a regular expression', /x/],
  ])('%s is refused', (_what, data) => {
    expect(() => strict.compile('\n{{ data }}', 'main').render({ data })).toThrow(
      expect.objectContaining({ type: 'TypeError', line: 2 }),
    );
  });

  it('is not looked at where the template does not use it', () => {
    const variables = {
      get loud(): never {
        throw new RangeError('touched');
      },
      data: new Secret(),
      quiet: 1,
    };
    expect(strict.compile('{{ quiet }}', 'main').render(variables).output).toBe('1');
  });

  it('a getter that throws is an error of the template, with its cause', () => {
    const data = {
      get loud(): never {
        throw new RangeError('touched');
      },
    };
    expect(() => strict.compile('{{ data }}', 'main').render({ data })).toThrow(
      expect.objectContaining({ type: 'HostError', cause: expect.any(RangeError) }),
    );
  });

  it('a proxy gives data only', () => {
    const data = new Proxy(
      { a: 1 },
      { get: (target, key) => (key === 'a' ? [Reflect.get(target, key)] : undefined) },
    );
    expect(strict.compile('{{ data.a }}', 'main').render({ data }).output).toBe('[1]');
  });

  it('data that contains itself can be handed in', () => {
    const data: Record<string, unknown> = { a: 1 };
    data.self = data;
    expect(strict.compile('{{ data.self.self.a }}{{ data|string }}', 'main').render({ data }).output).toBe(
      "1{'a': 1, 'self': {...}}",
    );
  });

  it('two names for one object stay one object, and the host keeps its own', () => {
    const shared = [1];
    const template = '{% do a.append(2) %}{{ b }}{{ c.inner }}';
    expect(
      strict.compile(template, 'main').render({ a: shared, b: shared, c: { inner: shared } }).output,
    ).toBe('[1, 2][1, 2]');
    expect(shared).toEqual([1]);
  });

  it('very deep data is an error of the template', () => {
    let data: unknown = 1;
    for (let i = 0; i < 100_000; i++) data = [data];
    expect(() => strict.compile('{{ data }}', 'main').render({ data })).toThrow(TemplateError);
  });
});

describe('any template', () => {
  const word = fc.constantFrom(
    ...[
      'x',
      's',
      'l',
      'f',
      'nope',
      'self',
      'loop',
      'range(2)',
      "'a'",
      '1',
      'none',
      '.',
      '|',
      '(',
      ')',
      '[',
      ']',
      ' ',
    ],
    ...[
      'constructor',
      '__proto__',
      '__class__',
      'format',
      'get',
      'items',
      'map',
      'attr',
      'call',
      ',',
      '=',
      '~',
      'is',
    ],
    ...[
      '{{ ',
      ' }}',
      '{% if ',
      ' %}',
      '{% endif %}',
      '{% for i in ',
      '{% endfor %}',
      '{% set a = ',
      '{% macro m() %}',
    ],
    ...[
      '{% endmacro %}',
      '{% block b %}',
      '{% endblock %}',
      "{% include 'lib' %}",
      "{% import 'lib' as q %}",
    ],
  );

  it('renders or fails with a TemplateError, whatever it consists of', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 14 }), fc.boolean(), (words, wrapped) => {
        const template = wrapped ? `{{ ${words.join('')} }}` : words.join('');
        try {
          strict.compile(template, 'main').render(context());
        } catch (error) {
          expect([template, error]).toEqual([template, expect.any(TemplateError)]);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
