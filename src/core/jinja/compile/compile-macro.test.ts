/** What Python's Jinja2 3.1.6 gives for the same templates. */
import { describe, expect, it } from 'vitest';
import { rendered, type TemplateInput } from '../../../../test/harness/states/rendered-template.ts';

describe('macro and call', () => {
  it.each<[template: string, expected: string, given?: TemplateInput]>([
    [
      '{% macro m(a, b=2, c=a) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(1) }}|{{ m(1, 3) }}|{{ m(1, c=5) }}|{{ m(b=1, a=2) }}',
      '121|131|125|212',
    ],
    [
      '{% macro m(a) %}{{ a }}{% endmacro %}{{ m() }}',
      "UndefinedError: parameter 'a' was not provided (main:1)",
    ],
    ['{% macro m(a) %}{{ a is defined }}{% endmacro %}{{ m() }}', 'False'],
    [
      '{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}',
      "TypeError: macro 'm' takes not more than 1 argument(s) (main:1)",
    ],
    [
      '{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, b=2) }}',
      "TypeError: macro 'm' takes no keyword argument 'b' (main:1)",
    ],
    [
      '{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, a=2) }}',
      "TypeError: macro 'm' takes no keyword argument 'a' (main:1)",
    ],
    [
      '{% macro m(a) %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, 3, x=4) }}{{ m() }}',
      "(2, 3){'x': 4}(){}",
    ],
    ['{% macro m() %}{{ kwargs.items()|list }}{% endmacro %}{{ m(b=1, a=2) }}', "[('b', 1), ('a', 2)]"],
    ['{% macro m(kwargs) %}{{ kwargs }}{% endmacro %}{{ m(1) }}', '1'],
    ['{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}hi{% endcall %}', 'hi'],
    [
      '{% macro m() %}{{ caller(1, 2) }}{% endmacro %}{% call(a, b=3) m() %}{{ a }}{{ b }}{% endcall %}',
      '12',
    ],
    ['{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}', 'UndefinedError: No caller defined (main:1)'],
    [
      '{% macro m() %}{% if caller %}x{% endif %}{{ caller is defined }}{% endmacro %}{{ m() }}',
      'False',
      { undefinedType: 'default' },
    ],
    [
      '{% macro m() %}a{% endmacro %}{% call m() %}hi{% endcall %}',
      "TypeError: macro 'm' was invoked with two values for the special caller argument. This is most likely a bug. (main:1)",
    ],
    [
      '{% macro m(caller) %}{{ caller }}{% endmacro %}{{ m(1) }}',
      'TemplateAssertionError: When defining macros or call blocks the special "caller" argument must be omitted or be given a default. (main:1)',
    ],
    ['{% macro m(caller=none) %}{{ caller }}{% endmacro %}{{ m(1) }}{{ m() }}{{ m(caller=3) }}', '1None3'],
    ['{% macro m(x) %}{{ x }}{{ caller() }}{% endmacro %}{% call m(x=5) %}{{ 1 }}{% endcall %}', '51'],
    [
      '{% macro m(a, b=1) %}{{ varargs }}{{ caller() }}{% endmacro %}{{ m.name }}{{ m.arguments }}{{ m.catch_kwargs }}{{ m.catch_varargs }}{{ m.caller }}{{ m }}',
      "m('a', 'b')FalseTrueTrue<Macro 'm'>",
    ],
    ['{% macro m() %}{{ m2() }}{% endmacro %}{% macro m2() %}x{% endmacro %}{{ m() }}', 'x'],
    [
      '{% macro fact(n) %}{% if n > 1 %}{{ n }}*{{ fact(n - 1) }}{% else %}1{% endif %}{% endmacro %}{{ fact(5) }}',
      '5*4*3*2*1',
    ],
    ['{% macro m(a=b, b=1) %}{{ a }}{% endmacro %}{{ m() }}', "UndefinedError: 'b' is undefined (main:1)"],
    ['{% macro m(a=x) %}{{ a }}{% endmacro %}{{ m() }}', 'ctx', { context: { x: 'ctx' } }],
    [
      '{% macro m(x=x) %}{{ x }}{% endmacro %}{{ m() }}',
      "UndefinedError: 'x' is undefined (main:1)",
      { context: { x: 'ctx' } },
    ],
    ['{% macro m(l=[]) %}{% do l.append(1) %}{{ l }}{% endmacro %}{{ m() }}{{ m() }}', '[1][1]'],
    [
      '{% macro outer() %}{% macro inner() %}{{ caller() }}{% endmacro %}{% call inner() %}{{ caller() }}{% endcall %}{% endmacro %}{% call outer() %}Z{% endcall %}',
      'UndefinedError: No caller defined (main:1)',
    ],
    [
      '{% macro m() %}{{ caller(foo=1) }}{% endmacro %}{% call(foo) m() %}{{ foo }}{{ caller is defined }}{% endcall %}',
      '1False',
    ],
    [
      '{% macro m() %}{{ caller(1,2,3) }}{% endmacro %}{% call(foo) m() %}{{ foo }}{% endcall %}',
      'TypeError: macro None takes not more than 1 argument(s) (main:1)',
    ],
    ['{{ m() }}{% macro m() %}x{% endmacro %}', "UndefinedError: 'm' is undefined (main:1)"],
    [
      "{% macro m(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ m(*[1,2]) }}{{ m(**{'a':3,'b':4}) }}{{ m(5, **{'b':6}) }}{{ m(*[7], b=8) }}",
      '12345678',
    ],
    [
      '{% macro m(a, b) %}{% endmacro %}{{ m(*5) }}',
      'TypeError: Value after * must be an iterable, not int (main:1)',
    ],
    [
      '{% macro m(a, b) %}{% endmacro %}{{ m(**5) }}',
      'TypeError: jinja2.sandbox.SandboxedEnvironment.call() argument after ** must be a mapping, not int (main:1)',
    ],
    [
      "{% macro m(a, b) %}{% endmacro %}{{ m(a=1, **{'a':2}) }}",
      "TypeError: jinja2.sandbox.SandboxedEnvironment.call() got multiple values for keyword argument 'a' (main:1)",
    ],
    ['{% macro m(a, b) %}{% endmacro %}{{ m(**{1:2}) }}', 'TypeError: keywords must be strings (main:1)'],
    ['{{ 5() }}', "TypeError: 'int' object is not callable (main:1)"],
    ["{{ 'x'() }}", "TypeError: 'str' object is not callable (main:1)"],
    ['{{ nope() }}', "UndefinedError: 'nope' is undefined (main:1)"],
    ['{{ none() }}', "TypeError: 'NoneType' object is not callable (main:1)"],
    [
      '{% macro m() %}\n{{ nope }}\n{% endmacro %}\n\n{{ m() }}',
      "UndefinedError: 'nope' is undefined (main:2)",
    ],
    ["{% macro m() %} a {% endmacro %}[{{ m()|trim }}]{{ m() ~ 'x' }}{{ m()|length }}", '[a] a x3'],
    ['{% set x = m %}{% macro m() %}1{% endmacro %}{{ x is defined }}', 'False'],
    ['{% macro m(a,b=1,*c) %}{% endmacro %}', "TemplateSyntaxError: expected token 'name', got '*' (main:1)"],
    [
      '{% macro m(a=1,b) %}{% endmacro %}',
      'TemplateSyntaxError: non-default argument follows default argument (main:1)',
    ],
    ['{% macro _p() %}x{% endmacro %}{{ _p() }}', 'x'],
    ['{% if true %}{% macro m() %}in{% endmacro %}{% endif %}{{ m() }}', 'in'],
    ['{% call undefinedm() %}{% endcall %}', "UndefinedError: 'undefinedm' is undefined (main:1)"],
    [
      '{% call cycler(1,2).next() %}{% endcall %}',
      "TypeError: Cycler.next() got an unexpected keyword argument 'caller' (main:1)",
    ],
    ["{% call 'abc'.upper() %}{% endcall %}", 'TypeError: str.upper() takes no keyword arguments (main:1)'],
    ['{% macro m() %}{{ self }}{% endmacro %}{{ m() }}', "<TemplateReference 'main'>"],
  ])('%j gives %j', (template, expected, given = {}) => {
    expect(rendered(template, given)).toBe(expected);
  });
});
