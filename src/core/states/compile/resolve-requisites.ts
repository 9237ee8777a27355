/**
 * This phase of the compiler resolves requisites, as states name them, to names of states. The inverse forms
 * (`require_in`) become requisites of the states they name; one that names nothing is an error and never a new state
 * (decision 13).
 *
 * `prereq: B` on A means that A runs first, if B is going to change something. So B also requires A: where A failed, B
 * must not go on.
 */
import { NO_REQUISITES, type RequisiteKind, type Requisites, type StateName } from '../compiled-state.ts';
import type { StateSchemas } from '../state-schema.ts';
import type { BuiltState } from './build-states.ts';
import { REQUISITES_RESOLVED_MAX, REQUISITES_WRITTEN_MAX } from './compile-limits.ts';
import type { ProblemList } from './problem-list.ts';
import { type StateFile, sourcePlaceOf } from './state-file.ts';
import { StateIndex } from './state-index.ts';
import type { Unread } from './unread.ts';
import type { WrittenRequisite } from './written-arguments.ts';

export interface ResolveInput {
  readonly states: readonly BuiltState[];
  readonly files: readonly StateFile[];
  readonly schemas: StateSchemas;
  readonly problems: ProblemList;
  readonly unread: Unread;
}

/** By name of the state. */
export function resolveRequisites(input: ResolveInput): (name: StateName) => Requisites {
  const states = input.states.filter((state) => isWithinLimit(state, input.problems));
  const resolver = new RequisiteResolver(input);
  // A state's own requisites first, then what others gave it: so they read in the order they were written.
  for (const state of states) resolver.resolve(state, (written) => !written.inverse);
  for (const state of states) resolver.resolve(state, (written) => written.inverse);
  resolver.orderPrereqs();
  return (name) => resolver.of(name);
}

function isWithinLimit({ written, state, place }: BuiltState, problems: ProblemList): boolean {
  const fits = written.length <= REQUISITES_WRITTEN_MAX;
  if (!fits)
    problems.error(place, `${state.name} names more than ${REQUISITES_WRITTEN_MAX} states in its requisites`);
  return fits;
}

type Edges = Map<RequisiteKind, Set<StateName>>;

class RequisiteResolver {
  private readonly index: StateIndex;
  private readonly problems: ProblemList;
  private readonly unread: Unread;
  /** Of the states that have requisites. */
  private readonly edges = new Map<StateName, Edges>();
  private count = 0;

  constructor({ states, files, schemas, problems, unread }: ResolveInput) {
    this.index = new StateIndex(states, files, schemas);
    this.problems = problems;
    this.unread = unread;
  }

  resolve(self: BuiltState, fits: (written: WrittenRequisite) => boolean): void {
    for (const requisite of self.written.filter(fits)) {
      for (const other of this.targets(self, requisite)) {
        const [owner, target] = requisite.inverse ? [other, self] : [self, other];
        this.add(owner.state.name, requisite.kind, target.state.name);
      }
    }
  }

  orderPrereqs(): void {
    for (const [name, edges] of [...this.edges])
      for (const target of edges.get('prereq') ?? []) this.add(target, 'require', name);
  }

  of(name: StateName): Requisites {
    const edges = this.edges.get(name);
    if (edges === undefined) return NO_REQUISITES;
    return { ...NO_REQUISITES, ...Object.fromEntries([...edges].map(([kind, names]) => [kind, [...names]])) };
  }

  private add(owner: StateName, kind: RequisiteKind, target: StateName): void {
    const edges = this.edges.get(owner) ?? new Map<RequisiteKind, Set<StateName>>();
    this.edges.set(owner, edges);
    const names = edges.get(kind) ?? new Set<StateName>();
    edges.set(kind, names);
    names.add(target);
  }

  private targets(self: BuiltState, written: WrittenRequisite): readonly BuiltState[] {
    const refuse = (message: string, hint?: Parameters<ProblemList['error']>[2]): readonly BuiltState[] => {
      this.problems.error(sourcePlaceOf(written), `${self.state.name}: ${written.key}: ${message}`, hint);
      return [];
    };
    const found = this.index.find(written);
    if ('message' in found) return this.unread.mayHold(found.id) ? [] : refuse(found.message, found.hint);
    if (written.family === 'sls' && found.includes(self))
      return refuse(
        `the state itself is among those of ${written.target} and what that includes`,
        'name the states that are meant',
      );
    // An id may name several functions, this one among them: the others are meant.
    const others = found.filter((other) => other !== self);
    if (others.length === 0 && found.length > 0) return refuse('a state cannot wait for itself');
    if (others.length === 0)
      this.problems.warn(
        sourcePlaceOf(written),
        `${self.state.name}: ${written.key}: ${written.target} has no states, so nothing is waited for`,
        'remove this line, or add what it stands for',
      );
    this.count += others.length;
    if (this.count <= REQUISITES_RESOLVED_MAX) return others;
    // Told once; after that nothing more is added.
    if (this.count - others.length <= REQUISITES_RESOLVED_MAX)
      refuse(`the requisites of this run come to more than ${REQUISITES_RESOLVED_MAX}`);
    return [];
  }
}
