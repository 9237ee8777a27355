import { describe, expect, it } from 'vitest';
import { Environment, TemplateCache } from './environment.ts';
import { TemplateError } from './errors.ts';
import { str } from './values/print.ts';

describe('Environment', () => {
  it('renders with the variables of each render', () => {
    const template = new Environment().compile('{{ x }}', 'main');
    expect([1, 'a', null, true, [1, 'b'], { k: 1.5 }].map((x) => template.render({ x }).output)).toEqual([
      '1',
      'a',
      'None',
      'True',
      "[1, 'b']",
      "{'k': 1.5}",
    ]);
  });

  it('finds mistakes that need no variables when it compiles', () => {
    const environment = new Environment();
    for (const source of ['{% if %}', '{{ x|nope }}', '{% for loop in x %}{% endfor %}', '{{ x is nope }}'])
      expect(() => environment.compile(source, 'main')).toThrow(TemplateError);
    expect(() => environment.compile('{% if x %}{{ x|nope }}{% endif %}', 'main')).not.toThrow();
  });

  it('has filters and tests of the host besides its own', () => {
    const environment = new Environment({
      filters: { shout: (input, args) => `${str(input)}${'!'.repeat(Number(args.positional[0] ?? 1))}` },
      tests: { loud: (input) => str(input).endsWith('!') },
    });
    const template = environment.compile("{{ 'a'|shout(2) }}{{ 'a!' is loud }}{{ 'b'|upper }}", 'm');
    expect(template.render().output).toBe('a!!TrueB');
  });

  it('lets a variable hide a global', () => {
    expect(new Environment().compile('{{ range }}').render({ range: 3 }).output).toBe('3');
  });

  it('keeps variables from one render to the next as they were', () => {
    const template = new Environment().compile('{% do list.append(2) %}{{ list }}');
    const variables = { list: [1] };
    expect([template.render(variables).output, template.render(variables).output]).toEqual([
      '[1, 2]',
      '[1, 2]',
    ]);
  });

  it('shows variables to what is imported without context, as Salt does, and the same ones', () => {
    const loader = {
      load: (name: string) => (name === 'lib' ? '{% set a = g %}{% do g.append(3) %}' : undefined),
    };
    const template = new Environment({ loader }).compile(
      "{% do g.append(2) %}{% import 'lib' as l %}{{ l.a }}{{ g }}",
    );
    expect(template.render({ g: [1] }).output).toBe('[1, 2, 3][1, 2, 3]');
  });

  it('joins names as the loader wants', () => {
    const files = new Map([
      ['dir/main', "{% include './part' %}"],
      ['dir/part', 'part'],
    ]);
    const loader = {
      load: (name: string) => files.get(name),
      join: (name: string, parent: string) => name.replace(/^\.\//, `${parent.split('/')[0]}/`),
    };
    expect(new Environment({ loader }).getTemplate('dir/main').render().output).toBe('part');
  });

  it('escapes by the name of the template where asked to', () => {
    const environment = new Environment({ autoescape: (name) => name?.endsWith('.html') === true });
    expect(environment.compile('{{ "<" }}', 'a.html').render().output).toBe('&lt;');
    expect(environment.compile('{{ "<" }}', 'a.txt').render().output).toBe('<');
    expect(environment.compile('{{ "<" }}').render().output).toBe('<');
  });

  it('reads other delimiters', () => {
    const syntax = { variableStart: '<<', variableEnd: '>>', blockStart: '<%', blockEnd: '%>' };
    expect(
      new Environment({ syntax }).compile('<% if x %><< x >><% endif %>').render({ x: '{{ y }}' }).output,
    ).toBe('{{ y }}');
  });

  it('says which template there is not', () => {
    const loader = { load: () => undefined, names: () => ['main.sls'] };
    expect(() => new Environment({ loader }).getTemplate('man.sls')).toThrow(
      expect.objectContaining({ type: 'TemplateNotFound', near: ['main.sls'] }),
    );
  });
});

describe('TemplateCache', () => {
  const make = (cache: TemplateCache, source: string, name = 'n') => {
    let made = false;
    cache.getOrMake(source, name, () => {
      made = true;
      return {
        name,
        source,
        givenName: name,
        autoescape: false,
        root: () => {},
        slots: 0,
        blocks: new Map(),
      };
    });
    return made;
  };

  it('compiles a text once for each name', () => {
    const cache = new TemplateCache();
    expect([make(cache, 'a'), make(cache, 'a'), make(cache, 'a', 'm'), make(cache, 'b')]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('keeps what is used and drops what is not, in number and in size', () => {
    const cache = new TemplateCache();
    for (let i = 0; i < 2000; i++) {
      make(cache, `t${i}`);
      make(cache, 'used');
    }
    expect(cache.size).toBe(512);
    expect(make(cache, 'used')).toBe(false);
    expect(make(cache, 't0')).toBe(true);
    for (let i = 0; i < 40; i++) make(cache, `${i}${'x'.repeat(1 << 20)}`);
    expect(cache.size).toBeLessThanOrEqual(16);
  });
});
