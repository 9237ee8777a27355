/**
 * Marked nodes are those that bear a tag of the caller's own, such as `!encrypted`. The reader takes the tag where it is
 * asked to (`loadMarkedYaml`), reads the text behind it as text, and notes where in the source both stand, to the
 * character. Whether the tag may stand there is the caller's to say. For everybody else it is an unknown tag.
 */
import type { YamlEntry, YamlNode, YamlPosition, YamlScalar } from './yaml-node.ts';

/** A part of the source, in UTF-16 units from its beginning. */
export interface SourceRange {
  readonly from: number;
  /** Behind the last one. */
  readonly to: number;
}

export interface MarkedNode {
  /** Of the tag. */
  readonly at: YamlPosition;
  readonly tag: SourceRange;
  readonly on: MarkedValue | 'a list' | 'a mapping';
}

/** A text, or nothing at all: then its range is empty. */
export interface MarkedValue {
  readonly node: YamlScalar;
  /** With its quotes; of a block of text from its `|` to the end of its last line. */
  readonly range: SourceRange;
}

export class MarkedNodes {
  private readonly tag: string;
  /** How many units of the source the reader has left out at its beginning. */
  private readonly skipped: number;
  /** In the order of the source. */
  readonly found: MarkedNode[] = [];
  private readonly keys = new Set<YamlNode>();
  private readonly written = new Map<YamlNode, readonly YamlEntry[]>();
  private readonly ranges = new Map<YamlNode, SourceRange>();

  constructor(tag: string, skipped: number) {
    this.tag = tag;
    this.skipped = skipped;
  }

  isMark(tag: string): boolean {
    return tag === this.tag;
  }

  note(at: YamlPosition, tag: SourceRange, on: MarkedNode['on']): void {
    const isValue = typeof on === 'object';
    this.found.push({
      at,
      tag: this.inSource(tag),
      on: isValue ? { node: on.node, range: this.inSource(on.range) } : on,
    });
  }

  noteKey(node: YamlNode): void {
    this.keys.add(node);
  }

  noteMapping(node: YamlNode, written: readonly YamlEntry[]): void {
    this.written.set(node, written);
  }

  noteScalar(node: YamlScalar, range: SourceRange): void {
    this.ranges.set(node, range);
  }

  /** Where a text stands, with its quotes; undefined for a value that was left out. */
  rangeOf(node: YamlScalar): SourceRange | undefined {
    const range = this.ranges.get(node);
    return range === undefined ? undefined : this.inSource(range);
  }

  isKey(node: YamlNode): boolean {
    return this.keys.has(node);
  }

  /** The entries of a mapping as they stand in the source: with `<<`, and with what it would have overridden. */
  writtenEntries(mapping: YamlNode): readonly YamlEntry[] {
    return this.written.get(mapping) ?? [];
  }

  private inSource({ from, to }: SourceRange): SourceRange {
    return { from: from + this.skipped, to: to + this.skipped };
  }
}
