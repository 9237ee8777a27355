/**
 * `NodeMaker` makes the nodes of a YAML document: which value a text has, what a tag makes of it, what an anchor names.
 * Where nodes begin and end is the parser's business (load-yaml.ts).
 *
 * Bounded: aliases and merge keys cannot blow a small file up, nor make it deeper than what walks through it can go.
 */
import type { MarkedNodes, SourceRange } from './marked-nodes.ts';
import { resolveMerges } from './merge-entries.ts';
import { resolvePlain } from './resolve-plain.ts';
import { fitsCollection, resolveTagged } from './resolve-tag.ts';
import type { ScalarValue, YamlEntry, YamlNode, YamlPosition, YamlScalar } from './yaml-node.ts';
import { yamlProblem } from './yaml-problem.ts';
import type { YamlSource } from './yaml-source.ts';
import type { ScalarToken } from './yaml-tokens.ts';

/** Nodes of a document, each alias counted as what it stands for. Also how many entries merge keys may copy. */
const NODES_MAX = 1_000_000;
/** What walks through the nodes later calls itself for each level. */
export const YAML_DEPTH_MAX = 500;

/** What may stand before a node. */
export interface NodeProperties {
  /** Of the first of them, or of the node where there is none. */
  readonly at: YamlPosition;
  readonly anchor: string | undefined;
  readonly tag: NodeTag | undefined;
}

export interface NodeTag {
  readonly name: string;
  readonly at: YamlPosition;
  readonly range: SourceRange;
}

const TEXT_TAG = 'tag:yaml.org,2002:str';

export class NodeMaker {
  private readonly source: YamlSource;
  private readonly marks: MarkedNodes | undefined;
  private readonly anchors = new Map<string, YamlNode>();
  /** Anchors whose node is being read: an alias to one of them would hold itself. */
  private readonly open = new Set<string>();
  private readonly measures = new Map<YamlNode, Measure>();
  private copiedEntries = 0;

  constructor(source: YamlSource, marks?: MarkedNodes) {
    this.source = source;
    this.marks = marks;
  }

  /** A text with something before it. */
  tagged(token: ScalarToken, { at, tag }: NodeProperties): YamlScalar {
    if (tag === undefined || !this.isMark(tag)) return this.scalar(token, tag?.name, at);
    const node = this.scalar(token, TEXT_TAG, at);
    this.marks?.note(tag.at, tag.range, { node, range: token.range });
    return node;
  }

  scalar({ at, text, isPlain, range }: ScalarToken, tag?: string, tagAt = at): YamlScalar {
    // `!` alone: as if there were no quotes.
    const plain = tag === '!' || (isPlain && tag === undefined);
    const value = plain ? this.plainValue(text, at) : this.textValue(text, tag, tagAt);
    const node: YamlScalar = { kind: 'scalar', at, value, source: text, plain };
    this.marks?.noteScalar(node, range);
    return node;
  }

  /** The text without letters that a tag alone makes. */
  emptyText(properties: NodeProperties, { name, range }: NodeTag): YamlScalar {
    const behind = { from: range.to, to: range.to };
    const token = { kind: 'scalar', at: properties.at, text: '', isPlain: false, range: behind } as const;
    return name === '!' ? this.scalar(token) : this.tagged(token, properties);
  }

  nothing(at: YamlPosition): YamlScalar {
    return { kind: 'scalar', at, value: { type: 'null' }, source: '', plain: true };
  }

  sequence(at: YamlPosition, items: readonly YamlNode[]): YamlNode {
    return this.measured({ kind: 'sequence', at, items });
  }

  /** `written` may have merge keys. */
  mapping(at: YamlPosition, written: readonly YamlEntry[]): YamlNode {
    const entries = resolveMerges(
      written,
      (problem, place) => this.source.invalid(problem, place),
      (count, place) => this.countCopies(count, place),
    );
    const node = this.measured({ kind: 'mapping', at, entries } as const);
    this.marks?.noteMapping(node, written);
    return node;
  }

  /** Of a list or a mapping. */
  checkTag({ at, tag }: NodeProperties, kind: 'seq' | 'map'): void {
    if (tag === undefined) return;
    if (this.isMark(tag)) this.marks?.note(tag.at, tag.range, kind === 'seq' ? 'a list' : 'a mapping');
    else if (!fitsCollection(tag.name, kind))
      throw this.source.invalid(yamlProblem`the tag ${tag.name} is not known here`, at);
  }

  /** `<<` and `=` have a meaning as keys only. */
  value(node: YamlNode): YamlNode {
    if (node.kind === 'scalar' && node.plain && (node.source === '<<' || node.source === '='))
      throw this.source.invalid(
        yamlProblem`${node.source} has a meaning of its own in YAML: put it in quotes`,
        node.at,
      );
    return node;
  }

  key(node: YamlNode, at: YamlPosition): YamlScalar {
    if (node.kind !== 'scalar')
      throw this.source.invalid(yamlProblem`a list or a mapping cannot be a key`, at);
    this.marks?.noteKey(node);
    return node;
  }

  openAnchor(anchor: string, at: YamlPosition): void {
    if (this.anchors.has(anchor) || this.open.has(anchor))
      throw this.source.invalid(yamlProblem`the anchor &${anchor} is there twice`, at);
    this.open.add(anchor);
  }

  closeAnchor(anchor: string, node: YamlNode): void {
    this.open.delete(anchor);
    this.anchors.set(anchor, node);
  }

  named(anchor: string, at: YamlPosition): YamlNode {
    if (this.open.has(anchor))
      throw this.source.invalid(yamlProblem`*${anchor} stands inside of what it names`, at);
    const node = this.anchors.get(anchor);
    if (node !== undefined) return node;
    throw this.source.invalid(yamlProblem`there is no anchor &${anchor} before *${anchor}`, at);
  }

  private isMark({ name }: NodeTag): boolean {
    return this.marks?.isMark(name) === true;
  }

  private plainValue(text: string, at: YamlPosition): ScalarValue {
    const value = resolvePlain(text);
    if (value === undefined)
      throw this.source.invalid(yamlProblem`${text} looks like a number but is none`, at);
    return value;
  }

  private textValue(text: string, tag: string | undefined, at: YamlPosition): ScalarValue {
    return tag === undefined ? { type: 'str', value: text } : this.taggedValue(text, tag, at);
  }

  private taggedValue(text: string, tag: string, at: YamlPosition): ScalarValue {
    const value = resolveTagged(tag, text);
    if (value === 'unknown tag') throw this.source.invalid(yamlProblem`the tag ${tag} is not known`, at);
    if (value === 'wrong value') throw this.source.invalid(yamlProblem`"${text}" cannot be a ${tag}`, at);
    return value;
  }

  private countCopies(count: number, at: YamlPosition): void {
    this.copiedEntries += count;
    if (this.copiedEntries > NODES_MAX)
      throw this.source.invalid(yamlProblem`up to here << copied more than ${NODES_MAX} values`, at);
  }

  /** Counts what a reader of the data would walk through, and refuses what aliases made too large or too deep. */
  private measured<Node extends YamlNode>(node: Node): Node {
    const inside = this.measureInside(node);
    const size = inside.size + 1;
    const depth = inside.depth + 1;
    if (size > NODES_MAX)
      throw this.source.invalid(yamlProblem`with its aliases this is more than ${NODES_MAX} values`, node.at);
    if (depth > YAML_DEPTH_MAX)
      throw this.source.invalid(
        yamlProblem`with its aliases this is nested more than ${YAML_DEPTH_MAX} times`,
        node.at,
      );
    this.measures.set(node, { size, depth });
    return node;
  }

  private measureInside(node: YamlNode): Measure {
    let size = 0;
    let depth = 0;
    const add = (child: YamlNode) => {
      const measure = this.measures.get(child) ?? SCALAR;
      size += measure.size;
      depth = Math.max(depth, measure.depth);
    };
    if (node.kind === 'sequence') for (const item of node.items) add(item);
    if (node.kind === 'mapping') for (const { value } of node.entries) add(value);
    return { size, depth };
  }
}

/** How many nodes there are in a node, with itself, and how many lists and mappings deep. */
interface Measure {
  readonly size: number;
  readonly depth: number;
}

const SCALAR: Measure = { size: 1, depth: 0 };
