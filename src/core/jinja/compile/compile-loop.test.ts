/** What Python's Jinja2 3.1.6 gives for the same templates. */
import { describe, expect, it } from 'vitest';
import { rendered, type TemplateInput } from '../../../../test/harness/states/rendered-template.ts';

describe('for', () => {
  it.each<[template: string, expected: string, given?: TemplateInput]>([
    ['{% for x in [] %}a{% else %}b{% endfor %}', 'b'],
    ['{% for x in [1] %}a{% else %}b{% endfor %}', 'a'],
    ['{% for x in [1,2,3] if x > 5 %}a{% else %}b{% endfor %}', 'b'],
    [
      '{% for x in [1,2,3,4] if x is even %}{{ loop.index }}{{ loop.length }}{{ x }}{{ loop.last }},{% endfor %}',
      '122False,224True,',
    ],
    ["{% for k, v in {'a':1,'b':2}.items() %}{{ k }}={{ v }};{% endfor %}", 'a=1;b=2;'],
    [
      "{% for k in {'a':1,'b':2} %}{{ k }}{{ loop.first }}{{ loop.last }}{% endfor %}",
      'aTrueFalsebFalseTrue',
    ],
    ['{% for a, b in [1] %}{% endfor %}', 'TypeError: cannot unpack non-iterable int object (main:1)'],
    [
      '{% for a, b in [[1]] %}{% endfor %}',
      'ValueError: not enough values to unpack (expected 2, got 1) (main:1)',
    ],
    [
      '{% for a, b in [[1,2,3]] %}{% endfor %}',
      'ValueError: too many values to unpack (expected 2) (main:1)',
    ],
    ['\n{% for x in 5 %}{% endfor %}', "TypeError: 'int' object is not iterable (main:2)"],
    ['{% for x in none %}{% endfor %}', "TypeError: 'NoneType' object is not iterable (main:1)"],
    ['{% for x in nope %}{% endfor %}', "UndefinedError: 'nope' is undefined (main:1)"],
    ['{% for x in nope %}{% else %}e{% endfor %}', 'e', { undefinedType: 'default' }],
    ["{% for x in 'abc' %}{{ x }}-{% endfor %}", 'a-b-c-'],
    [
      '{% for x in range(3) %}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.index }} {% endfor %}',
      '0321 1212 2103 ',
    ],
    [
      '{% for x in [1,2,3] %}{{ loop.previtem is defined }}{{ loop.nextitem is defined }}{{ loop.previtem }}{{ loop.nextitem }}{% endfor %}',
      'FalseTrue2TrueTrue13TrueFalse2',
      { undefinedType: 'default' },
    ],
    [
      '{% for x in [1,2,3] %}{{ loop.previtem }}{% endfor %}',
      'UndefinedError: there is no previous item (main:1)',
    ],
    ["{% for x in [1,2,3] %}{{ loop.nextitem|default('none') }}{% endfor %}", '23none'],
    ['{% for x in [1,1,2,2,3] %}{{ loop.changed(x) }} {% endfor %}', 'True False True False True '],
    [
      '{% for x in [1,1,2] %}{{ loop.changed(x, 1) }} {{ loop.changed() }}{% endfor %}',
      'True TrueTrue TrueTrue True',
    ],
    ["{% for x in [1,2,3] %}{{ loop.cycle('a','b') }}{% endfor %}", 'aba'],
    [
      '{% for x in [1,2,3] %}{{ loop.cycle() }}{% endfor %}',
      'TypeError: no items for cycling given (main:1)',
    ],
    ['{% for x in [1,2] %}{{ loop }}{% endfor %}', '<LoopContext 1/2><LoopContext 2/2>'],
    [
      '{% for x in [1,2] %}{{ loop.foo }}{% endfor %}',
      "UndefinedError: 'jinja2.runtime.LoopContext object' has no attribute 'foo' (main:1)",
    ],
    [
      "{% for x in [1,2] %}{{ loop('a') }}{% endfor %}",
      "TypeError: The loop must have the 'recursive' marker to be called recursively. (main:1)",
    ],
    ["{% for x in [1,2] %}{{ loop['index'] }}{{ loop|length }}{% endfor %}", '1222'],
    [
      '{% for x in [[1,[2,[3]]]] recursive %}{{ loop.depth }}{{ loop.depth0 }}{% if x is iterable %}({{ loop(x) }}){% else %}{{ x }}{% endif %}{% endfor %}',
      '10(21121(32232(433)))',
    ],
    [
      '{% for x in tree recursive %}<{{ x.n }}{% if x.c %}{{ loop(x.c) }}{% endif %}>{% else %}E{% endfor %}',
      '<a<b><c<d>>><e>',
      {
        context: {
          tree: [
            {
              n: 'a',
              c: [
                { n: 'b', c: [] },
                { n: 'c', c: [{ n: 'd' }] },
              ],
            },
            { n: 'e', c: [] },
          ],
        },
        undefinedType: 'default',
      },
    ],
    [
      '{% for x in tree recursive %}<{{ x.n }}{{ loop(x.c)|upper }}>{% endfor %}',
      '<a<B>>',
      { context: { tree: [{ n: 'a', c: [{ n: 'b', c: [] }] }] } },
    ],
    [
      '{% set y = 1 %}{% for x in [[1,2],[3]] recursive %}{% set y = 2 %}{% if x is iterable %}{{ loop(x) }}{% else %}{{ x }}{{ y }}{% endif %}{% endfor %}{{ y }}',
      '1222321',
    ],
    [
      '{% for x in [1,2,3,4] %}{% if x == 2 %}{% continue %}{% endif %}{% if x == 4 %}{% break %}{% endif %}{{ x }}{% endfor %}',
      '13',
    ],
    [
      '{% for x in [1,2] %}{% for y in [1,2,3] %}{% if y == 2 %}{% break %}{% endif %}{{ x }}{{ y }} {% endfor %}{% endfor %}',
      '11 21 ',
    ],
    [
      '{% for x in [1,2] %}{% with %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endwith %}{% else %}E{% endfor %}',
      '2',
    ],
    ['{% for x in [1] %}{% break %}{% else %}E{% endfor %}', 'E'],
    [
      '{% for x in [1,2,3] %}{% set z %}{% if x == 2 %}{% continue %}{% endif %}v{{ x }}{% endset %}[{{ z }}]{% endfor %}',
      '[v1][v3]',
    ],
    [
      '{% set l = [1] %}{% for x in l %}{% if l|length < 4 %}{% do l.append(x+1) %}{% endif %}{{ x }}{% endfor %}',
      '1234',
    ],
    [
      "{% set d = {'a':1} %}{% for k in d %}{% do d.update({'b':2}) %}{{ k }}{% endfor %}",
      'RuntimeError: dictionary changed size during iteration (main:1)',
    ],
    [
      '{% for loop in [1] %}{% endfor %}',
      "TemplateAssertionError: Can't assign to special loop variable in for-loop target (main:1)",
    ],
    [
      '{% for x in [1] %}{% set loop = 1 %}{% endfor %}',
      "TemplateAssertionError: Can't assign to special loop variable in for-loop target (main:1)",
    ],
    ['{% for x in [1,2] %}{% for y in [1] %}{{ loop.index }}{% endfor %}{% endfor %}', '11'],
    ['{% for x in [3,1,2]|sort %}{{ x }}{{ loop.length }}{% endfor %}', '132333'],
    [
      "{% for x in [1,2,3]|map('string') %}{{ x }}{{ loop.length }}{{ loop.last }}{% endfor %}",
      '13False23False33True',
    ],
    ["{% for x in [1,2,3]|select('odd') if x != 1 %}{{ x }}{{ loop.revindex }}{% endfor %}", '31'],
    ['{% for x in [1,2] if loop is defined %}{{ x }}{% endfor %}', ''],
    [
      '{% for x in [1,2] %}{% for y in [5,6] if loop.index == x %}{{ x }}{{ y }} {% endfor %}{% endfor %}',
      '15 16 25 26 ',
    ],
    ['{% for x in 1, 2, 3 %}{{ x }}{% endfor %}', '123'],
    ['{% for x in [1,2,3] if x != 2 recursive %}{{ x }}{% endfor %}', '13'],
    ['{% for (a, b), c in [((1,2),3)] %}{{ a }}{{ b }}{{ c }}{% endfor %}', '123'],
    [
      "{% for x in [1,2] %}{{ loop.index }}{% include 'i' %}{% endfor %}",
      '1[11]2[22]',
      { files: { i: '[{{ x }}{{ loop.index }}]' } },
    ],
    [
      "{% for x in [1,2] %}{% include 'i' %}{% endfor %}",
      '[1False][2False]',
      { files: { i: '[{{ x }}{{ loop is defined }}]' } },
    ],
  ])('%j gives %j', (template, expected, given = {}) => {
    expect(rendered(template, given)).toBe(expected);
  });
});
