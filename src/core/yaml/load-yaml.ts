/**
 * `loadYaml` reads a YAML file as Salt does: the grammar of YAML 1.1 with its types, without sexagesimal numbers
 * (decision 15), and with the place of every node. What Salt refuses is refused here: nothing is repaired.
 *
 * Pure, and bounded: aliases cannot blow a small file up, and no file nests deeper than our own code can walk.
 */
import { type OwnEntry, ownEntriesWithMerged } from './merge-entries.ts';
import { resolvePlain } from './resolve-plain.ts';
import { fitsCollection, resolveTagged } from './resolve-tag.ts';
import { TagHandles } from './tag-handles.ts';
import { TokenScanner } from './token-scanner.ts';
import type { ScalarValue, YamlDocument, YamlNode, YamlPosition, YamlScalar } from './yaml-node.ts';
import { YamlSource } from './yaml-source.ts';
import type { ScalarToken, YamlToken } from './yaml-tokens.ts';

/** Nodes of a document, each alias counted as what it stands for. */
const NODES_MAX = 1_000_000;
const DEPTH_MAX = 500;

export interface LoadYamlOptions {
  /** For error messages: the file, or what the text is. */
  readonly name: string;
}

/** Throws YAML_INVALID with the place where it is wrong. */
export function loadYaml(text: string, { name }: LoadYamlOptions): YamlDocument {
  const source = new YamlSource(text, name);
  source.checkCharacters();
  return { name, root: new YamlReader(source).read() };
}

type TokenKind = YamlToken['kind'];

/** Tokens that show that there is no node: an item, a key or a value that was left out. */
const ITEM_ENDS: readonly TokenKind[] = ['-', 'block end'];
const INDENTLESS_ENDS: readonly TokenKind[] = ['-', '?', ':', 'block end'];
const ENTRY_ENDS: readonly TokenKind[] = ['?', ':', 'block end'];
const LIST_ENDS: readonly TokenKind[] = [',', ']'];
const MAP_ENDS: readonly TokenKind[] = [',', '}'];
const FLOW_KEY_ENDS: readonly TokenKind[] = [':', ',', '}'];

/** What may stand before a node. */
interface NodeProperties {
  readonly at: YamlPosition;
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
}

type ScalarProperties = Pick<NodeProperties, 'tag'> & Partial<Pick<NodeProperties, 'at'>>;

const NO_PROPERTIES: ScalarProperties = { tag: undefined };

class YamlReader {
  private readonly source: YamlSource;
  private readonly tokens: TokenScanner;
  private readonly tags: TagHandles;
  private readonly anchors = new Map<string, YamlNode>();
  private readonly sizes = new Map<YamlNode, number>();
  /** Anchors whose node is being read: an alias to one of them would hold itself. */
  private readonly open = new Set<string>();
  private depth = 0;

  constructor(source: YamlSource) {
    this.source = source;
    this.tokens = new TokenScanner(source);
    this.tags = new TagHandles((problem, at) => source.invalid(problem, at));
  }

  /** Undefined for a text without any content. */
  read(): YamlNode | undefined {
    if (this.nextKind() === 'stream end') return undefined;
    let root: YamlNode | undefined;
    if (this.isNext('directive', 'document start')) {
      this.documentStart();
      const isEmpty = this.isNext('directive', 'document start', 'document end', 'stream end');
      if (!isEmpty) root = this.value(this.node(true, false));
    } else root = this.value(this.node(true, false));
    const hasEnd = this.nextKind() === 'document end';
    while (this.nextKind() === 'document end') this.tokens.take();
    if (this.nextKind() !== 'stream end') throw this.afterDocument(hasEnd);
    return root;
  }

  private documentStart(): void {
    for (let token = this.tokens.peek(); token.kind === 'directive'; token = this.tokens.peek()) {
      this.tags.declare(token.directive, token.at);
      this.tokens.take();
    }
    if (this.nextKind() !== 'document start') throw this.unexpected('a directive has no --- after it');
    this.tokens.take();
  }

  private afterDocument(hasEnd: boolean): Error {
    if (hasEnd || this.isNext('document start', 'directive'))
      return this.unexpected('there is a second document, and a file can have only one');
    return this.unexpected('the text before is complete, and nothing can follow it');
  }

  /** `isBlock`: a block may begin here. `isIndentless`: a list may stand as far left as the key it belongs to. */
  private node(isBlock: boolean, isIndentless: boolean): YamlNode {
    const first = this.tokens.peek();
    if (first.kind === 'alias') {
      this.tokens.take();
      return this.named(first.name, first.at);
    }
    // Most nodes are texts with nothing before them.
    if (first.kind === 'scalar') {
      this.tokens.take();
      return this.scalar(first, NO_PROPERTIES);
    }
    const properties = this.properties();
    const { anchor, at } = properties;
    if (anchor !== undefined) this.openAnchor(anchor, at);
    if (++this.depth > DEPTH_MAX) throw this.unexpected(`this is nested more than ${DEPTH_MAX} times`);
    const node = this.content(properties, isBlock, isIndentless);
    this.depth--;
    if (anchor !== undefined) {
      this.open.delete(anchor);
      this.anchors.set(anchor, node);
    }
    return node;
  }

  private properties(): NodeProperties {
    const { at } = this.tokens.peek();
    let anchor: string | undefined;
    let tag: string | undefined;
    for (;;) {
      const token = this.tokens.peek();
      if (token.kind === 'anchor' && anchor === undefined) anchor = token.name;
      else if (token.kind === 'tag' && tag === undefined) tag = this.tags.resolve(token.tag, token.at);
      else return { at, anchor, tag };
      this.tokens.take();
    }
  }

  private content(properties: NodeProperties, isBlock: boolean, isIndentless: boolean): YamlNode {
    const token = this.tokens.peek();
    if (token.kind === 'scalar') {
      this.tokens.take();
      return this.scalar(token, properties);
    }
    if (isIndentless && token.kind === '-') return this.sequence(properties, () => this.indentlessItems());
    if (token.kind === '[') return this.sequence(properties, () => this.flowItems());
    if (token.kind === '{') return this.mapping(properties, () => this.flowEntries());
    if (isBlock && token.kind === 'sequence start') return this.sequence(properties, () => this.blockItems());
    if (isBlock && token.kind === 'mapping start') return this.mapping(properties, () => this.blockEntries());
    const { at, anchor, tag } = properties;
    // A tag alone is a text without letters; an anchor alone is nothing.
    if (tag !== undefined)
      return this.scalar(
        { kind: 'scalar', at, text: '', isPlain: false },
        { ...properties, tag: tag === '!' ? undefined : tag },
      );
    if (anchor !== undefined) return this.nothing();
    throw this.unexpected('a value is missing here');
  }

  private sequence({ tag, at }: NodeProperties, read: () => readonly YamlNode[]): YamlNode {
    this.checkTag(tag, 'seq', at);
    const place = this.tokens.peek().at;
    return this.measured({ kind: 'sequence', at: place, items: read() });
  }

  private mapping({ tag, at }: NodeProperties, read: () => readonly OwnEntry[]): YamlNode {
    this.checkTag(tag, 'map', at);
    const place = this.tokens.peek().at;
    return this.mappingOf(place, read());
  }

  private mappingOf(at: YamlPosition, own: readonly OwnEntry[]): YamlNode {
    const entries = ownEntriesWithMerged(own, (problem, place) => this.source.invalid(problem, place));
    return this.measured({ kind: 'mapping', at, entries });
  }

  private blockItems(): readonly YamlNode[] {
    this.tokens.take();
    const items: YamlNode[] = [];
    while (this.nextKind() === '-') {
      this.tokens.take();
      items.push(this.valueUnless(true, false, ITEM_ENDS));
    }
    if (this.nextKind() !== 'block end')
      throw this.unexpected('this line is in a list, and does not begin with - as its items do');
    this.tokens.take();
    return items;
  }

  private indentlessItems(): readonly YamlNode[] {
    const items: YamlNode[] = [];
    while (this.nextKind() === '-') {
      this.tokens.take();
      items.push(this.valueUnless(true, false, INDENTLESS_ENDS));
    }
    return items;
  }

  private blockEntries(): readonly OwnEntry[] {
    this.tokens.take();
    const entries: OwnEntry[] = [];
    while (this.nextKind() === '?') {
      this.tokens.take();
      const at = this.tokens.peek().at;
      const key = this.key(this.nodeUnless(true, true, ENTRY_ENDS), at);
      entries.push({ key, value: this.colonValue(true, true, ENTRY_ENDS) });
    }
    if (this.nextKind() !== 'block end') throw this.noKey();
    this.tokens.take();
    return entries;
  }

  private noKey(): Error {
    return this.unexpected(
      this.nextKind() === ':'
        ? 'there is no key before the colon'
        : 'this is no key of the mapping around it; look at the indentation and the quotes before it',
    );
  }

  private flowItems(): readonly YamlNode[] {
    const start = this.tokens.take().at;
    const items: YamlNode[] = [];
    while (this.nextKind() !== ']') {
      if (items.length > 0) {
        this.comma(']', start);
        if (this.nextKind() === ']') break;
      }
      items.push(this.nextKind() === '?' ? this.pairInList() : this.value(this.node(false, false)));
    }
    this.tokens.take();
    return items;
  }

  /** `[key: value]` is a mapping of one. */
  private pairInList(): YamlNode {
    const { at } = this.tokens.take();
    // As Salt's parser: what follows a lone `?` in a list is lost to it, and then a bracket or comma is missing.
    if (this.isNext(':', ',', ']')) throw this.unexpected('behind ? there is no key');
    const key = this.key(this.node(false, false), at);
    return this.mappingOf(at, [{ key, value: this.colonValue(false, false, LIST_ENDS) }]);
  }

  private flowEntries(): readonly OwnEntry[] {
    const start = this.tokens.take().at;
    const entries: OwnEntry[] = [];
    while (this.nextKind() !== '}') {
      if (entries.length > 0) {
        this.comma('}', start);
        if (this.nextKind() === '}') break;
      }
      entries.push(this.flowEntry());
    }
    this.tokens.take();
    return entries;
  }

  private flowEntry(): OwnEntry {
    const { kind, at } = this.tokens.peek();
    // `{a, b: 1}`: a key without a colon has no value.
    if (kind !== '?') return { key: this.key(this.node(false, false), at), value: this.nothing() };
    this.tokens.take();
    const key = this.key(this.nodeUnless(false, false, FLOW_KEY_ENDS), at);
    return { key, value: this.colonValue(false, false, MAP_ENDS) };
  }

  private comma(end: ']' | '}', start: YamlPosition): void {
    if (this.nextKind() === 'stream end')
      throw this.source.invalid(`the bracket is not closed; there is no ${end}`, start);
    if (this.nextKind() !== ',') throw this.unexpected(`a comma or ${end} is missing before this`);
    this.tokens.take();
  }

  private colonValue(isBlock: boolean, isIndentless: boolean, ends: readonly TokenKind[]): YamlNode {
    if (this.nextKind() !== ':') return this.nothing();
    this.tokens.take();
    return this.valueUnless(isBlock, isIndentless, ends);
  }

  private valueUnless(isBlock: boolean, isIndentless: boolean, ends: readonly TokenKind[]): YamlNode {
    return this.value(this.nodeUnless(isBlock, isIndentless, ends));
  }

  /** The node that stands here, or nothing where one of the tokens shows that there is none. */
  private nodeUnless(isBlock: boolean, isIndentless: boolean, ends: readonly TokenKind[]): YamlNode {
    return ends.includes(this.nextKind()) ? this.nothing() : this.node(isBlock, isIndentless);
  }

  private nothing(): YamlScalar {
    return { kind: 'scalar', at: this.tokens.peek().at, value: { type: 'null' }, source: '', plain: true };
  }

  /** `<<` and `=` have a meaning as keys only. */
  private value(node: YamlNode): YamlNode {
    if (node.kind === 'scalar' && node.plain && (node.source === '<<' || node.source === '='))
      throw this.source.invalid(`${node.source} has a meaning of its own in YAML: put it in quotes`, node.at);
    return node;
  }

  private key(node: YamlNode, at: YamlPosition): YamlScalar {
    if (node.kind !== 'scalar') throw this.source.invalid('a list or a mapping cannot be a key', at);
    return node;
  }

  private scalar({ at, text, isPlain }: ScalarToken, { tag, at: tagAt = at }: ScalarProperties): YamlScalar {
    // `!` alone: as if there were no quotes.
    const plain = tag === '!' || (isPlain && tag === undefined);
    if (plain) return { kind: 'scalar', at, value: this.plainValue(text, at), source: text, plain };
    const value = tag === undefined ? textValue(text) : this.taggedValue(text, tag, tagAt);
    return { kind: 'scalar', at, value, source: text, plain };
  }

  private plainValue(text: string, at: YamlPosition): ScalarValue {
    const value = resolvePlain(text);
    if (value === undefined) throw this.source.invalid(`${text} looks like a number but is none`, at);
    return value;
  }

  private taggedValue(text: string, tag: string, at: YamlPosition): ScalarValue {
    const value = resolveTagged(tag, text);
    if (value === 'unknown tag') throw this.source.invalid(`the tag ${tag} is not known`, at);
    if (value === 'wrong value') throw this.source.invalid(`"${text}" cannot be a ${tag}`, at);
    return value;
  }

  private checkTag(tag: string | undefined, kind: 'seq' | 'map', at: YamlPosition): void {
    if (tag !== undefined && !fitsCollection(tag, kind))
      throw this.source.invalid(`the tag ${tag} is not known here`, at);
  }

  private openAnchor(anchor: string, at: YamlPosition): void {
    if (this.anchors.has(anchor) || this.open.has(anchor))
      throw this.source.invalid(`the anchor &${anchor} is there twice`, at);
    this.open.add(anchor);
  }

  private named(anchor: string, at: YamlPosition): YamlNode {
    if (this.open.has(anchor)) throw this.source.invalid(`*${anchor} stands inside of what it names`, at);
    const node = this.anchors.get(anchor);
    if (node !== undefined) return node;
    throw this.source.invalid(`there is no anchor &${anchor} before *${anchor}`, at);
  }

  /** Counts what a reader of the data would walk through, and refuses what aliases made too large. */
  private measured<Node extends YamlNode>(node: Node): Node {
    let size = 1;
    if (node.kind === 'sequence') for (const item of node.items) size += this.sizes.get(item) ?? 1;
    if (node.kind === 'mapping') for (const { value } of node.entries) size += this.sizes.get(value) ?? 1;
    if (size > NODES_MAX)
      throw this.source.invalid(`with its aliases this is more than ${NODES_MAX} values`, node.at);
    this.sizes.set(node, size);
    return node;
  }

  private nextKind(): TokenKind {
    return this.tokens.peek().kind;
  }

  private isNext(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.nextKind());
  }

  private unexpected(problem: string): Error {
    return this.source.invalid(problem, this.tokens.peek().at);
  }
}

function textValue(value: string): ScalarValue {
  return { type: 'str', value };
}
