/** A frame holds the variables of one unit of code while it runs (see scope.ts). */

import type { TemplateContext } from '../render/context.ts';
import type { Output } from '../render/output.ts';
import type { RenderPass } from '../render/render-pass.ts';
import type { Value } from '../values/value.ts';
import type { CompiledTemplate } from './compiled-template.ts';
import type { Site } from './site.ts';

export class Frame {
  /** undefined is a variable that has no value: not yet set, or not yet looked up in the context. */
  readonly slots: (Value | undefined)[];
  readonly context: TemplateContext;
  /** The frame of the unit around, whose variables a macro sees. */
  readonly outer: Frame | undefined;
  readonly pass: RenderPass;
  readonly out: Output;
  /** The template that this one turned out to extend; only at the top level. */
  parent: CompiledTemplate | undefined = undefined;
  extendsSite: Site | undefined = undefined;

  constructor(slots: number, context: TemplateContext, outer: Frame | undefined) {
    this.slots = new Array(slots);
    this.context = context;
    this.outer = outer;
    this.pass = context.pass;
    this.out = context.pass.out;
  }
}
