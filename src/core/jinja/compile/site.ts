/** A site is a place in a template. Every part of a compiled template that can fail or write holds one. */
import type { Position } from '../parse/ast.ts';

export interface Site {
  readonly template: TemplateSource;
  readonly at: Position;
  /** Whether what is written from here is the template's own text, so that its newlines count lines of the template. */
  readonly verbatim: boolean;
}

export interface TemplateSource {
  readonly name: string;
  readonly source: string;
}
