/**
 * `setSecret` puts a sealed value into the text of a settings file, at a path of keys, as a person with an editor would:
 * comments, order and everything else stay as they were. A value that is there is replaced where it stands; a new key goes
 * behind the last one of its mapping.
 *
 * What comes out is read again and compared: everywhere but at the path it must mean the same. Where it would not (quotes
 * or brackets over lines that lean out to the left), nothing is changed and a person has to edit the file. No message has
 * a text of the file in it, which may be a secret. Pure.
 */
import { isZesterError, type SourcePosition } from '../errors/zester-error.ts';
import { loadMarkedYaml, type MarkedYaml } from '../yaml/load-yaml.ts';
import type { MarkedNodes } from '../yaml/marked-nodes.ts';
import { needsQuotes } from '../yaml/resolve-plain.ts';
import type { YamlMapping, YamlNode, YamlPosition, YamlScalar } from '../yaml/yaml-node.ts';
import { SECRET_TAG } from './find-secrets.ts';

export interface SecretToSet {
  readonly keys: readonly string[];
  /** As it is to stand in the file: `ENC[fleet,…]`. */
  readonly sealed: string;
  /** Only replace a secret that is there: a rotation. */
  readonly mustExist: boolean;
}

export interface SecretSet {
  readonly text: string;
  /** A value stood there that was no secret: others have read it. */
  readonly wasPlain: boolean;
}

export interface SecretRefusal {
  readonly message: string;
  readonly at: SourcePosition;
  readonly hint: string;
}

const STEP = '  ';
const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;
const BY_HAND = `edit the file yourself: the value goes behind the key, as \`${SECRET_TAG} "…"\``;
const IN_SETTINGS = 'use a file that is YAML before it is rendered';

/** `text` undefined: there is no such file yet. */
export function setSecret(
  file: { readonly path: string; readonly text: string | undefined },
  secret: SecretToSet,
): SecretSet | SecretRefusal {
  const text = file.text ?? '';
  const read = readYaml(file.path, text);
  if (!('marks' in read)) return read;
  const refuse = (message: string, hint: string, at?: YamlPosition): SecretRefusal => ({
    message,
    at: { file: file.path, ...at },
    hint,
  });
  const place = findPlace(read, secret.keys);
  if (place.is === 'blocked') return refuse(place.message, BY_HAND, place.at);
  if (secret.mustExist && !(place.is === 'value' && isMarked(read.marks, place.node)))
    return refuse(
      'there is no such secret',
      'look with `zester secret list`; make one with `zester secret set`',
    );
  for (const changed of candidates(text, read, place, secret)) {
    const after = readYaml(file.path, changed);
    if ('marks' in after && isSet(after, secret) && isSameBut(read, after, place.keys))
      return { text: changed, wasPlain: isPlainValue(read.marks, place) };
  }
  return refuse('this cannot be put into the file without changing something else in it', BY_HAND, place.at);
}

function isPlainValue(marks: MarkedNodes, place: Place): boolean {
  return place.is === 'value' && marks.rangeOf(place.node) !== undefined && !isMarked(marks, place.node);
}

function readYaml(path: string, text: string): MarkedYaml | SecretRefusal {
  try {
    const read = loadMarkedYaml(text, { name: path, mark: SECRET_TAG });
    const { root } = read;
    if (root === undefined || root.kind === 'mapping') return read;
    return {
      message: 'a settings file is a mapping of names to values',
      at: { file: path, ...root.at },
      hint: IN_SETTINGS,
    };
  } catch (error) {
    if (!isZesterError(error)) throw error;
    return { message: error.message, at: error.at ?? { file: path }, hint: IN_SETTINGS };
  }
}

/** Where the path leads in the file. `keys` is what leads to the node that is changed or made. */
type Place =
  | ({ readonly is: 'value'; readonly node: YamlScalar; readonly key: YamlScalar | undefined } & PlaceKeys)
  /** A mapping without the next of the keys; undefined for a file without content. */
  | ({ readonly is: 'mapping'; readonly node: YamlMapping | undefined } & PlaceKeys)
  /** A key with nothing behind it, and more keys to come. */
  | ({ readonly is: 'empty'; readonly key: YamlScalar } & PlaceKeys)
  | ({ readonly is: 'blocked'; readonly message: string } & PlaceKeys);

interface PlaceKeys {
  readonly keys: readonly string[];
  readonly at: YamlPosition | undefined;
}

function findPlace({ root, marks }: MarkedYaml, keys: readonly string[]): Place {
  let node: YamlNode | undefined = root;
  let lastKey: YamlScalar | undefined;
  for (const [depth, key] of keys.entries()) {
    const here: PlaceKeys = { keys: keys.slice(0, depth + 1), at: node?.at };
    if (node === undefined) return { is: 'mapping', node, ...here };
    if (node.kind === 'mapping') {
      const entry = marks.writtenEntries(node).find((each) => each.key.source === key);
      if (entry === undefined) return { is: 'mapping', node, ...here };
      lastKey = entry.key;
      node = entry.value;
    } else if (node.kind === 'sequence') {
      const item: YamlNode | undefined = /^\d+$/.test(key) ? node.items[Number(key)] : undefined;
      if (item === undefined) return { is: 'blocked', message: 'the list here has no such item', ...here };
      lastKey = undefined;
      node = item;
    } else if (lastKey !== undefined && marks.rangeOf(node) === undefined) {
      return { is: 'empty', key: lastKey, ...here, keys: keys.slice(0, depth) };
    } else return { is: 'blocked', message: 'here is a value, and no mapping', ...here };
  }
  const here: PlaceKeys = { keys, at: node?.at };
  if (node?.kind === 'scalar') return { is: 'value', node, key: lastKey, ...here };
  return { is: 'blocked', message: 'here is a list or a mapping, and no value', ...here };
}

/** The texts that may be right; the first one that means what it should is taken. */
function candidates(
  text: string,
  { marks }: MarkedYaml,
  place: Place,
  secret: SecretToSet,
): readonly string[] {
  const value = `"${secret.sealed}"`;
  const tagged = `${SECRET_TAG} ${value}`;
  if (place.is === 'blocked') return [];
  if (place.is === 'mapping')
    return withNewKey(text, marks, place.node, { keys: secret.keys.slice(place.keys.length - 1), tagged });
  const range = place.is === 'value' ? marks.rangeOf(place.node) : undefined;
  if (place.is === 'value' && range !== undefined) {
    const put = isMarked(marks, place.node) ? value : tagged;
    return [`${text.slice(0, range.from)}${put}${text.slice(range.to)}`];
  }
  const colon = place.key === undefined ? undefined : behindColon(text, marks, place.key);
  if (place.key === undefined || colon === undefined) return [];
  if (place.is === 'value') return [inserted(text, colon, ` ${tagged}`)];
  const lineEnd = colon + (/^[^\r\n]*/.exec(text.slice(colon))?.[0].length ?? 0);
  const lines = nested(
    { keys: secret.keys.slice(place.keys.length), tagged },
    indentOf(place.key) + STEP,
    text,
  );
  return [inserted(text, lineEnd, `${breakOf(text)}${lines}`)];
}

/** An entry that is not there yet: its keys from the outside in, and what stands behind the last. */
interface NewEntry {
  readonly keys: readonly string[];
  readonly tagged: string;
}

function withNewKey(
  text: string,
  marks: MarkedNodes,
  mapping: YamlMapping | undefined,
  entry: NewEntry,
): readonly string[] {
  if (mapping === undefined) return [addedLines(text, text.length, nested(entry, '', text))];
  const firstKey = marks.writtenEntries(mapping)[0]?.key;
  const from = firstKey === undefined ? undefined : marks.rangeOf(firstKey)?.from;
  if (firstKey === undefined || from === undefined) {
    const bracket = text.indexOf('{', offsetOf(text, mapping.at));
    return bracket < 0 ? [] : [inserted(text, bracket + 1, inBrackets(entry))];
  }
  const indent = indentOf(firstKey);
  const lines = nested(entry, indent, text);
  return [
    ...blockEnds(text, from, indent.length).map((end) => addedLines(text, end, lines)),
    // In brackets there is no line to go behind.
    inserted(text, from, `${inBrackets(entry)}, `),
  ];
}

/**
 * Where the lines end that are indented by `indent` or more, from the one that has `from` in it on: behind the last with
 * something on it, and behind what looks like comments after that, and may be lines of a text.
 */
function blockEnds(text: string, from: number, indent: number): readonly number[] {
  const start = Math.max(text.lastIndexOf('\n', from - 1), text.lastIndexOf('\r', from - 1)) + 1;
  let offset = start;
  let contentEnd = start;
  let end = start;
  for (const line of text.slice(start).split(/(?<=\n|\r(?!\n))/)) {
    const body = line.trim();
    const isComment = body.startsWith('#');
    const isDeep = offset === start || line.length - line.trimStart().length >= indent;
    const isEnd = /^(?:---|\.\.\.)(?:\s|$)/.test(line);
    if (isEnd || (!isDeep && body !== '' && !isComment)) break;
    offset += line.length;
    if (body !== '' && !isComment) contentEnd = offset;
    if (body !== '' && isDeep) end = offset;
  }
  return end === contentEnd ? [end] : [contentEnd, end];
}

function nested({ keys, tagged }: NewEntry, indent: string, text: string): string {
  return keys
    .map((key, depth) => {
      const isLast = depth === keys.length - 1;
      return `${indent}${STEP.repeat(depth)}${keyText(key)}:${isLast ? ` ${tagged}` : ''}`;
    })
    .join(breakOf(text));
}

function inBrackets({ keys, tagged }: NewEntry): string {
  const [key = '', ...inner] = keys;
  return `${keyText(key)}: ${inner.length === 0 ? tagged : `{${inBrackets({ keys: inner, tagged })}}`}`;
}

function keyText(key: string): string {
  return PLAIN_KEY.test(key) && !needsQuotes(key) ? key : JSON.stringify(key);
}

function addedLines(text: string, at: number, lines: string): string {
  const isLineStart = at === 0 || /[\n\r]/.test(text[at - 1] ?? '');
  return inserted(text, at, isLineStart ? `${lines}${breakOf(text)}` : `${breakOf(text)}${lines}`);
}

function inserted(text: string, at: number, added: string): string {
  return `${text.slice(0, at)}${added}${text.slice(at)}`;
}

/** As the file ends its lines. */
function breakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

function indentOf({ at }: YamlScalar): string {
  return ' '.repeat(at.column - 1);
}

/** Undefined where there is none, as in `{key}` and `? key`. */
function behindColon(text: string, marks: MarkedNodes, key: YamlScalar): number | undefined {
  const colon = /[ \t]*:/y;
  colon.lastIndex = marks.rangeOf(key)?.to ?? text.length;
  return colon.test(text) ? colon.lastIndex : undefined;
}

function offsetOf(text: string, { line, column }: YamlPosition): number {
  const lines = text.split(/(?<=\n|\r(?!\n))/);
  return lines.slice(0, line - 1).join('').length + column - 1;
}

/** The value stands there, marked. */
function isSet(read: MarkedYaml, { keys, sealed }: SecretToSet): boolean {
  const place = findPlace(read, keys);
  return place.is === 'value' && place.node.source === sealed && isMarked(read.marks, place.node);
}

function isMarked(marks: MarkedNodes, node: YamlNode): boolean {
  return marks.found.some(({ on }) => typeof on === 'object' && on.node === node);
}

/** Whether two files say the same, apart from what the keys lead to. */
function isSameBut(before: MarkedYaml, after: MarkedYaml, keys: readonly string[]): boolean {
  const [was, is] = [before, after].map((read) => outline(read, nodeAt(read, keys)));
  return was === is;
}

function nodeAt({ root, marks }: MarkedYaml, keys: readonly string[]): YamlNode | undefined {
  return keys.reduce<YamlNode | undefined>((node, key) => {
    if (node?.kind === 'sequence') return node.items[Number(key)];
    if (node?.kind !== 'mapping') return undefined;
    return marks.writtenEntries(node).find((entry) => entry.key.source === key)?.value;
  }, root);
}

/** What is written in a file as one text, without the node `left`; equal for files that say the same. */
function outline({ root, marks }: MarkedYaml, left: YamlNode | undefined): string {
  const said = (node: YamlNode): string => {
    if (node.kind === 'sequence')
      return `[${node.items.map((item) => (item === left ? '' : said(item))).join()}]`;
    if (node.kind === 'mapping')
      return `{${marks
        .writtenEntries(node)
        .filter(({ value }) => value !== left)
        .map(({ key, value }) => `${said(key)}:${said(value)}`)
        .join()}}`;
    const { value } = node;
    return JSON.stringify([value.type, value.type === 'null' ? '' : String(value.value)]);
  };
  // A file without content gets its first mapping.
  return root === undefined ? '{}' : said(root);
}
