import { describe, expect, it } from 'vitest';
import { Environment } from '../environment.ts';

/** Each round of the loop and each item that a filter touches is a step. */
function render(source: string, steps = 10_000): string {
  return new Environment({ limits: { steps } }).compile(source, 'main').render({ n: 3 }).output;
}

const ROUNDS = 500;
const inLoop = (expression: string) => `{% for i in range(${ROUNDS}) %}{{ ${expression} }}{% endfor %}`;

describe('constants in a loop', () => {
  it.each(["[3, 1, 2]|sort|join(',')", "'b' in ['c', 'b']|sort", "{'a': [2, 1]|sort|join}['a']"])(
    '{{ %s }} is computed once',
    (expression) => {
      const [once] = [render(`{{ ${expression} }}`)];
      expect(render(inLoop(expression), 2 * ROUNDS)).toBe(once.repeat(ROUNDS));
    },
  );

  it('what is no constant is computed each time', () => {
    expect(() => render(inLoop("[3, 1, n]|sort|join(',')"), 2 * ROUNDS)).toThrow('steps');
  });

  it('a list is a new one each time', () => {
    const template = '{% for i in [1, 2] %}{% set l = [0] + [0] %}{% do l.append(i) %}{{ l }}{% endfor %}';
    expect(render(template)).toBe('[0, 0, 1][0, 0, 2]');
  });

  it('an error stays where it is, and comes each time', () => {
    expect(render('{% if n == 4 %}{{ 1 // 0 }}{% endif %}ok')).toBe('ok');
    const template = new Environment().compile('a\n{{ 1 // 0 }}', 'main');
    for (let round = 0; round < 2; round++)
      expect(() => template.render({})).toThrow(
        expect.objectContaining({ type: 'ZeroDivisionError', line: 2 }),
      );
  });

  it('chance is asked each time', () => {
    let asked = 0;
    const random = () => asked++ / 10;
    const environment = new Environment({ host: { random } });
    expect(
      environment.compile('{% for i in [1, 2, 3] %}{{ [0, 1]|random }}{% endfor %}').render({}).output,
    ).toHaveLength(3);
    expect(asked).toBe(3);
  });
});
