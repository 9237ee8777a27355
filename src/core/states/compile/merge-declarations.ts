/**
 * This phase of the compiler merges the declarations of all files into one set. The same function under the same id in
 * a second file adds to the first: requisites add up, every other argument of the later file counts. Then `extend` adds
 * to what is there, the same way, and `exclude` takes away. Of two files that extend the same the included one has the
 * last word, as in Salt.
 */

import { didYouMean } from '../../suggest.ts';
import { compileGlob, isGlobFault } from '../../target/glob.ts';
import type { YamlNode, YamlScalar } from '../../yaml/yaml-node.ts';
import { type Declaration, type FunctionBody, functionsOf, isOf, readDeclarations } from './declaration.ts';
import type { LoadedFiles } from './load-state-files.ts';
import type { ProblemList } from './problem-list.ts';
import { isNull, nodeKind, type StateFile } from './state-file.ts';
import { canonicalRef } from './state-refs.ts';
import type { Unread } from './unread.ts';
import { isNamed } from './use-arguments.ts';
import { mergeArguments } from './written-arguments.ts';

export function mergeFiles(
  { files, found }: LoadedFiles,
  problems: ProblemList,
  unread: Unread,
): readonly Declaration[] {
  const set = new DeclarationSet(problems);
  for (const file of files)
    for (const declaration of readDeclarations(file, problems, unread)) set.add(declaration);
  for (const file of found) extendFrom(file, set, problems, unread);
  for (const file of files) excludeFrom(file, files, set, problems);
  return set.all;
}

class DeclarationSet {
  private readonly problems: ProblemList;
  /** By id, then by function; both in the order they came. */
  private readonly byId = new Map<string, Map<string, Declaration>>();

  constructor(problems: ProblemList) {
    this.problems = problems;
  }

  get all(): readonly Declaration[] {
    return [...this.byId.values()].flatMap((functions) => [...functions.values()]);
  }

  get ids(): Iterable<string> {
    return this.byId.keys();
  }

  add(declaration: Declaration): void {
    const functions = this.byId.get(declaration.id) ?? new Map<string, Declaration>();
    this.byId.set(declaration.id, functions);
    const before = functions.get(declaration.module);
    if (before === undefined) {
      functions.set(declaration.module, declaration);
      return;
    }
    this.problems.warn(
      declaration.file.placeOf(declaration.node),
      `${declaration.id} (${declaration.module}) is also declared in ${before.file.path}: the two are merged, and the parameters given here count`,
      'if they are meant to be two states, give one of them another id',
    );
    this.extend(before, declaration);
  }

  extend(declaration: Declaration, more: FunctionBody): void {
    const args = mergeArguments(declaration.args, more.args);
    this.byId.get(declaration.id)?.set(declaration.module, { ...declaration, args });
  }

  functionsOf(id: string): readonly Declaration[] {
    return [...(this.byId.get(id)?.values() ?? [])];
  }

  /** With that id; or else, where it is one id, with that name. */
  meant(idOrName: string): readonly Declaration[] {
    const byId = this.functionsOf(idOrName);
    if (byId.length > 0) return byId;
    const named = this.all.filter((declaration) => isNamed(declaration, idOrName));
    return new Set(named.map(({ id }) => id)).size === 1 ? named : [];
  }

  removeId(id: string): boolean {
    return this.byId.delete(id);
  }

  removeFile(sls: string): void {
    for (const [id, functions] of this.byId) {
      for (const { module, file } of [...functions.values()]) if (file.sls === sls) functions.delete(module);
      if (functions.size === 0) this.byId.delete(id);
    }
  }
}

function extendFrom(file: StateFile, set: DeclarationSet, problems: ProblemList, unread: Unread): void {
  const node = file.directive('extend');
  if (node === undefined || isNull(node)) return;
  if (node.kind !== 'mapping') {
    problems.error(file.placeOf(node), `extend takes a mapping of ids, not ${nodeKind(node)}`);
    return;
  }
  for (const { key, value } of node.entries) {
    const known = set.meant(key.source);
    if (known.length > 0) extendId(key, value, known, file, set, problems);
    else if (!unread.mayHold(key.source))
      problems.error(file.placeOf(key), `extend: there is no state with the id ${key.source}`, () =>
        didYouMean(key.source, set.ids, 'include the file that declares it'),
      );
  }
}

function extendId(
  key: YamlScalar,
  value: YamlNode,
  known: readonly Declaration[],
  file: StateFile,
  set: DeclarationSet,
  problems: ProblemList,
): void {
  for (const body of functionsOf(key.source, key, value, file, problems)) {
    const meant = known.filter(({ module }) => isOf(body.module, module));
    const [only, other] = meant;
    const place = file.placeOf(body.node);
    if (only === undefined) {
      const has = known.map(({ module }) => module).join(', ');
      problems.error(place, `extend: ${key.source} has no ${body.module}`, `it has ${has}`);
    } else if (other !== undefined) {
      const both = meant.map(({ module }) => module).join(' and ');
      problems.error(
        place,
        `extend: ${body.module} of ${key.source} can be ${both}`,
        'write the function too',
      );
    } else set.extend(set.functionsOf(only.id).find((one) => one.module === only.module) ?? only, body);
  }
}

const EXCLUDE_FORMS = 'write `- sls: web.config` or `- id: nginx`';

function excludeFrom(
  file: StateFile,
  files: readonly StateFile[],
  set: DeclarationSet,
  problems: ProblemList,
): void {
  const node = file.directive('exclude');
  if (node === undefined || isNull(node)) return;
  if (node.kind !== 'sequence') {
    problems.error(file.placeOf(node), `exclude takes a list, not ${nodeKind(node)}`, EXCLUDE_FORMS);
    return;
  }
  for (const item of node.items) {
    const { what, name } = excluded(item);
    const place = file.placeOf(item);
    if (what === 'sls') {
      const sls = canonicalRef(name);
      const known = files.map((one) => one.sls);
      const glob = compileGlob(sls);
      const meant = known.filter((each) => each === sls || (!isGlobFault(glob) && glob(each)));
      for (const each of meant) set.removeFile(each);
      if (meant.length === 0)
        problems.warn(place, `exclude: ${name} is not part of this run`, () => didYouMean(name, known));
    } else if (what === 'id') {
      if (!set.removeId(name))
        problems.warn(place, `exclude: there is no state with the id ${name}`, () =>
          didYouMean(name, set.ids),
        );
    } else problems.error(place, `exclude does not take ${nodeKind(item)}`, EXCLUDE_FORMS);
  }
}

/** A bare name is a file, as in Salt. */
function excluded(item: YamlNode): { readonly what: 'sls' | 'id' | undefined; readonly name: string } {
  if (item.kind === 'scalar' && !isNull(item)) return { what: 'sls', name: item.source };
  const [entry, second] = item.kind === 'mapping' ? item.entries : [];
  const what = entry?.key.source;
  if (entry?.value.kind === 'scalar' && second === undefined && (what === 'sls' || what === 'id'))
    return { what, name: entry.value.source };
  return { what: undefined, name: '' };
}
