/**
 * `loadSettings` reads the files that the top file gives to a peel, with what they include, and merges them, as Salt's
 * pillar compiler does (recorded): a file lies on top of what it includes, and the files of the top file lie on one another
 * in its order. A file that is included again is not rendered again; what it says itself is merged once more.
 *
 * What Salt does not have: each template sees the merge of everything before it (`settings`, `pillar`). For an included file
 * that is what its includer saw, and the includes before it.
 *
 * It goes on after a mistake as far as it can, so that a person sees all of them at once.
 */
import { dataIdentity } from '../data/data-identity.ts';
import { type DataMap, type DataValue, dataMapOf } from '../data/data-value.ts';
import { isZesterError } from '../errors/zester-error.ts';
import { TemplateError } from '../jinja/errors.ts';
import type { RenderStateFile } from '../states/compile/compile-input.ts';
import type { ProblemList, SourcePlace } from '../states/compile/problem-list.ts';
import { type FileForm, readStateFile, verbatim } from '../states/compile/read-state-file.ts';
import type { StateFile } from '../states/compile/state-file.ts';
import { refOfPath } from '../states/compile/state-refs.ts';
import type { StateTree } from '../states/state-tree.ts';
import type { RenderSettingsFile } from '../states/template/state-templates.ts';
import { SECRET_TAG } from './find-secrets.ts';
import { depthOf, type MergeRule, mergeByRule } from './merge-rule.ts';
import { MergedSoFar } from './merged-so-far.ts';
import {
  fileMerge,
  mergeBelow,
  mergeParts,
  NOTHING_MERGED,
  type SettingsLayer,
  type SettingsMerge,
} from './resolved-settings.ts';
import { includesOf, type SettingsInclude } from './settings-includes.ts';
import { type SettingsOrigin, settingsLayer } from './settings-layer.ts';
import { SETTINGS_FILES_MAX, SETTINGS_INCLUDE_DEPTH_MAX, SETTINGS_INCLUDES_MAX } from './settings-limits.ts';
import type { SettingsPaths } from './settings-paths.ts';
import type { TopRefs } from './settings-top.ts';

export interface LoadSettingsInput {
  readonly tree: StateTree;
  readonly paths: SettingsPaths;
  readonly render: RenderSettingsFile;
  readonly rule: MergeRule;
}

export async function loadSettings(
  { refs, mayBeMissing }: Pick<TopRefs, 'refs' | 'mayBeMissing'>,
  input: LoadSettingsInput,
  problems: ProblemList,
): Promise<SettingsMerge> {
  const loader = new SettingsLoader(input, mayBeMissing, problems);
  const parts: SettingsMerge[] = [];
  const before = new MergedSoFar(depthOf(input.rule));
  for (const { ref, at, pattern } of refs)
    for (const name of input.paths.named(ref)) {
      const asked = { ref: name, place: { at, chain: [] }, origin: { broughtBy: at, chain: [], pattern } };
      const part = await loader.top(asked, before.data);
      parts.push(part);
      before.add(part.data);
    }
  return { kind: 'merge', data: before.data, parts };
}

const SETTINGS_FORM: FileForm = {
  name: 'a settings file',
  tree: 'the tree of settings',
  content: 'a mapping of names to values',
  beginning: 'begin with a name, such as `port: 80`',
  refusedTag: {
    tag: SECRET_TAG,
    message: `a template writes ${SECRET_TAG} here, and then it is too late to seal the value`,
    hint: 'write the value with its tag into a file that is YAML before it is rendered, and use its name here',
  },
};

interface AskedSettings {
  readonly ref: string;
  /** Where it is asked for. */
  readonly place: SourcePlace;
  readonly origin: SettingsOrigin;
}

type TemplateVariables = Readonly<Record<string, DataValue>>;

/** A file that was rendered, and the variables that it was given. */
interface Rendered {
  readonly layer: SettingsLayer;
  readonly variables: string;
}

class SettingsLoader {
  private readonly input: LoadSettingsInput;
  private readonly mayBeMissing: ReadonlySet<string>;
  private readonly problems: ProblemList;
  /** By path. Undefined: being read, or it could not be. */
  private readonly seen = new Map<string, Rendered | undefined>();
  private filesCount = 0;
  private includesCount = 0;
  /** Something before could not be read: what later files miss may be in it. */
  private isIncomplete = false;

  constructor(input: LoadSettingsInput, mayBeMissing: ReadonlySet<string>, problems: ProblemList) {
    this.input = input;
    this.mayBeMissing = mayBeMissing;
    this.problems = problems;
  }

  /** A file of the top file is rendered at its place, even where another one included it before. */
  async top(asked: AskedSettings, before: DataMap): Promise<SettingsMerge> {
    const path = this.find(asked);
    const wasBroken = path !== undefined && this.seen.has(path) && this.seen.get(path) === undefined;
    return path === undefined || wasBroken ? NOTHING_MERGED : this.read(path, asked, before, {}, []);
  }

  private async read(
    path: string,
    asked: AskedSettings,
    before: DataMap,
    variables: TemplateVariables,
    open: readonly string[],
  ): Promise<SettingsMerge> {
    if (!this.hasRoom(open.length, asked.place)) return NOTHING_MERGED;
    this.seen.set(path, undefined);
    const errorsBefore = this.problems.errorCount;
    const file = await this.readFile(path, asked, before, variables, open);
    const layer = file === undefined ? undefined : settingsLayer(file, asked.origin, this.problems);
    if (file === undefined || layer === undefined) {
      this.isIncomplete = true;
      return NOTHING_MERGED;
    }
    this.seen.set(path, { layer, variables: variablesText(variables) });
    const includes = includesOf(file, this.problems);
    if (this.problems.errorCount > errorsBefore) this.isIncomplete = true;
    const included = await this.includeAll(includes, { file, origin: asked.origin, before, variables, open });
    return mergeParts([...included, fileMerge(layer)], this.input.rule);
  }

  private async includeAll(
    includes: readonly SettingsInclude[],
    from: Including,
  ): Promise<readonly SettingsMerge[]> {
    const parts: SettingsMerge[] = [];
    let before = from.before;
    for (const include of includes)
      for (const ref of this.input.paths.named(include.ref)) {
        const part = mergeBelow(
          include.keys,
          include.place.at,
          await this.include({ ...include, ref }, { ...from, before }),
        );
        parts.push(part);
        before = mergeByRule(before, part.data, this.input.rule);
      }
    // What says nothing would change nothing; so it is not kept.
    return parts.filter((part) => part !== NOTHING_MERGED);
  }

  private async include(include: SettingsInclude, from: Including): Promise<SettingsMerge> {
    const { ref, place } = include;
    const { broughtBy, chain, pattern } = from.origin;
    const origin = { broughtBy: place.at, chain: [broughtBy, ...chain], pattern };
    const asked = { ref, place, origin };
    if (++this.includesCount > SETTINGS_INCLUDES_MAX) {
      if (this.includesCount === SETTINGS_INCLUDES_MAX + 1)
        this.problems.error(place, `this would be more than ${SETTINGS_INCLUDES_MAX} includes`);
      return NOTHING_MERGED;
    }
    const path = this.find(asked);
    if (path === undefined) return NOTHING_MERGED;
    const variables = include.defaults ?? from.variables;
    if (!this.seen.has(path))
      return this.read(path, asked, from.before, variables, [...from.open, from.file.sls]);
    const again = this.seen.get(path);
    if (again === undefined) return NOTHING_MERGED;
    if (include.defaults !== undefined && again.variables !== variablesText(variables))
      this.problems.warn(
        place,
        `${ref} was rendered before with other defaults, and these do not count: a file is rendered once, as in Salt`,
        'put what both have in common into a template, and import it from two files',
      );
    return fileMerge({ ...again.layer, ...origin });
  }

  private async readFile(
    path: string,
    { ref, place, origin }: AskedSettings,
    before: DataMap,
    variables: TemplateVariables,
    open: readonly string[],
  ): Promise<StateFile | undefined> {
    const text = await this.textAt(path, place);
    if (text === undefined) return undefined;
    const chain = open.length === 0 ? [] : [origin.broughtBy, ...origin.chain.slice(0, -1)];
    const sls = refOfPath(path) ?? ref;
    let isFollowUp = false;
    const render: RenderStateFile = async () => {
      try {
        return await this.input.render({ path, text, sls }, before, variables);
      } catch (error) {
        if (!this.isIncomplete || !isMissingName(error)) throw error;
        isFollowUp = true;
        return verbatim({ path, text: '' });
      }
    };
    const file = await readStateFile(
      { path, text, sls, chain, includers: open },
      render,
      this.problems,
      SETTINGS_FORM,
    );
    return isFollowUp ? undefined : file;
  }

  private async textAt(path: string, wanted: SourcePlace): Promise<string | undefined> {
    try {
      const text = await this.input.tree.readText(path);
      if (text === undefined) this.problems.error(wanted, `${path} is gone`, 'try again');
      return text;
    } catch (error) {
      if (!isZesterError(error)) throw error;
      this.problems.error(wanted, error.message, error.hint);
      return undefined;
    }
  }

  private find({ ref, place }: AskedSettings): string | undefined {
    const found = this.input.paths.find(ref);
    if ('path' in found) return found.path;
    if (found.isMissing && this.mayBeMissing.has(ref)) return undefined;
    this.isIncomplete = true;
    this.problems.error(place, found.problem, found.hint);
    return undefined;
  }

  private hasRoom(depth: number, wanted: SourcePlace): boolean {
    if (depth > SETTINGS_INCLUDE_DEPTH_MAX)
      this.problems.error(wanted, `includes are nested more than ${SETTINGS_INCLUDE_DEPTH_MAX} deep`);
    else if (++this.filesCount > SETTINGS_FILES_MAX)
      this.problems.error(wanted, `this would be more than ${SETTINGS_FILES_MAX} settings files`);
    return depth <= SETTINGS_INCLUDE_DEPTH_MAX && this.filesCount <= SETTINGS_FILES_MAX;
  }
}

/** The file that includes, and what its template was given. */
interface Including {
  readonly file: StateFile;
  readonly origin: SettingsOrigin;
  readonly before: DataMap;
  readonly variables: TemplateVariables;
  readonly open: readonly string[];
}

function isMissingName(error: unknown): boolean {
  return error instanceof TemplateError && error.type === 'UndefinedError';
}

function variablesText(variables: TemplateVariables): string {
  return dataIdentity(dataMapOf(Object.entries(variables)));
}
