/**
 * `extractSettings` parts a settings tree into what everybody may read and what only some may know: the files with
 * placeholders, which are published as they are, and the secrets with the peels that get them, which are sealed for each.
 * The publisher asks it before anything is stored, and with a problem it stores nothing (decision 21).
 *
 * A secret is named by its path in the settings. Where several files have a secret at the same path, each is named with its
 * file: otherwise the value of one file would stand in for another's. Pure; the same files always give the same answer, so
 * every master can make it again from the files in `master-settings`.
 */
import type { PeelId } from '../../wire/names/ids.ts';
import type { SourcePosition } from '../errors/zester-error.ts';
import { ProblemList } from '../states/compile/problem-list.ts';
import type { StateProblem } from '../states/state-problem.ts';
import type { OperatorWords } from '../target/operator-words.ts';
import { type FoundSecret, findSecrets, type OpenAtRest, withPlaceholders } from './find-secrets.ts';
import { secretPathIn } from './secret-path.ts';
import { secretReach } from './secret-reach.ts';
import type { SettingsText } from './settings-top.ts';

export interface ExtractedSecret {
  /** As in its placeholder. */
  readonly path: string;
  readonly value: string;
  readonly file: string;
  readonly at: SourcePosition;
  readonly sealedAtRest: boolean;
}

export interface SettingsExtraction {
  /** In the given order, with placeholders. */
  readonly files: readonly SettingsText[];
  readonly secrets: readonly ExtractedSecret[];
  /** With one nothing of the settings may be published. */
  readonly problems: readonly StateProblem[];
  /** What the top file gives to a peel: values by path, sorted. */
  secretsOf(peel: PeelId, words: OperatorWords): ReadonlyMap<string, string>;
}

export interface ExtractOptions {
  readonly openAtRest: OpenAtRest;
  readonly isTrustedFact: (path: string) => boolean;
}

export function extractSettings(
  files: readonly SettingsText[],
  { openAtRest, isTrustedFact }: ExtractOptions,
): SettingsExtraction {
  const problems = new ProblemList();
  const found = files.map((file) => ({ file, secrets: findSecrets(file, openAtRest, problems) }));
  const filesByPath = new Map<string, number>();
  for (const { secrets } of found)
    for (const path of new Set(secrets.map((secret) => secret.path)))
      filesByPath.set(path, (filesByPath.get(path) ?? 0) + 1);
  const nameOf = (file: SettingsText, { path }: FoundSecret) =>
    (filesByPath.get(path) ?? 0) > 1 ? secretPathIn(path, file.path) : path;
  const secrets = found
    .flatMap((each) => each.secrets.map((secret) => extracted(each.file, secret, nameOf(each.file, secret))))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const withSecrets = new Set(secrets.map(({ file }) => file));
  const reach = secretReach({ files, withSecrets, isTrustedFact }, problems);
  return {
    files: found.map(({ file, secrets: own }) => ({
      path: file.path,
      text: withPlaceholders(file.text, own, (secret) => nameOf(file, secret)),
    })),
    secrets,
    problems: problems.errors,
    secretsOf(peel, words) {
      const reached = reach(peel, words);
      if (reached.size === 0) return NO_SECRETS;
      return new Map(secrets.filter(({ file }) => reached.has(file)).map(({ path, value }) => [path, value]));
    },
  };
}

const NO_SECRETS: ReadonlyMap<string, string> = new Map();

function extracted({ path: file }: SettingsText, secret: FoundSecret, path: string): ExtractedSecret {
  const { value, at, sealedAtRest } = secret;
  return { path, value, file, at: { file, ...at }, sealedAtRest };
}
