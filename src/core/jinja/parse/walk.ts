/** These functions go through a tree in the order in which Jinja2 reads it, and tell a visitor what it meets. */
import type { ArgumentNodes, AssignTarget, Expression, Parameter, Position, Statement } from './ast.ts';

export interface Visitor {
  reads?(name: string): void;
  writes?(name: string, at: Position): void;
  /** Whether to go inside. */
  statement?(node: Statement): boolean;
  /** Each one, before what is inside of it. */
  expression?(node: Expression): void;
}

export function walkStatements(body: readonly Statement[] | undefined, visitor: Visitor): void {
  for (const node of body ?? []) if (visitor.statement?.(node) !== false) walkInside(node, visitor);
}

function walkInside(node: Statement, visitor: Visitor): void {
  switch (node.kind) {
    case 'text':
    case 'break':
    case 'continue':
      return;
    case 'output':
    case 'do':
      walkExpression(node.value, visitor);
      return;
    case 'if':
      for (const branch of node.branches) {
        walkExpression(branch.test, visitor);
        walkStatements(branch.body, visitor);
      }
      walkStatements(node.otherwise, visitor);
      return;
    case 'for':
      walkTarget(node.target, visitor);
      walkExpression(node.iterable, visitor);
      walkStatements(node.body, visitor);
      walkStatements(node.otherwise, visitor);
      walkExpression(node.filter, visitor);
      return;
    case 'set':
      walkTarget(node.target, visitor);
      walkExpression(node.value, visitor);
      return;
    case 'blockSet':
      walkTarget(node.target, visitor);
      walkExpression(node.filter, visitor);
      walkStatements(node.body, visitor);
      return;
    case 'macro':
      walkParameters(node.parameters, visitor);
      walkStatements(node.body, visitor);
      return;
    case 'callBlock':
      walkExpression(node.call, visitor);
      walkParameters(node.parameters, visitor);
      walkStatements(node.body, visitor);
      return;
    case 'filterBlock':
      walkStatements(node.body, visitor);
      walkExpression(node.filter, visitor);
      return;
    case 'with':
      for (const target of node.targets) walkTarget(target, visitor);
      for (const value of node.values) walkExpression(value, visitor);
      walkStatements(node.body, visitor);
      return;
    case 'block':
    case 'scope':
      walkStatements(node.body, visitor);
      return;
    case 'extends':
    case 'include':
    case 'import':
    case 'fromImport':
    case 'importData':
      walkExpression(node.template, visitor);
      return;
    case 'autoescape':
      walkExpression(node.enabled, visitor);
      walkStatements(node.body, visitor);
      return;
    case 'load':
      visitor.writes?.(node.name, node.at);
      walkStatements(node.body, visitor);
      return;
    case 'profile':
      walkExpression(node.label, visitor);
      walkStatements(node.body, visitor);
      return;
  }
}

function walkParameters(parameters: readonly Parameter[], visitor: Visitor): void {
  for (const parameter of parameters) visitor.writes?.(parameter.name, parameter.at);
  for (const parameter of parameters) walkExpression(parameter.defaultValue, visitor);
}

/** `ns.attr` on the left of `=` is neither: it reads the namespace, but not as a name in an expression. */
export function walkTarget(target: AssignTarget, visitor: Visitor): void {
  if (target.kind === 'name') visitor.writes?.(target.name, target.at);
  else if (target.kind === 'tupleTarget') for (const item of target.items) walkTarget(item, visitor);
}

export function walkExpression(node: Expression | undefined, visitor: Visitor): void {
  if (node === undefined) return;
  visitor.expression?.(node);
  switch (node.kind) {
    case 'literal':
      return;
    case 'name':
      visitor.reads?.(node.name);
      return;
    case 'tuple':
    case 'list':
      for (const item of node.items) walkExpression(item, visitor);
      return;
    case 'dict':
      for (const { key, value } of node.pairs) {
        walkExpression(key, visitor);
        walkExpression(value, visitor);
      }
      return;
    case 'attribute':
      walkExpression(node.object, visitor);
      return;
    case 'item':
      walkExpression(node.object, visitor);
      walkExpression(node.key, visitor);
      return;
    case 'slice':
      walkExpression(node.start, visitor);
      walkExpression(node.stop, visitor);
      walkExpression(node.step, visitor);
      return;
    case 'call':
      walkExpression(node.callee, visitor);
      walkArguments(node.args, visitor);
      return;
    case 'filter':
    case 'test':
      walkExpression(node.input, visitor);
      walkArguments(node.args, visitor);
      return;
    case 'unary':
    case 'not':
      walkExpression(node.operand, visitor);
      return;
    case 'binary':
    case 'and':
    case 'or':
      walkExpression(node.left, visitor);
      walkExpression(node.right, visitor);
      return;
    case 'compare':
      walkExpression(node.first, visitor);
      for (const { operand } of node.rest) walkExpression(operand, visitor);
      return;
    case 'concat':
      for (const part of node.parts) walkExpression(part, visitor);
      return;
    case 'condition':
      walkExpression(node.test, visitor);
      walkExpression(node.then, visitor);
      walkExpression(node.otherwise, visitor);
      return;
  }
}

function walkArguments(args: ArgumentNodes, visitor: Visitor): void {
  for (const value of args.positional) walkExpression(value, visitor);
  for (const { value } of args.named) walkExpression(value, visitor);
  walkExpression(args.star, visitor);
  walkExpression(args.doubleStar, visitor);
}
