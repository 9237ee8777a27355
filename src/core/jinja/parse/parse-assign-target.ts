/** `parseAssignTarget` reads what stands left of `=` or after `for`: a name, `ns.attribute`, or several of them. */
import type { AssignTarget, BinaryOperator, Expression } from './ast.ts';
import type { Parsing } from './parsing.ts';

type Candidate = Expression | Extract<AssignTarget, { kind: 'namespaceAttribute' }>;

export interface TargetRules {
  /** Whether `ns.attribute` is a target. */
  readonly namespaces?: boolean;
  /** Whether `loop` may not be assigned to; by default where the tag stands within a loop. */
  readonly withinLoop?: boolean;
}

export function parseAssignTarget(parsing: Parsing, rules: TargetRules = {}): AssignTarget {
  const { stream } = parsing;
  const candidate = parseCandidate(parsing, rules);
  const target = asTarget(candidate);
  if (target === undefined)
    throw stream.error(`can't assign to '${jinjaName(candidate)}'`, firstUnassignable(candidate).at);
  if (rules.withinLoop ?? parsing.place.withinLoop) noteWritesToLoop(parsing, target);
  return target;
}

/** As a tuple without parentheses, but of primary expressions only: the `in` of a loop must not be read as an operator. */
function parseCandidate(parsing: Parsing, rules: TargetRules): Candidate {
  const { stream, expressions } = parsing;
  const start = stream.current.at;
  const items: Candidate[] = [];
  let isTuple = false;
  while (true) {
    if (items.length > 0) stream.expectOperator(',');
    if (expressions.isTupleEnd()) break;
    items.push(parseOne(parsing, rules));
    if (!stream.isOperator(',')) break;
    isTuple = true;
  }
  const only = items[0];
  if (!isTuple && only !== undefined) return only;
  if (!isTuple) return expressions.parseTuple();
  // `ns.attribute` inside is no expression, but only `asTarget` looks inside.
  return { kind: 'tuple', at: start, items: items as Expression[] };
}

function parseOne({ stream, expressions }: Parsing, rules: TargetRules): Candidate {
  const primary = expressions.parsePrimary();
  if (rules.namespaces !== true || primary.kind !== 'name' || !stream.isOperator('.')) return primary;
  // A name in parentheses has left them behind: `(ns).x` is no target.
  if (stream.previous?.type !== 'name') return primary;
  stream.next();
  const attribute = stream.expect('name').text;
  return { kind: 'namespaceAttribute', at: primary.at, name: primary.name, attribute };
}

function asTarget(candidate: Candidate): AssignTarget | undefined {
  switch (candidate.kind) {
    case 'name':
    case 'namespaceAttribute':
      return candidate;
    case 'tuple': {
      const items: AssignTarget[] = [];
      for (const item of candidate.items) {
        const target = asTarget(item);
        if (target === undefined) return undefined;
        items.push(target);
      }
      return { kind: 'tupleTarget', at: candidate.at, items };
    }
    default:
      return undefined;
  }
}

/** The caret goes to the item of a tuple that is wrong, though the message names the whole. */
function firstUnassignable(candidate: Candidate): Candidate {
  if (candidate.kind !== 'tuple') return candidate;
  const wrong = candidate.items.find((item) => asTarget(item) === undefined);
  return wrong === undefined ? candidate : firstUnassignable(wrong);
}

function noteWritesToLoop(parsing: Parsing, target: AssignTarget): void {
  if (target.kind === 'tupleTarget') for (const item of target.items) noteWritesToLoop(parsing, item);
  else if (target.kind === 'name' && target.name === 'loop')
    parsing.late.assertion(
      parsing.stream.error("Can't assign to special loop variable in for-loop target", target.at, {
        type: 'TemplateAssertionError',
      }),
    );
}

const BINARY_NAMES: Readonly<Record<BinaryOperator, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '//': 'floordiv',
  '%': 'mod',
  '**': 'pow',
};

/** What Jinja2 calls the thing that cannot be assigned to. */
function jinjaName(candidate: Candidate): string {
  switch (candidate.kind) {
    case 'literal':
      return 'const';
    case 'attribute':
      return 'getattr';
    case 'item':
      return 'getitem';
    case 'condition':
      return 'condexpr';
    case 'unary':
      return candidate.operator === '-' ? 'neg' : 'pos';
    case 'binary':
      return BINARY_NAMES[candidate.operator];
    default:
      return candidate.kind;
  }
}
