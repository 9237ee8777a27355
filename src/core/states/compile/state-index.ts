/**
 * The state index finds the states that a requisite means. Each form names states by their id first; where no state has
 * that id, by what they are about (the primary parameter). Everything that fits is meant, as in Salt.
 *
 *     - pkg: nginx               of the family pkg, whatever the function      - sls: web       all of that file
 *     - pkg.installed: nginx     of that function                              - id: nginx      all with that id
 *     - pkg.installed:nginx      the same                                      - nginx          the same
 */
import type { StateSchemas } from '../state-schema.ts';
import type { BuiltState } from './build-states.ts';
import { isOf } from './declaration.ts';
import { didYouMean } from './did-you-mean.ts';
import type { Hint } from './problem-list.ts';
import type { StateFile } from './state-file.ts';
import { canonicalRef } from './state-refs.ts';
import type { WrittenRequisite } from './written-arguments.ts';

type Target = Pick<WrittenRequisite, 'family' | 'target'>;

/** Why nothing is meant. `id` is what was looked for. */
export interface Missing {
  readonly id: string;
  readonly message: string;
  readonly hint: Hint;
}

export class StateIndex {
  private readonly byId = new Map<string, BuiltState[]>();
  private readonly byAbout = new Map<string, BuiltState[]>();
  private readonly bySls = new Map<string, BuiltState[]>();
  private readonly families: ReadonlySet<string>;
  private readonly functions: ReadonlySet<string>;

  constructor(states: readonly BuiltState[], files: readonly StateFile[], schemas: StateSchemas) {
    for (const { sls } of files) this.bySls.set(sls, []);
    for (const state of states) {
      note(this.byId, state.state.id, state);
      if (state.declaredId !== state.state.id) note(this.byId, state.declaredId, state);
      if (state.about !== undefined) note(this.byAbout, state.about, state);
      note(this.bySls, state.state.sls, state);
    }
    this.functions = new Set([...schemas.names, ...states.map(({ state }) => state.module)]);
    this.families = new Set([...this.functions].map((name) => name.slice(0, name.indexOf('.'))));
  }

  find({ family, target }: Target): readonly BuiltState[] | Missing {
    if (family === 'sls') return this.bySls.get(canonicalRef(target)) ?? this.missingFile(target);
    if (family === undefined) return this.findText(target);
    const found = this.named(target, family === 'id' ? undefined : family);
    return found.length > 0 ? found : this.missing(family, target);
  }

  /** An id may look like `function:id`; but where the function is known, that function is meant. */
  private findText(text: string): readonly BuiltState[] | Missing {
    const colon = text.indexOf(':');
    const module = text.slice(0, Math.max(0, colon));
    const isModule = this.functions.has(module);
    const exact = isModule ? this.named(text.slice(colon + 1), module) : [];
    if (exact.length > 0) return exact;
    const found = this.named(text, undefined);
    if (found.length > 0) return found;
    if (isModule) return this.missing(module, text.slice(colon + 1));
    return this.missing(undefined, text);
  }

  private named(id: string, family: string | undefined): readonly BuiltState[] {
    const fits = ({ state }: BuiltState) => family === undefined || isOf(family, state.module);
    const byId = this.byId.get(id)?.filter(fits) ?? [];
    return byId.length > 0 ? byId : (this.byAbout.get(id)?.filter(fits) ?? []);
  }

  private missing(family: string | undefined, id: string): Missing {
    const of = family === undefined || family === 'id' ? '' : `${family} `;
    return { id, message: `there is no ${of}state ${id}`, hint: () => this.hint(family, id) };
  }

  private hint(family: string | undefined, id: string): string {
    if (/[*?[]/.test(id))
      return 'patterns are not supported here: name each state, or a whole file with `- sls: web`';
    const word = /^(\w+):(\S.*)$/.exec(id);
    if (family === undefined && word !== null && this.families.has(word[1] ?? ''))
      return `a blank is missing after the colon: \`- ${word[1]}: ${word[2]}\``;
    if (family !== undefined && !family.includes('.') && family !== 'id' && !this.families.has(family)) {
      const known = didYouMean(family, this.families);
      return `there is no family ${family}${known === undefined ? '' : `; ${known}`}`;
    }
    const others = [...new Set(this.named(id, undefined).map(({ state }) => state.module))];
    if (others.length > 0) return `${id} is there as ${others.join(', ')}`;
    const names = [...this.byId.keys(), ...this.byAbout.keys()];
    const relatives = names.filter(
      (name) => this.named(name, family === 'id' ? undefined : family).length > 0,
    );
    const near = didYouMean(id, relatives) ?? didYouMean(id, names);
    return near ?? 'include the file that declares it';
  }

  private missingFile(ref: string): Missing {
    const hint = () => didYouMean(ref, this.bySls.keys(), `include it: \`include:\` with \`- ${ref}\``);
    return { id: ref, message: `the state file ${ref} is not part of this run`, hint };
  }
}

function note(map: Map<string, BuiltState[]>, key: string, state: BuiltState): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [state]);
  else known.push(state);
}
