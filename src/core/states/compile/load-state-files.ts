/**
 * This phase of the compiler finds and reads the files of a run, as Salt does: depth first, each file once, and a file
 * after what it includes. Files may include each other: whichever is asked for first comes last.
 */
import { isZesterError } from '../../errors/zester-error.ts';
import { nearestWord } from '../../suggest.ts';
import type { YamlNode } from '../../yaml/yaml-node.ts';
import type { AskedRef, CompileInput } from './compile-input.ts';
import { INCLUDE_DEPTH_MAX, STATE_FILES_MAX } from './compile-limits.ts';
import type { ProblemList, SourcePlace } from './problem-list.ts';
import { readStateFile } from './read-state-file.ts';
import { isNull, nodeKind, type StateFile } from './state-file.ts';
import { absoluteRef, pathsOfRef, refMeantByPath, refOfPath } from './state-refs.ts';

export async function loadStateFiles(
  asked: readonly AskedRef[],
  input: Pick<CompileInput, 'tree' | 'render'>,
  problems: ProblemList,
): Promise<LoadedFiles> {
  const loader = new StateFileLoader(input, problems);
  for (const { ref, at } of asked) await loader.visit(ref, { at, chain: [] }, []);
  return loader;
}

export interface LoadedFiles {
  /** Each after the files that it includes: the order in which their states are declared. */
  readonly files: readonly StateFile[];
  /** Each before the files that it includes: the order in which their `extend` counts. */
  readonly found: readonly StateFile[];
}

class StateFileLoader {
  readonly files: StateFile[] = [];
  readonly found: StateFile[] = [];
  private readonly input: Pick<CompileInput, 'tree' | 'render'>;
  private readonly problems: ProblemList;
  /** Paths that were read, with or without success. */
  private readonly seen = new Set<string>();

  constructor(input: Pick<CompileInput, 'tree' | 'render'>, problems: ProblemList) {
    this.input = input;
    this.problems = problems;
  }

  /** `open`: the files that are including at the moment, by their names, the outermost first. */
  async visit(ref: string, wanted: SourcePlace, open: readonly string[]): Promise<void> {
    const found = await this.find(ref, wanted);
    if (found === undefined) return;
    const { path, text } = found;
    if (this.seen.has(path) || !this.hasRoom(open.length, wanted)) return;
    this.seen.add(path);
    const chain = open.length === 0 ? [] : [wanted.at, ...wanted.chain];
    const sls = refOfPath(path) ?? ref;
    const toRead = { path, text, sls, chain, includers: open };
    const file = await readStateFile(toRead, this.input.render, this.problems);
    if (file === undefined) return;
    this.found.push(file);
    for (const include of this.includes(file)) await this.visit(include.ref, include.place, [...open, sls]);
    this.files.push(file);
  }

  private hasRoom(depth: number, wanted: SourcePlace): boolean {
    if (depth > INCLUDE_DEPTH_MAX)
      this.problems.error(wanted, `includes are nested more than ${INCLUDE_DEPTH_MAX} deep`);
    else if (this.seen.size === STATE_FILES_MAX)
      this.problems.error(wanted, `this would be more than ${STATE_FILES_MAX} state files in one run`);
    return depth <= INCLUDE_DEPTH_MAX && this.seen.size < STATE_FILES_MAX;
  }

  private async find(ref: string, wanted: SourcePlace): Promise<{ path: string; text: string } | undefined> {
    const paths = pathsOfRef(ref);
    if (paths === undefined) {
      const meant = refMeantByPath(ref);
      const hint = meant === undefined ? 'write names with dots between them: web.config' : `write ${meant}`;
      this.problems.error(wanted, `"${ref}" cannot be the name of a state file`, hint);
      return undefined;
    }
    const found: { path: string; text: string }[] = [];
    for (const path of paths) {
      const text = await this.read(path, wanted);
      if (text !== undefined) found.push({ path, text });
    }
    if (found.length > 1) {
      const both = found.map(({ path }) => path).join(' and ');
      this.problems.error(wanted, `${ref} is both ${both}`, 'remove or rename all but one of them');
      return undefined;
    }
    if (found.length === 0) {
      const refs = await this.knownRefs();
      const near = nearestWord(ref, refs);
      const hint = near === undefined ? `looked for ${paths.join(', ')}` : `did you mean ${near}?`;
      this.problems.error(wanted, `there is no state file ${ref}`, hint);
    }
    return found[0];
  }

  private async read(path: string, wanted: SourcePlace): Promise<string | undefined> {
    try {
      return await this.input.tree.readText(path);
    } catch (error) {
      if (!isZesterError(error)) throw error;
      this.problems.error(wanted, error.message, error.hint);
      return undefined;
    }
  }

  private async knownRefs(): Promise<readonly string[]> {
    try {
      const paths = await this.input.tree.list();
      return paths.map(refOfPath).filter((ref) => ref !== undefined);
    } catch (error) {
      // Only a suggestion is lost.
      if (!isZesterError(error)) throw error;
      return [];
    }
  }

  private includes(file: StateFile): readonly { readonly ref: string; readonly place: SourcePlace }[] {
    const node = file.directive('include');
    if (node === undefined || isNull(node)) return [];
    if (node.kind !== 'sequence') {
      const hint = 'write each file on a line of its own: `- web.config`';
      this.problems.error(file.placeOf(node), `include takes a list of files, not ${nodeKind(node)}`, hint);
      return [];
    }
    return node.items.flatMap((item) => {
      const ref = this.includedRef(file, item);
      return ref === undefined ? [] : [{ ref, place: file.placeOf(item) }];
    });
  }

  private includedRef(file: StateFile, item: YamlNode): string | undefined {
    if (item.kind !== 'scalar' || isNull(item)) {
      this.problems.error(
        file.placeOf(item),
        `include takes names of files, not ${nodeKind(item)}`,
        'write `- web.config`',
      );
      return undefined;
    }
    const ref = absoluteRef(item.source, file);
    if (ref === undefined)
      this.problems.error(
        file.placeOf(item),
        `${item.source} leads out of the tree`,
        'use fewer dots at its beginning',
      );
    return ref;
  }
}
