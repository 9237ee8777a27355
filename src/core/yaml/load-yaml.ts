/**
 * `loadYaml` reads a YAML file as Salt does: the grammar of YAML 1.1 with its types, without sexagesimal numbers
 * (decision 15), and with the place of every node. What Salt refuses is refused here: nothing is repaired.
 *
 * Pure, and bounded. This file knows the grammar: which tokens make a node (make-nodes.ts).
 */
import { NodeMaker, type NodeProperties, type NodeTag, YAML_DEPTH_MAX } from './make-nodes.ts';
import { MarkedNodes } from './marked-nodes.ts';
import { TagHandles } from './tag-handles.ts';
import { TokenScanner } from './token-scanner.ts';
import type { YamlDocument, YamlEntry, YamlNode, YamlPosition, YamlScalar } from './yaml-node.ts';
import { type YamlProblem, yamlProblem } from './yaml-problem.ts';
import { YamlSource } from './yaml-source.ts';
import type { YamlToken } from './yaml-tokens.ts';

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

export interface MarkedYaml extends YamlDocument {
  readonly marks: MarkedNodes;
}

/**
 * The same for a text in which nodes may bear the tag `mark`, and which may hold secrets: no error repeats anything of it.
 * A byte order mark at its beginning counts in the ranges.
 */
export function loadMarkedYaml(text: string, { name, mark }: LoadYamlOptions & { mark: string }): MarkedYaml {
  const source = new YamlSource(text, name, true);
  source.checkCharacters();
  const marks = new MarkedNodes(mark, text.length + 1 - source.text.length);
  return { name, root: new YamlReader(source, marks).read(), marks };
}

type TokenKind = YamlToken['kind'];

/** Tokens that show that there is no node: an item, a key or a value that was left out. */
const ITEM_ENDS: readonly TokenKind[] = ['-', 'block end'];
const INDENTLESS_ENDS: readonly TokenKind[] = ['-', '?', ':', 'block end'];
const ENTRY_ENDS: readonly TokenKind[] = ['?', ':', 'block end'];
const LIST_ENDS: readonly TokenKind[] = [',', ']'];
const MAP_ENDS: readonly TokenKind[] = [',', '}'];
const FLOW_KEY_ENDS: readonly TokenKind[] = [':', ',', '}'];

class YamlReader {
  private readonly source: YamlSource;
  private readonly tokens: TokenScanner;
  private readonly tags: TagHandles;
  private readonly make: NodeMaker;
  private depth = 0;

  constructor(source: YamlSource, marks?: MarkedNodes) {
    this.source = source;
    this.tokens = new TokenScanner(source);
    this.make = new NodeMaker(source, marks);
    this.tags = new TagHandles((problem, at) => source.invalid(problem, at));
  }

  /** Undefined for a text without any content. */
  read(): YamlNode | undefined {
    if (this.nextKind() === 'stream end') return undefined;
    let root: YamlNode | undefined;
    if (this.isNext('directive', 'document start')) {
      this.documentStart();
      const isEmpty = this.isNext('directive', 'document start', 'document end', 'stream end');
      if (!isEmpty) root = this.make.value(this.node(true, false));
    } else root = this.make.value(this.node(true, false));
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
    if (this.nextKind() !== 'document start')
      throw this.unexpected(yamlProblem`a directive has no --- after it`);
    this.tokens.take();
  }

  private afterDocument(hasEnd: boolean): Error {
    if (hasEnd || this.isNext('document start', 'directive'))
      return this.unexpected(yamlProblem`there is a second document, and a file can have only one`);
    return this.unexpected(yamlProblem`the text before is complete, and nothing can follow it`);
  }

  /** `isBlock`: a block may begin here. `isIndentless`: a list may stand as far left as the key it belongs to. */
  private node(isBlock: boolean, isIndentless: boolean): YamlNode {
    const first = this.tokens.peek();
    if (first.kind === 'alias') {
      this.tokens.take();
      return this.make.named(first.name, first.at);
    }
    // Most nodes are texts with nothing before them.
    if (first.kind === 'scalar') {
      this.tokens.take();
      return this.make.scalar(first);
    }
    const properties = this.properties();
    const { anchor, at } = properties;
    if (anchor !== undefined) this.make.openAnchor(anchor, at);
    if (++this.depth > YAML_DEPTH_MAX)
      throw this.unexpected(yamlProblem`this is nested more than ${YAML_DEPTH_MAX} times`);
    const node = this.content(properties, isBlock, isIndentless);
    this.depth--;
    if (anchor !== undefined) this.make.closeAnchor(anchor, node);
    return node;
  }

  private properties(): NodeProperties {
    const { at } = this.tokens.peek();
    let anchor: string | undefined;
    let tag: NodeTag | undefined;
    for (;;) {
      const token = this.tokens.peek();
      if (token.kind === 'anchor' && anchor === undefined) anchor = token.name;
      else if (token.kind === 'tag' && tag === undefined)
        tag = { name: this.tags.resolve(token.tag, token.at), at: token.at, range: token.range };
      else return { at, anchor, tag };
      this.tokens.take();
    }
  }

  private content(properties: NodeProperties, isBlock: boolean, isIndentless: boolean): YamlNode {
    const token = this.tokens.peek();
    if (token.kind === 'scalar') {
      this.tokens.take();
      return this.make.tagged(token, properties);
    }
    if (isIndentless && token.kind === '-') return this.sequence(properties, () => this.indentlessItems());
    if (token.kind === '[') return this.sequence(properties, () => this.flowItems());
    if (token.kind === '{') return this.mapping(properties, () => this.flowEntries());
    if (isBlock && token.kind === 'sequence start') return this.sequence(properties, () => this.blockItems());
    if (isBlock && token.kind === 'mapping start') return this.mapping(properties, () => this.blockEntries());
    const { anchor, tag } = properties;
    if (tag !== undefined) return this.make.emptyText(properties, tag);
    if (anchor !== undefined) return this.nothing();
    throw this.unexpected(yamlProblem`a value is missing here`);
  }

  private sequence(properties: NodeProperties, read: () => readonly YamlNode[]): YamlNode {
    this.make.checkTag(properties, 'seq');
    const place = this.tokens.peek().at;
    return this.make.sequence(place, read());
  }

  private mapping(properties: NodeProperties, read: () => readonly YamlEntry[]): YamlNode {
    this.make.checkTag(properties, 'map');
    const place = this.tokens.peek().at;
    return this.make.mapping(place, read());
  }

  private blockItems(): readonly YamlNode[] {
    this.tokens.take();
    const items: YamlNode[] = [];
    while (this.nextKind() === '-') {
      this.tokens.take();
      items.push(this.valueUnless(true, false, ITEM_ENDS));
    }
    if (this.nextKind() !== 'block end')
      throw this.unexpected(yamlProblem`this line is in a list, and does not begin with - as its items do`);
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

  private blockEntries(): readonly YamlEntry[] {
    this.tokens.take();
    const entries: YamlEntry[] = [];
    while (this.nextKind() === '?') {
      this.tokens.take();
      const at = this.tokens.peek().at;
      const key = this.make.key(this.nodeUnless(true, true, ENTRY_ENDS), at);
      entries.push({ key, value: this.colonValue(true, true, ENTRY_ENDS) });
    }
    if (this.nextKind() !== 'block end') throw this.noKey();
    this.tokens.take();
    return entries;
  }

  private noKey(): Error {
    return this.unexpected(
      this.nextKind() === ':'
        ? yamlProblem`there is no key before the colon`
        : yamlProblem`this is no key of the mapping around it; look at the indentation and the quotes before it`,
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
      items.push(this.nextKind() === '?' ? this.pairInList() : this.make.value(this.node(false, false)));
    }
    this.tokens.take();
    return items;
  }

  /** `[key: value]` is a mapping of one. */
  private pairInList(): YamlNode {
    const { at } = this.tokens.take();
    // As Salt's parser: what follows a lone `?` in a list is lost to it, and then a bracket or comma is missing.
    if (this.isNext(':', ',', ']')) throw this.unexpected(yamlProblem`behind ? there is no key`);
    const key = this.make.key(this.node(false, false), at);
    return this.make.mapping(at, [{ key, value: this.colonValue(false, false, LIST_ENDS) }]);
  }

  private flowEntries(): readonly YamlEntry[] {
    const start = this.tokens.take().at;
    const entries: YamlEntry[] = [];
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

  private flowEntry(): YamlEntry {
    const { kind, at } = this.tokens.peek();
    // `{a, b: 1}`: a key without a colon has no value.
    if (kind !== '?') return { key: this.make.key(this.node(false, false), at), value: this.nothing() };
    this.tokens.take();
    const key = this.make.key(this.nodeUnless(false, false, FLOW_KEY_ENDS), at);
    return { key, value: this.colonValue(false, false, MAP_ENDS) };
  }

  private comma(end: ']' | '}', start: YamlPosition): void {
    if (this.nextKind() === 'stream end')
      throw this.source.invalid(yamlProblem`the bracket is not closed; there is no ${end}`, start);
    if (this.nextKind() !== ',') throw this.unexpected(yamlProblem`a comma or ${end} is missing before this`);
    this.tokens.take();
  }

  private colonValue(isBlock: boolean, isIndentless: boolean, ends: readonly TokenKind[]): YamlNode {
    if (this.nextKind() !== ':') return this.nothing();
    this.tokens.take();
    return this.valueUnless(isBlock, isIndentless, ends);
  }

  private valueUnless(isBlock: boolean, isIndentless: boolean, ends: readonly TokenKind[]): YamlNode {
    return this.make.value(this.nodeUnless(isBlock, isIndentless, ends));
  }

  /** The node that stands here, or nothing where one of the tokens shows that there is none. */
  private nodeUnless(isBlock: boolean, isIndentless: boolean, ends: readonly TokenKind[]): YamlNode {
    return ends.includes(this.nextKind()) ? this.nothing() : this.node(isBlock, isIndentless);
  }

  private nothing(): YamlScalar {
    return this.make.nothing(this.tokens.peek().at);
  }

  private nextKind(): TokenKind {
    return this.tokens.peek().kind;
  }

  private isNext(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.nextKind());
  }

  private unexpected(problem: YamlProblem): Error {
    return this.source.invalid(problem, this.tokens.peek().at);
  }
}
