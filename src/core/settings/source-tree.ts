/**
 * A source tree of settings is one as people write it: its secrets stand in it, marked `!encrypted`. These functions resolve it
 * without masters, for a machine that has none and for whoever writes it, in the same way as it would be published: the values
 * are taken out first, so that templates see placeholders, and put in after the merge. All peels get all secrets: here is
 * only one. Pure but for what templates ask of the machine.
 */
import { isZesterError } from '../errors/zester-error.ts';
import { printPlace, type StateProblem } from '../states/state-problem.ts';
import type { StateTree } from '../states/state-tree.ts';
import { type ExtractedSecret, extractSettings } from './extract-settings.ts';
import { SECRET_TAG } from './find-secrets.ts';
import {
  type CompiledSettings,
  compileSettings,
  finishSettings,
  type SettingsInput,
} from './resolve-settings.ts';
import type { ResolvedSettings } from './resolved-settings.ts';
import type { SettingsText } from './settings-top.ts';

export type SourceTreeInput = Omit<SettingsInput, 'secrets'> & {
  /** Hears of every secret of the tree before anything is rendered. */
  readonly learn?: (path: string, value: string) => void;
};

export interface CompiledSource extends CompiledSettings {
  /** Every one of the tree, also of files that are not for this machine. */
  readonly secrets: readonly ExtractedSecret[];
}

/** Throws SETTINGS_INVALID with all that is wrong. */
export async function resolveSourceTree(input: SourceTreeInput): Promise<ResolvedSettings> {
  const compiled = await compileSourceTree(input);
  const secrets = new Map(compiled.secrets.map(({ path, value }) => [path, value]));
  const problems = [...compiled.problems, ...compiled.secrets.filter(isSealed).map(sealedProblem)];
  return finishSettings({ ...compiled, problems }, { peelId: input.peelId, secrets });
}

/** The same with problems as data, and without the values of secrets. One that is sealed is as good as any other. */
export async function compileSourceTree(input: SourceTreeInput): Promise<CompiledSource> {
  const texts = await readTexts(input.tree);
  const { files, secrets, problems } = extractSettings(texts, {
    openAtRest: (sealed) => sealed,
    // A machine without masters asks nobody but itself.
    isTrustedFact: () => true,
  });
  for (const { path, value } of secrets) input.learn?.(path, value);
  const compiled = await compileSettings({ ...input, tree: withTexts(input.tree, files, problems) });
  return { ...compiled, secrets, problems: eachOnce([...problems, ...compiled.problems]) };
}

/** What masters refuse to publish though a machine without masters can use it: secrets that hang on what a peel says of itself. */
export async function publishRefusals(tree: StateTree): Promise<readonly StateProblem[]> {
  const texts = await readTexts(tree);
  const problemsWith = (isTrustedFact: () => boolean) =>
    extractSettings(texts, { openAtRest: (sealed) => sealed, isTrustedFact }).problems;
  const known = new Set(problemsWith(() => true).map(textOf));
  return problemsWith(() => false).filter((problem) => !known.has(textOf(problem)));
}

function isSealed({ sealedAtRest }: ExtractedSecret): boolean {
  return sealedAtRest;
}

function sealedProblem({ at }: ExtractedSecret): StateProblem {
  return {
    message: 'this value is sealed, and only masters can open it',
    at,
    chain: [],
    hint: 'let masters publish the tree; without masters write the value itself',
    severity: 'error',
  };
}

/** What cannot be read is told where it is asked for. */
async function readTexts(tree: StateTree): Promise<readonly SettingsText[]> {
  const texts: SettingsText[] = [];
  for (const path of await tree.list()) {
    try {
      const text = await tree.readText(path);
      if (text !== undefined) texts.push({ path, text });
    } catch (error) {
      if (!isZesterError(error)) throw error;
    }
  }
  return texts;
}

/** A file whose secrets cannot be told is empty: what is said of it further on could quote one. */
function withTexts(
  tree: StateTree,
  files: readonly SettingsText[],
  problems: readonly StateProblem[],
): StateTree {
  const broken = new Set(problems.map(({ at }) => at.file));
  const isUnsafe = ({ path, text }: SettingsText) => broken.has(path) && text.includes(SECRET_TAG);
  const texts = new Map(files.map((file) => [file.path, isUnsafe(file) ? '' : file.text]));
  return { ...tree, readText: async (path) => texts.get(path) ?? tree.readText(path) };
}

/** Both look at the top file. */
function eachOnce(problems: readonly StateProblem[]): readonly StateProblem[] {
  return [...new Map(problems.map((problem) => [textOf(problem), problem])).values()];
}

function textOf({ at, message }: StateProblem): string {
  return `${printPlace(at)}: ${message}`;
}
