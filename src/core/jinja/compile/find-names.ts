/** These functions answer questions about a tree that the compiler asks before it compiles a part of it. */
import type { BlockNode, ForNode, Position, Statement } from '../parse/ast.ts';
import { type Visitor, walkStatements, walkTarget } from '../parse/walk.ts';

/**
 * Which of the names are read before anything in the tree writes them, as Jinja2 asks it for the special names `loop`,
 * `self`, `super`, `caller`, `varargs` and `kwargs`. Blocks are other units and are not looked into.
 */
export function namesReadUndeclared(
  body: readonly Statement[],
  names: readonly string[],
): ReadonlySet<string> {
  const wanted = new Set(names);
  const found = new Set<string>();
  walkStatements(body, {
    reads: (name) => {
      if (wanted.has(name)) found.add(name);
    },
    writes: (name) => wanted.delete(name),
    statement: (node) => node.kind !== 'block',
  });
  return found;
}

export function blocksIn(body: readonly Statement[]): readonly BlockNode[] {
  const blocks: BlockNode[] = [];
  walkStatements(body, {
    statement: (node) => {
      if (node.kind === 'block') blocks.push(node);
      return true;
    },
  });
  return blocks;
}

export function hasExtends(body: readonly Statement[]): boolean {
  let found = false;
  walkStatements(body, {
    statement: (node) => {
      found ||= node.kind === 'extends';
      return true;
    },
  });
  return found;
}

/** Where a loop, in its target or anywhere inside, writes to `loop`, which Jinja2 forbids. */
export function writeToLoop(node: ForNode): Position | undefined {
  let found: Position | undefined;
  const visitor: Visitor = {
    writes: (name, at) => {
      if (name === 'loop') found ??= at;
    },
    // A parameter of a macro may be called `loop`: it is no assignment.
    statement: (inner) => inner.kind !== 'macro' && inner.kind !== 'callBlock',
  };
  walkTarget(node.target, visitor);
  walkStatements([...node.body, ...(node.otherwise ?? [])], visitor);
  return found;
}

/** Whether a body can leave its loop early; loops inside of it keep their own. */
export function hasLoopControl(body: readonly Statement[]): boolean {
  let found = false;
  walkStatements(body, {
    statement: (node) => {
      found ||= node.kind === 'break' || node.kind === 'continue';
      // What the `else` of an inner loop says concerns the loop around it.
      if (node.kind === 'for') found ||= hasLoopControl(node.otherwise ?? []);
      return (
        node.kind !== 'for' && node.kind !== 'macro' && node.kind !== 'callBlock' && node.kind !== 'block'
      );
    },
  });
  return found;
}
