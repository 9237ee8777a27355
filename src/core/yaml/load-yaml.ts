/**
 * `loadYaml` reads a YAML file as Salt users know it: PyYAML's types without sexagesimal numbers and timestamps, with
 * the place of every node. Twice the same key is an error, and so is what would read differently than it looks (a tab,
 * a second document). The grammar is the `yaml` package's; what a text means is decided here.
 *
 * Pure, and bounded: aliases cannot blow a small file up (limits below).
 */
import { type Document, isAlias, isMap, isScalar } from 'yaml';
import { zesterError } from '../errors/zester-error.ts';
import { flattenEntries, type OwnEntry } from './merge-entries.ts';
import { parseSource } from './parse-source.ts';
import { readPlainBlocks } from './plain-blocks.ts';
import { resolvePlain } from './resolve-plain.ts';
import { fitsCollection, resolveTagged } from './resolve-tag.ts';
import { directiveProblem, forbiddenCharacter } from './source-check.ts';
import type { ScalarValue, YamlDocument, YamlMapping, YamlNode, YamlPosition } from './yaml-node.ts';

/** Nodes of a document, each alias counted as what it stands for. */
const NODES_MAX = 1_000_000;

export interface LoadYamlOptions {
  /** For error messages: the file, or what the text is. */
  readonly name: string;
}

/** Throws YAML_INVALID with the place where it is wrong. */
export function loadYaml(text: string, options: LoadYamlOptions): YamlDocument {
  const root = readPlainBlocks(text);
  return root === undefined ? loadAnyYaml(text, options) : { name: options.name, root };
}

/** Reads with the package alone, without the fast path (plain-blocks.ts), which must agree with it. */
export function loadAnyYaml(text: string, { name }: LoadYamlOptions): YamlDocument {
  return new YamlReader(text, name).read();
}

type SourceNode = NonNullable<Document['contents']>;

class YamlReader {
  private readonly text: string;
  private readonly name: string;
  private readonly lines: LinePositions;
  private readonly anchors = new Map<string, YamlNode>();
  private readonly sizes = new Map<YamlNode, number>();
  /** Anchors whose node is being read: an alias to one of them would hold itself. */
  private readonly open = new Set<string>();

  constructor(text: string, name: string) {
    // A carriage return alone ends a line too; in its place a line feed keeps every offset.
    this.text = text.replace(/^\ufeff/, '').replace(/\r(?!\n)/g, '\n');
    this.name = name;
    this.lines = new LinePositions(this.text);
  }

  read(): YamlDocument {
    const bad = forbiddenCharacter(this.text) ?? directiveProblem(this.text);
    const documents = parseSource(this.text);
    const error = documents[0]?.errors[0];
    // What stands first in the file is told first: a tab often causes the errors after it.
    if (bad !== undefined && (error === undefined || bad.offset <= error.pos[0]))
      throw this.invalid(bad.problem, bad.offset);
    if (error !== undefined) throw this.invalid(sentence(error.message), error.pos[0]);
    const second = documents[1];
    if (second !== undefined)
      throw this.invalid('there is a second document, and a file can have only one', second.range?.[0] ?? 0);
    const contents = documents[0]?.contents;
    return { name: this.name, root: contents == null ? undefined : this.node(contents) };
  }

  private node(source: SourceNode | null): YamlNode {
    if (source === null)
      return { kind: 'scalar', at: START, value: { type: 'null' }, source: '', plain: true };
    if (isAlias(source)) return this.named(source.source, offsetOf(source));
    const anchor = source.anchor;
    if (anchor !== undefined) this.checkAnchor(anchor, offsetOf(source));
    const node = isScalar(source) ? this.scalar(source) : this.collection(source);
    if (anchor !== undefined) {
      this.open.delete(anchor);
      this.anchors.set(anchor, node);
    }
    return node;
  }

  private checkAnchor(anchor: string, offset: number): void {
    if (!/^[A-Za-z0-9_-]+$/.test(anchor))
      throw this.invalid(`&${anchor} is no anchor: only letters, digits, - and _ can be in its name`, offset);
    if (this.anchors.has(anchor) || this.open.has(anchor))
      throw this.invalid(`the anchor &${anchor} is there twice`, offset);
    this.open.add(anchor);
  }

  private named(anchor: string, offset: number): YamlNode {
    if (this.open.has(anchor)) throw this.invalid(`*${anchor} stands inside of what it names`, offset);
    const node = this.anchors.get(anchor);
    if (node === undefined) throw this.invalid(`there is no anchor &${anchor} before *${anchor}`, offset);
    return node;
  }

  private scalar(source: SourceNode & { readonly value: unknown; readonly type?: unknown }): YamlNode {
    const text = typeof source.value === 'string' ? source.value : '';
    const plain = source.type === 'PLAIN' || source.type === undefined;
    const offset = offsetOf(source);
    const value = this.scalarValue(text, plain, source.tag, offset);
    return { kind: 'scalar', at: this.at(offset), value, source: text, plain };
  }

  private scalarValue(text: string, plain: boolean, tag: string | undefined, offset: number): ScalarValue {
    if (tag !== undefined && tag !== '!') {
      const value = resolveTagged(tag, text);
      if (value === 'unknown tag') throw this.invalid(`the tag ${tag} is not known`, offset);
      if (value === 'wrong value') throw this.invalid(`"${text}" cannot be a ${tag}`, offset);
      return value;
    }
    if (!plain) return { type: 'str', value: text };
    if (text === '=' || text === '<<')
      throw this.invalid(`${text} has a meaning of its own in YAML: put it in quotes`, offset);
    const value = resolvePlain(text);
    if (value === undefined) throw this.invalid(`${text} looks like a number but is none`, offset);
    return value;
  }

  private collection(source: SourceNode): YamlNode {
    const offset = offsetOf(source);
    const at = this.at(offset);
    if (source.tag !== undefined && !fitsCollection(source.tag, isMap(source) ? 'map' : 'seq'))
      throw this.invalid(`the tag ${source.tag} is not known here`, offset);
    if (isMap(source)) {
      const entries = this.entries(source.items as readonly SourcePair[]);
      return this.measured({ kind: 'mapping', at, entries }, offset);
    }
    const items = (source as unknown as { readonly items: readonly SourceNode[] }).items;
    return this.measured({ kind: 'sequence', at, items: items.map((item) => this.node(item)) }, offset);
  }

  private entries(pairs: readonly SourcePair[]): YamlMapping['entries'] {
    const own: OwnEntry[] = [];
    for (const pair of pairs) {
      const offset = pair.key === null ? 0 : offsetOf(pair.key);
      const merges =
        isScalar(pair.key) && pair.key.type === 'PLAIN' && pair.key.value === '<<' && !pair.key.tag;
      if (isScalar(pair.key) && pair.key.value === '' && this.text[offset] === ':')
        throw this.invalid('there is no key before the colon', offset);
      const key = merges ? undefined : this.key(pair.key, offset);
      own.push({ key, value: this.node(pair.value), offset });
    }
    return flattenEntries(own, (problem, offset) => this.invalid(problem, offset));
  }

  private key(source: SourceNode | null, offset: number) {
    // PyYAML takes `=` as text where it is a key.
    if (isScalar(source) && source.type === 'PLAIN' && source.value === '=')
      return {
        kind: 'scalar' as const,
        at: this.at(offset),
        value: { type: 'str' as const, value: '=' },
        source: '=',
        plain: true,
      };
    const key = this.node(source);
    if (key.kind !== 'scalar') throw this.invalid('a list or a mapping cannot be a key', offset);
    return key;
  }

  /** Counts what a reader of the data would walk through, and refuses what aliases made too large. */
  private measured<Node extends YamlNode>(node: Node, offset: number): Node {
    const children =
      node.kind === 'sequence' ? node.items : node.kind === 'mapping' ? node.entries.map(entryValue) : [];
    const size = children.reduce((sum, child) => sum + (this.sizes.get(child) ?? 1), 1);
    if (size > NODES_MAX)
      throw this.invalid(`with its aliases this is more than ${NODES_MAX} values`, offset);
    this.sizes.set(node, size);
    return node;
  }

  private at(offset: number): YamlPosition {
    return this.lines.at(offset);
  }

  private invalid(problem: string, offset: number) {
    return zesterError('YAML_INVALID', { problem }, { at: { file: this.name, ...this.at(offset) } });
  }
}

interface SourcePair {
  readonly key: SourceNode | null;
  readonly value: SourceNode | null;
}

const START: YamlPosition = { line: 1, column: 1 };

function offsetOf(node: { readonly range?: readonly number[] | null | undefined }): number {
  return node.range?.[0] ?? 0;
}

function entryValue(entry: { readonly value: YamlNode }): YamlNode {
  return entry.value;
}

/** The package's messages start with a capital. */
function sentence(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** Turns offsets of a text into lines and columns. */
class LinePositions {
  private readonly starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.starts.push(at + 1);
  }

  at(offset: number): YamlPosition {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.starts[low] ?? 0) + 1 };
  }
}
