/**
 * These types are what a YAML file says, with the place of everything. A node that an alias names again is the same
 * object, as in Python: who changes one changes both.
 */

/** Line and column from 1; the column counts UTF-16 units. */
export interface YamlPosition {
  readonly line: number;
  readonly column: number;
}

export type YamlNode = YamlScalar | YamlSequence | YamlMapping;

export interface YamlScalar {
  readonly kind: 'scalar';
  readonly at: YamlPosition;
  readonly value: ScalarValue;
  /**
   * The text before it became a value: `0644` of a file mode, whose number alone would not tell how it was written.
   * Quotes, escapes and folding are already undone.
   */
  readonly source: string;
  readonly plain: boolean;
}

export type ScalarValue =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: number | bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'str'; readonly value: string }
  | { readonly type: 'binary'; readonly value: Uint8Array };

export interface YamlSequence {
  readonly kind: 'sequence';
  readonly at: YamlPosition;
  readonly items: readonly YamlNode[];
}

export interface YamlMapping {
  readonly kind: 'mapping';
  readonly at: YamlPosition;
  /** Merge keys are resolved: what came through `<<` stands first, own keys win. */
  readonly entries: readonly YamlEntry[];
}

export interface YamlEntry {
  readonly key: YamlScalar;
  readonly value: YamlNode;
}

export interface YamlDocument {
  readonly name: string;
  /** Undefined where the file has no content at all; Python says None. */
  readonly root: YamlNode | undefined;
}
