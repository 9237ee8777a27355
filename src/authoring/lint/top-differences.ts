/** These checks tell what a top file means here and not in Salt. The list for people is docs/guides/coming-from-salt.md. */
import type { StateProblem } from '../../core/states/state-problem.ts';
import type { Target, TargetNode } from '../../core/target/target.ts';

/** Of patterns that could be read, and environments that give something out. */
export function topDifferences(
  file: string,
  patterns: Iterable<Target>,
  environments: readonly string[],
): readonly StateProblem[] {
  const warning = (message: string, hint: string): StateProblem => ({
    message,
    at: { file },
    chain: [],
    hint,
    severity: 'warning',
  });
  return [
    ...[...patterns]
      .filter(({ root }) => asksPillar(root))
      .map(({ expression }) =>
        warning(`${expression} looks at facts here; in Salt at the pillar`, 'use a fact, and G@'),
      ),
    ...environments
      .filter((name) => name !== 'base')
      .map((name) =>
        warning(
          `${name} is only a heading here: its files come from this tree; in Salt from that environment`,
          'move its patterns below base',
        ),
      ),
  ];
}

function asksPillar(node: TargetNode): boolean {
  switch (node.kind) {
    case 'fact':
      return node.prefix === 'I';
    case 'not':
      return asksPillar(node.part);
    case 'and':
    case 'or':
      return node.parts.some(asksPillar);
    default:
      return false;
  }
}
