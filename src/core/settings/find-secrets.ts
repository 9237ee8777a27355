/**
 * `findSecrets` finds the values of a settings file that are marked `!encrypted`, with their places to the character, and
 * `withPlaceholders` takes them out: each becomes a placeholder in double quotes, and everything else stays as it was, in
 * its line. The file is read as YAML before it is rendered (decision 21); one that has the mark and cannot be read so is
 * refused, because nobody could tell what in it is secret.
 *
 * What is refused, it is refused here, before anything is stored: nothing of the settings is published then. So no text of
 * the file may stand in a message: the line that cannot be read may be the one with the password. Pure.
 */
import { isZesterError } from '../errors/zester-error.ts';
import type { ProblemList } from '../states/compile/problem-list.ts';
import type { StateProblem } from '../states/state-problem.ts';
import { editDistance } from '../suggest.ts';
import { loadMarkedYaml, type MarkedYaml } from '../yaml/load-yaml.ts';
import type { MarkedNode, SourceRange } from '../yaml/marked-nodes.ts';
import type { YamlNode, YamlPosition } from '../yaml/yaml-node.ts';
import { looksSealedAtRest, SECRET_CHARS_MIN } from './sealed-at-rest.ts';
import { secretPathOf } from './secret-path.ts';
import { placeholderOf } from './secret-placeholders.ts';
import { isSettingsPath } from './settings-paths.ts';
import type { SettingsText } from './settings-top.ts';

export const SECRET_TAG = '!encrypted';
/** Files in which a tag can be meant. */
const YAML_PATH = /\.(?:zy|sls|ya?ml)$/;
const TAG_IN_TEXT = new RegExp(`(?<=^|[\\s:,[{<-])${SECRET_TAG}(?!\\w)`, 'm');
/** Letters that may be wrong in a tag that is meant to be ours. */
const MISTAKES_MAX = 3;
const TAG_HINT = `write it before one value: \`password: ${SECRET_TAG} "…"\``;

export interface FoundSecret {
  /** In its file. */
  readonly path: string;
  readonly value: string;
  readonly at: YamlPosition;
  readonly sealedAtRest: boolean;
  readonly tag: SourceRange;
  readonly range: SourceRange;
}

/** Opens a value that is sealed at rest; undefined when no key of ours does. */
export type OpenAtRest = (sealed: string) => string | undefined;

/** What is wrong goes to `problems`; what is told then is not to be used. */
export function findSecrets(
  { path, text }: SettingsText,
  openAtRest: OpenAtRest,
  problems: ProblemList,
): readonly FoundSecret[] {
  const refuse: Refuse = (at, message, hint) =>
    problems.error({ at: { file: path, ...at }, chain: [] }, message, hint);
  if (!text.includes(SECRET_TAG)) {
    const near = YAML_PATH.test(path) ? misspelledTag(text) : undefined;
    if (near !== undefined)
      refuse(near, `this looks like ${SECRET_TAG} with a mistake`, `write ${SECRET_TAG}, or another name`);
    return [];
  }
  if (!isSettingsPath(path)) {
    refuse(
      positionOf(text, text.indexOf(SECRET_TAG)),
      `${SECRET_TAG} has a meaning in settings files only, and every peel can read this file`,
      'move the value to a .zy file that the top file names',
    );
    return [];
  }
  const read = readMarked({ path, text }, refuse);
  if (read === undefined) return [];
  const keys = keysOfNodes(read);
  const secrets = read.marks.found.flatMap((mark) => judged(mark, { read, keys, openAtRest, refuse }));
  for (const { at } of doubles(secrets))
    refuse(at, 'two keys here look the same in the path of a secret', 'rename one of them');
  const stray = strayTag(text, read.marks.found);
  if (stray !== undefined)
    refuse(
      positionOf(text, stray),
      `${SECRET_TAG} stands here as text or in a comment, which is published as it is`,
      `take it out, and the value with it; ${TAG_HINT}`,
    );
  return secrets;
}

/** `pathOf`: the path in the settings that the secret gets in the end. */
export function withPlaceholders(
  text: string,
  secrets: readonly FoundSecret[],
  pathOf: (secret: FoundSecret) => string,
): string {
  let clean = '';
  let end = 0;
  for (const secret of secrets) {
    const { tag, range } = secret;
    const tagEnd = tag.to + blanksAt(text, tag.to);
    const lines = text.slice(range.from, range.to).match(/\r\n|[\r\n]/g) ?? [];
    clean += `${text.slice(end, tag.from)}${text.slice(tagEnd, range.from)}"${placeholderOf(pathOf(secret))}"`;
    // What comes next stays in its line: messages name it.
    clean += lines.join('');
    end = range.to;
  }
  return clean + text.slice(end);
}

/** A file of the tree of states, of whatever kind: every peel can read those, so that no secret may stand in one. */
export function refuseSecretsInStates(path: string, text: string): StateProblem | undefined {
  const offset = text.search(TAG_IN_TEXT);
  const near = offset < 0 && YAML_PATH.test(path) ? misspelledTag(text) : undefined;
  const at = offset < 0 ? near : positionOf(text, offset);
  if (at === undefined) return undefined;
  const what = near === undefined ? SECRET_TAG : `what looks like ${SECRET_TAG} with a mistake`;
  return {
    message: `${what} stands in a file of the states, which every peel can read`,
    at: { file: path, ...at },
    chain: [],
    hint: "put the value into a settings file and use it here: `{{ settings['name'] }}`",
    severity: 'error',
  };
}

type Refuse = (at: YamlPosition, message: string, hint: string) => void;

function readMarked({ path, text }: SettingsText, refuse: Refuse): MarkedYaml | undefined {
  try {
    const read = loadMarkedYaml(text, { name: path, mark: SECRET_TAG });
    if (read.root?.kind === 'mapping') return read;
    refuse(
      read.root?.at ?? { line: 1, column: 1 },
      'a settings file is a mapping of names to values',
      'begin with a name, such as `port: 80`',
    );
  } catch (error) {
    if (!isZesterError(error)) throw error;
    refuse(
      { line: error.at?.line ?? 1, column: error.at?.column ?? 1 },
      `a file with ${SECRET_TAG} must be YAML before it is rendered, and this one is not: ${error.message}`,
      'move the secret values to a file of their own, without template statements',
    );
  }
  return undefined;
}

interface Judging {
  readonly read: MarkedYaml;
  readonly keys: ReadonlyMap<YamlNode, readonly string[]>;
  readonly openAtRest: OpenAtRest;
  readonly refuse: Refuse;
}

function judged(
  { at, tag, on }: MarkedNode,
  { read, keys, openAtRest, refuse }: Judging,
): readonly FoundSecret[] {
  if (typeof on === 'string') {
    refuse(at, `${SECRET_TAG} stands before ${on}`, TAG_HINT);
    return [];
  }
  const { node, range } = on;
  if (read.marks.isKey(node)) {
    refuse(at, `${SECRET_TAG} stands before a key, or a key is an alias of a secret`, TAG_HINT);
    return [];
  }
  const sealedAtRest = looksSealedAtRest(node.source.trim());
  const value = sealedAtRest ? openAtRest(node.source.trim()) : node.source;
  if (value === undefined) {
    refuse(
      at,
      'this value was sealed to another fleet key, or changed since',
      'seal it again with `zester secret set`',
    );
    return [];
  }
  if (value.trim().length < SECRET_CHARS_MIN) {
    refuse(
      at,
      `a secret has at least ${SECRET_CHARS_MIN} characters: a shorter one could not be kept out of logs`,
      'use a longer value',
    );
    return [];
  }
  return [{ path: secretPathOf(keys.get(node) ?? []), value, at, sealedAtRest, tag, range }];
}

/** The keys that lead to each node where it is written; an alias is where its anchor is. */
function keysOfNodes({ root, marks }: MarkedYaml): ReadonlyMap<YamlNode, readonly string[]> {
  const found = new Map<YamlNode, readonly string[]>();
  const walk = (node: YamlNode, keys: readonly string[]): void => {
    if (found.has(node)) return;
    found.set(node, keys);
    if (node.kind === 'sequence')
      for (const [at, item] of node.items.entries()) walk(item, [...keys, `${at}`]);
    if (node.kind === 'mapping')
      for (const { key, value } of marks.writtenEntries(node)) walk(value, [...keys, key.source]);
  };
  if (root !== undefined) walk(root, []);
  return found;
}

/** Those whose path another one has had before: `1: …` and `"1": …` are two keys. */
function doubles(secrets: readonly FoundSecret[]): readonly FoundSecret[] {
  const seen = new Set<string>();
  return secrets.filter(({ path }) => {
    if (seen.has(path)) return true;
    seen.add(path);
    return false;
  });
}

/** Where the tag stands in the text and is none. What is in a value goes with it. */
function strayTag(text: string, marks: readonly MarkedNode[]): number | undefined {
  // In the order of the text, as are the places.
  const known = marks.flatMap(({ tag, on }) => (typeof on === 'string' ? [tag] : [tag, on.range]));
  let next = 0;
  for (const { index } of text.matchAll(new RegExp(SECRET_TAG, 'g'))) {
    while ((known[next]?.to ?? Number.POSITIVE_INFINITY) <= index) next++;
    if (index < (known[next]?.from ?? Number.POSITIVE_INFINITY)) return index;
  }
  return undefined;
}

/** A tag that nobody knows, and that is nearly ours: the value behind it would be published. */
function misspelledTag(text: string): YamlPosition | undefined {
  for (const match of text.matchAll(/(?<=^|[\s:,[{-])!+<?!?([A-Za-z%][\w%]*)/gm)) {
    const name = (match[1] ?? '').toLowerCase();
    const isNear = editDistance(name, SECRET_TAG.slice(1)) <= MISTAKES_MAX;
    if (isNear || name.includes('crypt') || name.includes('%')) return positionOf(text, match.index);
  }
  return undefined;
}

function blanksAt(text: string, offset: number): number {
  const blanks = /[ \t]+(?=\S)/y;
  blanks.lastIndex = offset;
  return blanks.exec(text)?.[0].length ?? 0;
}

function positionOf(text: string, offset: number): YamlPosition {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
