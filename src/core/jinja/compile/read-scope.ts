/** These functions read the part of a tree that belongs to one scope, and note which names it reads and writes. */
import type { AssignTarget, ForNode, Parameter, Statement, WithNode } from '../parse/ast.ts';
import { walkExpression } from '../parse/walk.ts';
import type { Scope } from './scope.ts';

/** What a scope around these statements reads and writes. Stops where an inner scope begins. */
export function readBody(scope: Scope, body: readonly Statement[] | undefined, inBranch = false): void {
  for (const node of body ?? []) readStatement(scope, node, inBranch);
}

export function readLoopBody(scope: Scope, node: ForNode): void {
  declareTarget(scope, node.target);
  readBody(scope, node.body);
}

export function readLoopFilter(scope: Scope, node: ForNode): void {
  declareTarget(scope, node.target);
  readExpression(scope, node.filter);
}

export function readMacro(scope: Scope, parameters: readonly Parameter[], body: readonly Statement[]): void {
  for (const { name } of parameters) scope.declareParameter(name);
  for (const { defaultValue } of parameters) readExpression(scope, defaultValue);
  readBody(scope, body);
}

export function readWith(scope: Scope, node: WithNode): void {
  for (const target of node.targets) readTarget(scope, target, false);
  readBody(scope, node.body);
}

export function readExpression(scope: Scope, node: Parameters<typeof walkExpression>[0]): void {
  walkExpression(node, { reads: (name) => scope.read(name) });
}

function readTarget(scope: Scope, target: AssignTarget, inBranch: boolean): void {
  if (target.kind === 'name') scope.write(target.name, inBranch);
  else if (target.kind === 'namespaceAttribute') scope.read(target.name);
  else for (const item of target.items) readTarget(scope, item, inBranch);
}

/** Targets of a loop are set anew by each round, so that they are parameters of its body. */
function declareTarget(scope: Scope, target: AssignTarget): void {
  if (target.kind === 'name') scope.declareParameter(target.name);
  else if (target.kind === 'namespaceAttribute') scope.read(target.name);
  else for (const item of target.items) declareTarget(scope, item);
}

function readStatement(scope: Scope, node: Statement, inBranch: boolean): void {
  switch (node.kind) {
    case 'text':
    case 'break':
    case 'continue':
    case 'block':
    case 'scope':
    case 'autoescape':
    case 'profile':
      return;
    case 'output':
    case 'do':
      readExpression(scope, node.value);
      return;
    case 'if':
      for (const { test, body } of node.branches) {
        readExpression(scope, test);
        readBody(scope, body, true);
      }
      readBody(scope, node.otherwise, true);
      return;
    case 'for':
      readExpression(scope, node.iterable);
      return;
    case 'set':
      readExpression(scope, node.value);
      readTarget(scope, node.target, inBranch);
      return;
    case 'blockSet':
      readTarget(scope, node.target, inBranch);
      return;
    case 'macro':
      scope.write(node.name, inBranch);
      return;
    case 'callBlock':
      readExpression(scope, node.call);
      return;
    case 'filterBlock':
      readExpression(scope, node.filter);
      return;
    case 'with':
      for (const value of node.values) readExpression(scope, value);
      return;
    case 'extends':
    case 'include':
      readExpression(scope, node.template);
      return;
    case 'import':
    case 'importData':
      readExpression(scope, node.template);
      scope.write(node.name, inBranch);
      return;
    case 'fromImport':
      readExpression(scope, node.template);
      for (const { alias } of node.names) scope.write(alias, inBranch);
      return;
    case 'load':
      scope.write(node.name, inBranch);
      return;
  }
}
