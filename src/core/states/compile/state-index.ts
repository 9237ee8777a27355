/**
 * The state index finds the states that a requisite means, as Salt does: by their id and by what they are about, and
 * everything that fits is meant. Patterns such as `conf.*` are for both.
 *
 *     - pkg: nginx               of the family pkg, whatever the function      - sls: web       all of that file, and of
 *     - pkg.installed: nginx     of that function                                               what it brought in
 *     - pkg.installed:nginx      the same                                      - id: nginx      all with that id or name
 *                                                                              - nginx          the same
 *
 * The inverse forms mean less: the id goes before what states are about, an id alone means its first function, and a
 * file only its own states.
 */

import { didYouMean } from '../../suggest.ts';
import { compileGlob, isGlobFault } from '../../target/glob.ts';
import type { StateSchemas } from '../state-schema.ts';
import type { BuiltState } from './build-states.ts';
import { isOf } from './declaration.ts';
import type { Hint } from './problem-list.ts';
import type { StateFile } from './state-file.ts';
import { canonicalRef } from './state-refs.ts';
import type { WrittenRequisite } from './written-arguments.ts';

type Target = Pick<WrittenRequisite, 'family' | 'target' | 'inverse'>;

/** Why nothing is meant. `id` is what was looked for. */
export interface Missing {
  readonly id: string;
  readonly message: string;
  readonly hint: Hint;
}

export class StateIndex {
  private readonly byId = new Map<string, BuiltState[]>();
  private readonly byAbout = new Map<string, BuiltState[]>();
  /** By file, its own states; and by file, those that came with what it includes as well. */
  private readonly ownOf = new Map<string, BuiltState[]>();
  private readonly broughtBy = new Map<string, BuiltState[]>();
  private readonly families: ReadonlySet<string>;
  private readonly functions: ReadonlySet<string>;

  constructor(states: readonly BuiltState[], files: readonly StateFile[], schemas: StateSchemas) {
    for (const { sls } of files) {
      this.ownOf.set(sls, []);
      this.broughtBy.set(sls, []);
    }
    for (const built of states) {
      const { id, about } = built.state;
      const { sls, includers } = built.file;
      note(this.byId, id, built);
      if (about !== id) note(this.byAbout, about, built);
      note(this.ownOf, sls, built);
      for (const file of new Set([sls, ...includers])) note(this.broughtBy, file, built);
    }
    this.functions = new Set([...schemas.names, ...states.map(({ state }) => state.module)]);
    this.families = new Set([...this.functions].map((name) => name.slice(0, name.indexOf('.'))));
  }

  find({ family, target, inverse }: Target): readonly BuiltState[] | Missing {
    if (family === 'sls') return this.findFile(target, inverse ? this.ownOf : this.broughtBy);
    if (family === undefined) return this.findText(target, inverse);
    const found = this.named(target, family === 'id' ? undefined : family, inverse);
    return found.length > 0 ? found : this.missing(family, target);
  }

  private findFile(
    ref: string,
    byFile: ReadonlyMap<string, readonly BuiltState[]>,
  ): readonly BuiltState[] | Missing {
    const found = byFile.get(canonicalRef(ref)) ?? valuesLike(ref, byFile);
    return found ?? this.missingFile(ref);
  }

  /** An id may look like `function:id`; but where the function is known, that function is meant. */
  private findText(text: string, inverse: boolean): readonly BuiltState[] | Missing {
    const colon = text.indexOf(':');
    const module = text.slice(0, Math.max(0, colon));
    const isModule = this.functions.has(module);
    const exact = isModule ? this.named(text.slice(colon + 1), module, inverse) : [];
    if (exact.length > 0) return exact;
    const found = this.named(text, undefined, inverse);
    if (found.length > 0) return inverse ? firstFunction(found) : found;
    if (isModule) return this.missing(module, text.slice(colon + 1));
    return this.missing(undefined, text);
  }

  private named(id: string, family: string | undefined, inverse: boolean): readonly BuiltState[] {
    const fits = ({ state }: BuiltState) => family === undefined || isOf(family, state.module);
    const byId = this.byId.get(id)?.filter(fits) ?? [];
    if (inverse && byId.length > 0) return byId;
    const found = [...byId, ...(this.byAbout.get(id)?.filter(fits) ?? [])];
    if (found.length > 0) return found;
    const like = [valuesLike(id, this.byId), valuesLike(id, this.byAbout)].flatMap((each) => each ?? []);
    return [...new Set(like)].filter(fits);
  }

  private missing(family: string | undefined, id: string): Missing {
    const of = family === undefined || family === 'id' ? '' : `${family} `;
    return { id, message: `there is no ${of}state ${id}`, hint: () => this.hint(family, id) };
  }

  private hint(family: string | undefined, id: string): string {
    const word = /^(\w+):(\S.*)$/.exec(id);
    if (family === undefined && word !== null && this.families.has(word[1] ?? ''))
      return `a blank is missing after the colon: \`- ${word[1]}: ${word[2]}\``;
    if (family !== undefined && !family.includes('.') && family !== 'id' && !this.families.has(family)) {
      const known = didYouMean(family, this.families);
      return `there is no family ${family}${known === undefined ? '' : `; ${known}`}`;
    }
    const others = [...new Set(this.named(id, undefined, false).map(({ state }) => state.module))];
    if (others.length > 0) return `${id} is there as ${others.join(', ')}`;
    const names = [...this.byId.keys(), ...this.byAbout.keys()];
    const relatives = names.filter(
      (name) => this.named(name, family === 'id' ? undefined : family, false).length > 0,
    );
    const near = didYouMean(id, relatives) ?? didYouMean(id, names);
    return near ?? 'include the file that declares it';
  }

  private missingFile(ref: string): Missing {
    const hint = () => didYouMean(ref, this.ownOf.keys(), `include it: \`include:\` with \`- ${ref}\``);
    return { id: ref, message: `the state file ${ref} is not part of this run`, hint };
  }
}

/** All that stands below keys that fit the pattern; undefined where it is no pattern. */
function valuesLike(
  pattern: string,
  map: ReadonlyMap<string, readonly BuiltState[]>,
): readonly BuiltState[] | undefined {
  const glob = /[*?[]/.test(pattern) ? compileGlob(pattern) : undefined;
  if (glob === undefined || isGlobFault(glob)) return undefined;
  return [...new Set([...map].flatMap(([key, states]) => (glob(key) ? states : [])))];
}

/** With all that `names` made of it. */
function firstFunction(found: readonly BuiltState[]): readonly BuiltState[] {
  const [first] = found;
  return found.filter(({ state }) => state.module === first?.state.module && state.id === first.state.id);
}

function note(map: Map<string, BuiltState[]>, key: string, state: BuiltState): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [state]);
  else known.push(state);
}
