/**
 * `stateExaminer` looks for secrets in a tree of states before it is published: every peel can read what is in there. A
 * content in which none was found is not read again while it stays at its path.
 */
import { refuseSecretsInStates } from '../../core/settings/find-secrets.ts';
import type { StateProblem } from '../../core/states/state-problem.ts';
import type { LocalTree } from './source-tree.ts';

export function stateExaminer(): (tree: LocalTree) => Promise<readonly StateProblem[]> {
  /** By path, the hash of a content that is fine. */
  let clean: ReadonlyMap<string, string> = new Map();
  return async ({ sources }) => {
    const problems: StateProblem[] = [];
    const fine = new Map<string, string>();
    for (const file of sources) {
      const isKnown = clean.get(file.path) === file.sha256;
      const problem = isKnown ? undefined : refuseSecretsInStates(file.path, textOf(await file.read()));
      if (problem === undefined) fine.set(file.path, file.sha256);
      else problems.push(problem);
    }
    clean = fine;
    return problems;
  };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}
