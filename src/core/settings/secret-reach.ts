/**
 * `secretReach` tells which peels get which files with secrets: those that a line of the top file names by their ids or by what
 * operators say of them (`T@`), and that get the file by this line or by an include of a file that they get. Masters ask it before they seal a secret; a peel
 * that makes its settings later can only miss a secret then, never have one too many.
 *
 * Facts are a peel's own word, so they decide about no secret: a line that looks at facts and leads to a secret is a
 * problem, at its place (decision 21). Includes are counted as far as they can be read without rendering; one that a
 * template makes leads to no secret.
 *
 * What else is wrong with the top file is told as well: a file that it names and nobody has would leave every peel without
 * settings. Pure.
 */
import type { PeelId } from '../../wire/names/ids.ts';
import { isZesterError } from '../errors/zester-error.ts';
import { ProblemList } from '../states/compile/problem-list.ts';
import { StateFile } from '../states/compile/state-file.ts';
import { refOfPath } from '../states/compile/state-refs.ts';
import type { TopLine } from '../states/top/top-lines.ts';
import { parsePattern } from '../states/top/top-pattern.ts';
import { factMatchers } from '../target/hidden-facts.ts';
import { targetMatcher } from '../target/match-target.ts';
import type { OperatorWords } from '../target/operator-words.ts';
import type { Target } from '../target/target.ts';
import { loadMarkedYaml } from '../yaml/load-yaml.ts';
import { SECRET_TAG } from './find-secrets.ts';
import { includesOf } from './settings-includes.ts';
import { SETTINGS_TOP_PATHS, type SettingsPaths, settingsPaths } from './settings-paths.ts';
import { readSettingsTop, type SettingsText } from './settings-top.ts';

export interface ReachInput {
  readonly files: readonly SettingsText[];
  /** Paths of the files that have secrets. */
  readonly withSecrets: ReadonlySet<string>;
  /** Where a machine asks nobody but itself its own word is good enough; masters trust none (`T@` is for what operators say). */
  readonly isTrustedFact: (path: string) => boolean;
}

/** The files with secrets that a peel gets. */
export type SecretReach = (peel: PeelId, words: OperatorWords) => ReadonlySet<string>;

export function secretReach(input: ReachInput, problems: ProblemList): SecretReach {
  const paths = settingsPaths(input.files.map(({ path }) => path));
  if (paths.files.length === 0 || input.files.some(isTopWithSecret)) return () => new Set();
  const lines = readSettingsTop(input.files, 'the settings', problems);
  const mayBeMissing = new Set(
    lines.filter(({ ignoresMissing }) => ignoresMissing).flatMap(({ refs }) => refs.map(({ ref }) => ref)),
  );
  const includes = new Includes(input.files, paths);
  const given = lines.flatMap((line) => {
    const target = targetOf(line, problems);
    const files = includes.closure(filesOf(line, paths, mayBeMissing, problems));
    const secrets = [...files].filter((path) => input.withSecrets.has(path));
    if (target === undefined || secrets.length === 0) return [];
    refuseFacts(line, target, secrets, input, problems);
    return [{ isMeant: targetMatcher(target), secrets }];
  });
  return (peel, words) =>
    new Set(given.filter(({ isMeant }) => isMeant(peel, {}, words)).flatMap(({ secrets }) => secrets));
}

/** It was refused for that already, and what is said of it must not quote it. */
function isTopWithSecret({ path, text }: SettingsText): boolean {
  return (SETTINGS_TOP_PATHS as readonly string[]).includes(path) && text.includes(SECRET_TAG);
}

function targetOf({ pattern, type, at }: TopLine, problems: ProblemList): Target | undefined {
  try {
    return parsePattern(pattern, type);
  } catch (error) {
    if (!isZesterError(error)) throw error;
    problems.error({ at, chain: [] }, error.message, error.hint);
    return undefined;
  }
}

function filesOf(
  { refs }: TopLine,
  paths: SettingsPaths,
  mayBeMissing: ReadonlySet<string>,
  problems: ProblemList,
): readonly string[] {
  return refs.flatMap(({ ref, at }) =>
    paths.named(ref).flatMap((name) => {
      const found = paths.find(name);
      if ('path' in found) return [found.path];
      if (!(found.isMissing && mayBeMissing.has(ref)))
        problems.error({ at, chain: [] }, found.problem, found.hint);
      return [];
    }),
  );
}

function refuseFacts(
  { pattern, at }: TopLine,
  { root }: Target,
  secrets: readonly string[],
  { isTrustedFact }: ReachInput,
  problems: ProblemList,
): void {
  if (factMatchers(root).every(({ path }) => isTrustedFact(path))) return;
  problems.error(
    { at, chain: [] },
    `${pattern} looks at facts, and leads to secrets in ${secrets.join(', ')}: a peel says its facts itself, and could ask for them`,
    'name the peels by their ids, or by a tag that an operator sets (`zester peel tag web-01 role=web`): web*, L@web-01,web-02, T@role:web',
  );
}

/** What files include, as far as it can be read before they are rendered. */
class Includes {
  private readonly texts: ReadonlyMap<string, string>;
  private readonly paths: SettingsPaths;
  private readonly known = new Map<string, readonly string[]>();

  constructor(files: readonly SettingsText[], paths: SettingsPaths) {
    this.texts = new Map(files.map(({ path, text }) => [path, text]));
    this.paths = paths;
  }

  /** These files with all that they include, and so on. */
  closure(files: readonly string[]): ReadonlySet<string> {
    const all = new Set(files);
    // A set that grows is walked to its new end.
    for (const path of all) for (const included of this.of(path)) all.add(included);
    return all;
  }

  private of(path: string): readonly string[] {
    const known = this.known.get(path) ?? this.read(path);
    this.known.set(path, known);
    return known;
  }

  private read(path: string): readonly string[] {
    const file = this.parsed(path);
    if (file === undefined) return [];
    // What cannot be read here is told by the peels, who render it first.
    const refs = includesOf(file, new ProblemList()).flatMap(({ ref }) => this.paths.named(ref));
    return refs.map((ref) => this.paths.find(ref)).flatMap((found) => ('path' in found ? [found.path] : []));
  }

  private parsed(path: string): StateFile | undefined {
    const text = this.texts.get(path) ?? '';
    // Most files include nothing, and to read all of a large tree takes its time.
    if (!text.includes('include')) return undefined;
    try {
      const { root } = loadMarkedYaml(text, { name: path, mark: SECRET_TAG });
      if (root?.kind !== 'mapping') return undefined;
      const place = (line: number, column: number) => ({ file: path, line, column });
      return new StateFile({ path, sls: refOfPath(path) ?? '', chain: [], includers: [], place, root });
    } catch (error) {
      if (!isZesterError(error)) throw error;
      return undefined;
    }
  }
}
