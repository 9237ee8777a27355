/** These types are the tokens of YAML: what the scanner makes of a text, and the parser reads. */

import type { SourceRange } from './marked-nodes.ts';
import type { Directive, WrittenTag } from './scan-names.ts';
import type { YamlPosition } from './yaml-node.ts';

/** Tokens that say everything by being there. */
export type MarkKind =
  | 'stream end'
  | 'document start'
  | 'document end'
  | 'sequence start'
  | 'mapping start'
  | 'block end'
  | '-'
  | '?'
  | ':'
  | '['
  | ']'
  | '{'
  | '}'
  | ',';

export type YamlToken =
  | { readonly kind: MarkKind; readonly at: YamlPosition }
  | { readonly kind: 'directive'; readonly at: YamlPosition; readonly directive: Directive }
  | { readonly kind: 'alias' | 'anchor'; readonly at: YamlPosition; readonly name: string }
  | {
      readonly kind: 'tag';
      readonly at: YamlPosition;
      readonly tag: WrittenTag;
      readonly range: SourceRange;
    }
  | ScalarToken;

export interface ScalarToken {
  readonly kind: 'scalar';
  readonly at: YamlPosition;
  readonly text: string;
  /** Without quotes, and no block of text. */
  readonly isPlain: boolean;
  /** With its quotes. */
  readonly range: SourceRange;
}
