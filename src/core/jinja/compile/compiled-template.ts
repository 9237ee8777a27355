/**
 * A compiled template is what the compiler makes of a template's text. It holds no state of a render, so that many
 * renders may share it.
 */

import type { Value } from '../values/value.ts';
import type { Frame } from './frame.ts';
import type { TemplateSource } from './site.ts';

/** An expression, compiled. */
export type Evaluate = (frame: Frame) => Value;

/** An expression of which only the truth matters. */
export type Decide = (frame: Frame) => boolean;

/** A statement, compiled. */
export type Execute = (frame: Frame) => Flow;

/** How a statement ended: the rest of the body follows, or the loop around it ends, or its next round begins. */
export type Flow = 0 | 1 | 2;
export const GO_ON = 0;
export const BREAK = 1;
export const CONTINUE = 2;

export interface CompiledTemplate extends TemplateSource {
  /** None where the template was compiled without one. */
  readonly givenName: string | undefined;
  readonly autoescape: boolean;
  /** Writes the template, and where it extends another, that one. */
  readonly root: (frame: Frame) => void;
  readonly slots: number;
  readonly blocks: ReadonlyMap<string, CompiledBlock>;
}

export interface CompiledBlock {
  readonly name: string;
  readonly slots: number;
  readonly run: (frame: Frame) => void;
}
