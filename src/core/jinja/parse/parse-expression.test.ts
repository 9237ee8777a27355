import { describe, expect, it } from 'vitest';
import type { TemplateError } from '../errors.ts';
import type { ArgumentNodes, Expression } from './ast.ts';
import { parseTemplate } from './parser.ts';

function parse(text: string): Expression {
  const node = parseTemplate(`{{ ${text} }}`).body[0];
  return node?.kind === 'output' ? node.value : expect.unreachable(text);
}

/** The tree with every grouping in parentheses. */
function show(node: Expression | undefined): string {
  switch (node?.kind) {
    case undefined:
      return '';
    case 'literal':
      return node.literal.type === 'none'
        ? 'None'
        : `${JSON.stringify(node.literal.type === 'int' ? Number(node.literal.value) : node.literal.value)}`;
    case 'name':
      return node.name;
    case 'tuple':
      return `<${node.items.map(show).join(', ')}>`;
    case 'list':
      return `[${node.items.map(show).join(', ')}]`;
    case 'dict':
      return `{${node.pairs.map(({ key, value }) => `${show(key)}: ${show(value)}`).join(', ')}}`;
    case 'attribute':
      return `${show(node.object)}.${node.name}`;
    case 'item':
      return `${show(node.object)}[${show(node.key)}]`;
    case 'slice':
      return `${show(node.start)}:${show(node.stop)}:${show(node.step)}`;
    case 'call':
      return `${show(node.callee)}(${showArguments(node.args)})`;
    case 'filter':
      return `(${show(node.input)}|${node.name}(${showArguments(node.args)}))`;
    case 'test':
      return `(${show(node.input)} is ${node.name}(${showArguments(node.args)}))`;
    case 'unary':
      return `(${node.operator}${show(node.operand)})`;
    case 'not':
      return `(not ${show(node.operand)})`;
    case 'binary':
      return `(${show(node.left)} ${node.operator} ${show(node.right)})`;
    case 'and':
    case 'or':
      return `(${show(node.left)} ${node.kind} ${show(node.right)})`;
    case 'compare':
      return `(${[show(node.first), ...node.rest.map((r) => `${r.operator} ${show(r.operand)}`)].join(' ')})`;
    case 'concat':
      return `(${node.parts.map(show).join(' ~ ')})`;
    case 'condition':
      return `(${show(node.then)} if ${show(node.test)} else ${show(node.otherwise)})`;
  }
}

function showArguments({ positional, named, star, doubleStar }: ArgumentNodes): string {
  return [
    ...positional.map(show),
    ...(star ? [`*${show(star)}`] : []),
    ...named.map(({ name, value }) => `${name}=${show(value)}`),
    ...(doubleStar ? [`**${show(doubleStar)}`] : []),
  ].join(', ');
}

function faultOf(text: string): string {
  try {
    parse(text);
  } catch (error) {
    return (error as TemplateError).message;
  }
  return expect.unreachable(`${text} is an expression`);
}

describe('operators', () => {
  it.each([
    ['a or b and c', '(a or (b and c))'],
    ['a and b or c and d', '((a and b) or (c and d))'],
    ['not a and b', '((not a) and b)'],
    ['not a == b', '(not (a == b))'],
    ['not not a', '(not (not a))'],
    ['a == b and c != d', '((a == b) and (c != d))'],
    ['a < b <= c', '(a < b <= c)'],
    ['a in b not in c', '(a in b not in c)'],
    ['a == b + c', '(a == (b + c))'],
    ['a - b - c', '((a - b) - c)'],
    ['a + b ~ c', '(a + (b ~ c))'],
    ['a ~ b + c ~ d', '((a ~ b) + (c ~ d))'],
    ['a ~ b ~ c', '(a ~ b ~ c)'],
    ['a ~ b * c', '(a ~ (b * c))'],
    ['a + b * c // d % e', '(a + (((b * c) // d) % e))'],
    ['a * b ** c', '(a * (b ** c))'],
    // Unlike in Python, where both of these group the other way.
    ['-2 ** 2', '((-2) ** 2)'],
    ['2 ** 3 ** 2', '((2 ** 3) ** 2)'],
    ['2 ** -1', '(2 ** (-1))'],
    ['- + a', '(-(+a))'],
    ['-a.b', '(-a.b)'],
    ['-1|abs', '((-1)|abs())'],
    ['a ** b|f', '(a ** (b|f()))'],
    ['a + b|f', '(a + (b|f()))'],
    ['(a + b)|f', '((a + b)|f())'],
    ['a if b', '(a if b else )'],
    ['a if b else c if d else e', '(a if b else (c if d else e))'],
    ['a if b if c', '((a if b else ) if c else )'],
    ['a or b if c and d else e', '((a or b) if (c and d) else e)'],
  ])('%s groups as %s', (text, expected) => {
    expect(show(parse(text))).toBe(expected);
  });
});

describe('filters and tests', () => {
  it.each([
    ['a|b|c(1)|d.e', '(((a|b())|c(1))|d.e())'],
    ['a|b()()', '(a|b())()'],
    ['a is b', '(a is b())'],
    ['a is not b', '(not (a is b()))'],
    ['not a is b', '(not (a is b()))'],
    ['a is b and c', '((a is b()) and c)'],
    ['a is b or c', '((a is b()) or c)'],
    ['a is divisibleby 3', '(a is divisibleby(3))'],
    ['a is not divisibleby 3', '(not (a is divisibleby(3)))'],
    ['a is divisibleby(3)', '(a is divisibleby(3))'],
    ['a is eq b.c[0]', '(a is eq(b.c[0]))'],
    ['a is in [1, 2]', '(a is in([1, 2]))'],
    ["a is match 'x' 'y'", '(a is match("xy"))'],
    ['a is b -1', '((a is b()) - 1)'],
    ['a is b == c', '((a is b()) == c)'],
    ['a if b is defined else c', '(a if (b is defined()) else c)'],
    ['a|b is c|d', '(((a|b()) is c())|d())'],
    ['a is b.c', '(a is b.c())'],
  ])('%s is %s', (text, expected) => {
    expect(show(parse(text))).toBe(expected);
  });
});

describe('values', () => {
  it.each([
    ['1_000', '1000'],
    ['true', 'true'],
    ['False', 'false'],
    ['None', 'None'],
    ['TRUE', 'TRUE'],
    [`'a' "b" 'c'`, '"abc"'],
    ['()', '<>'],
    ['(a)', 'a'],
    ['(a,)', '<a>'],
    ['a, b', '<a, b>'],
    ['a,', '<a>'],
    ['(a, b), c', '<<a, b>, c>'],
    ['[]', '[]'],
    ['[a, b,]', '[a, b]'],
    ['{}', '{}'],
    ["{'a': 1, b: (2,),}", '{"a": 1, b: <2>}'],
    ['a.b.c', 'a.b.c'],
    ['a.b.0.c', 'a.b[0].c'],
    ['a.0.1', 'a[0][1]'],
    ['1.real', '1.real'],
    ['1.5.real', '1.5.real'],
    ["a['b'][0]", 'a["b"][0]'],
    ['a[1, 2]', 'a[<1, 2>]'],
    ['a[]', 'a[<>]'],
    ['a[:]', 'a[::]'],
    ['a[1:]', 'a[1::]'],
    ['a[:2]', 'a[:2:]'],
    ['a[::3]', 'a[::3]'],
    ['a[1:2:3]', 'a[1:2:3]'],
    ['a[b if c else d:e]', 'a[(b if c else d):e:]'],
    ['f()', 'f()'],
    ['f(a, b,)', 'f(a, b)'],
    ['f(a, b=1, *c, **d)', 'f(a, *c, b=1, **d)'],
    ['f(a)(b).c(d)', 'f(a)(b).c(d)'],
    // Every word is a name where a value is expected.
    ['if', 'if'],
    ['in in is', '(in in is)'],
    ['a + not', '(a + not)'],
  ])('%s is %s', (text, expected) => {
    expect(show(parse(text))).toBe(expected);
  });
});

describe('mistakes', () => {
  it.each([
    ['', "Expected an expression, got 'end of print statement'"],
    ['a b', "expected token 'end of print statement', got 'b'"],
    ['a +', "unexpected 'end of print statement'"],
    ['a = b', "expected token 'end of print statement', got '='"],
    ['not', "unexpected 'end of print statement'"],
    ['(,)', "unexpected ','"],
    ['[,]', "unexpected ','"],
    ['[a b]', "expected token ',', got 'b'"],
    ['{1}', "expected token ':', got '}'"],
    ['a.', 'expected name or number'],
    ["a.'b'", 'expected name or number'],
    ['a[1,]', "unexpected ']'"],
    ['a[:::]', "unexpected ':'"],
    ['f(,)', "unexpected ','"],
    ['f(a=1, b)', 'invalid syntax for function call expression'],
    ['f(*a, b)', 'invalid syntax for function call expression'],
    ['f(*a, *b)', 'invalid syntax for function call expression'],
    ['f(**a, b=1)', 'invalid syntax for function call expression'],
    ['f(**a, *b)', 'invalid syntax for function call expression'],
    ['a|', "expected token 'name', got 'end of print statement'"],
    ['a||b', "expected token 'name', got '|'"],
    ['a is', "expected token 'name', got 'end of print statement'"],
    ['a is b is c', 'You cannot chain multiple tests with is'],
    ['a is b if c', "expected token 'end of print statement', got 'c'"],
    ['f(a=1, a=2)', 'keyword argument repeated: a'],
    ['a[1:2, 3]', 'invalid syntax: a slice must be the only thing in its brackets'],
    ['01', "expected token 'end of print statement', got 'integer'"],
    ['.5', "unexpected '.'"],
  ])('%s: %s', (text, message) => {
    expect(faultOf(text)).toBe(message);
  });

  it('lets an argument be named twice next to a Python keyword, as Jinja2 does', () => {
    expect(show(parse('f(class=1, a=2, a=3)'))).toBe('f(class=1, a=2, a=3)');
  });
});
