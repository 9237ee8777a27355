/**
 * A state file is one file of the run: what it says, what it is called, and from each node back to what a person wrote.
 */
import type { SourcePosition } from '../../errors/zester-error.ts';
import type { YamlEntry, YamlMapping, YamlNode } from '../../yaml/yaml-node.ts';
import type { Rendered } from './compile-input.ts';
import type { SourcePlace } from './problem-list.ts';

/** The keys of a file that are no ids. */
const DIRECTIVES = ['include', 'extend', 'exclude'] as const;
type Directive = (typeof DIRECTIVES)[number];

export interface StateFileFacts {
  readonly path: string;
  readonly sls: string;
  /** Who included it, the nearest first. */
  readonly chain: readonly SourcePosition[];
  /** The files by whose includes it came into the run, by their names, the outermost first. */
  readonly includers: readonly string[];
  readonly place: Rendered['place'];
  /** Undefined: the file says nothing. */
  readonly root: YamlMapping | undefined;
}

export class StateFile {
  readonly path: string;
  readonly sls: string;
  readonly includers: readonly string[];
  private readonly facts: StateFileFacts;

  constructor(facts: StateFileFacts) {
    this.path = facts.path;
    this.sls = facts.sls;
    this.includers = facts.includers;
    this.facts = facts;
  }

  placeOf({ at }: Pick<YamlNode, 'at'>): SourcePlace {
    return { at: this.facts.place(at.line, at.column), chain: this.facts.chain };
  }

  directive(name: Directive): YamlNode | undefined {
    return this.facts.root?.entries.find(({ key }) => key.source === name)?.value;
  }

  /** All of the file, for one that has no directives. */
  get allEntries(): readonly YamlEntry[] {
    return this.facts.root?.entries ?? [];
  }

  /** The entries that declare states, by id. */
  get declarations(): readonly YamlEntry[] {
    return this.allEntries.filter(({ key }) => !(DIRECTIVES as readonly string[]).includes(key.source));
  }
}

/** A node together with the file that it stands in: after a merge the arguments of one state come from several. */
export interface Written<Node extends YamlNode = YamlNode> {
  readonly file: StateFile;
  readonly node: Node;
}

export function sourcePlaceOf({ file, node }: Written): SourcePlace {
  return file.placeOf(node);
}

export function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value.type === 'null';
}

/** What kind of thing a node is, to follow "not". */
export function nodeKind(node: YamlNode): string {
  if (node.kind === 'sequence') return 'a list';
  if (node.kind === 'mapping') return 'a mapping';
  return node.value.type === 'null' ? 'nothing' : `"${node.source.slice(0, 60)}"`;
}
