/**
 * `TextFunction` is the base of macros, blocks and recursive loops: what they return is the text they write. Where a
 * template outputs that text at once, they write straight into the output, which is faster and keeps the note of which
 * line wrote what.
 */

import { Markup } from '../values/text/markup.ts';
import { type Arguments, PyObject, type RenderContext, type Value } from '../values/value.ts';
import type { TemplateContext } from './context.ts';

export abstract class TextFunction extends PyObject {
  /** Writes what a call returns. */
  abstract write(args: Arguments, caller: TemplateContext): void;

  /** Whether the text is HTML that must not be escaped again. */
  isMarkup(caller: TemplateContext): boolean {
    return caller.autoescape;
  }

  override call(args: Arguments, render: RenderContext): Value {
    // Whatever calls a function in a render hands on the context that it got from the evaluator.
    const caller = render as TemplateContext;
    const { out } = caller.pass;
    const interrupted = out.beginCapture();
    this.write(args, caller);
    const text = out.endCapture(interrupted);
    return this.isMarkup(caller) ? new Markup(text) : text;
  }
}
