/** These checks tell what a top file means here and not in Salt. The list for people is docs/guides/coming-from-salt.md. */
import type { StateProblem } from '../../core/states/state-problem.ts';

/** A matcher on the pillar, alone or in a compound pattern. */
const PILLAR_MATCHER = /(?:^|[\s(])I@/;

/** Of patterns that could be read, and environments that give something out. */
export function topDifferences(
  file: string,
  patterns: Iterable<string>,
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
      .filter((pattern) => PILLAR_MATCHER.test(pattern))
      .map((pattern) =>
        warning(`${pattern}: I@ looks at facts here; in Salt at the pillar`, 'use a fact, and G@'),
      ),
    ...environments
      .filter((name) => name !== 'base')
      .map((name) =>
        warning(
          `${name} is only a heading here: its states come from this tree; in Salt from that environment`,
          'move its patterns below base',
        ),
      ),
  ];
}
