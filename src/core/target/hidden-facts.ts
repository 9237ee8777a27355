/**
 * This rule finds the facts that a target looks at and the asker may not. Peels may ask which peels a target means, and
 * an answer to `G@token:a*` tells whether a fact of another begins with `a`: letter by letter, all of it. So for them
 * only ids and tags match, and the facts that the operator lists (decision 23b).
 */
import { never } from '../assert.ts';
import type { FactMatcher, Target, TargetNode } from './target.ts';

/** The first one that is neither listed nor below one that is: `os` lists `os.family`. */
export function firstHiddenFact({ root }: Target, visible: readonly string[]): FactMatcher | undefined {
  return factMatchers(root).find(
    ({ path }) => !visible.some((listed) => path === listed || path.startsWith(`${listed}.`)),
  );
}

/** All of them, wherever they stand: also one behind `not` decides. */
export function factMatchers(node: TargetNode): FactMatcher[] {
  switch (node.kind) {
    case 'fact':
      return [node];
    case 'and':
    case 'or':
      return node.parts.flatMap(factMatchers);
    case 'not':
      return factMatchers(node.part);
    case 'glob':
    case 'regex':
    case 'tag':
    case 'list':
      return [];
    default:
      return never(node);
  }
}
