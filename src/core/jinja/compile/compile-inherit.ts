/** These functions compile `extends` and `block`. */
import type { BlockNode, ExtendsNode } from '../parse/ast.ts';
import { runBlock } from '../render/block-reference.ts';
import { loadNamed } from '../render/load-named.ts';
import { PythonError } from '../values/value.ts';
import { unlessExtended } from './compile-output.ts';
import { compileExpression } from './compile-parts.ts';
import { type CompilePlace, compileError, siteOf } from './compile-place.ts';
import { type CompiledTemplate, type Execute, GO_ON } from './compiled-template.ts';
import { localNames, visibleReads } from './local-names.ts';

/** undefined: the block is never written from here, because the template surely extends another. */
export function compileBlock(node: BlockNode, place: CompilePlace): Execute | undefined {
  const { extendsForSure, extendsSeen } = place.compilation;
  if (place.topLevel && extendsForSure) return undefined;
  const { name, required } = node;
  const site = siteOf(place, node.at);
  const locals = node.scoped ? visibleReads(place) : undefined;
  const execute: Execute = (frame) => {
    frame.pass.at = site;
    const context = locals === undefined ? frame.context : frame.context.derived(localNames(locals, frame));
    const stack = context.blocks.get(name) ?? [];
    const [block] = stack;
    if (block === undefined || (required && stack.length <= 1))
      throw new PythonError('TemplateRuntimeError', `Required block '${name}' not found`);
    runBlock(block, context);
    return GO_ON;
  };
  return place.topLevel && extendsSeen > 0 ? unlessExtended(place.unit, execute) : execute;
}

/** `stop`: nothing after this statement can be reached. */
export function compileExtends(
  node: ExtendsNode,
  place: CompilePlace,
  template: () => CompiledTemplate,
): { readonly execute: Execute; readonly stop: boolean } {
  const { compilation } = place;
  if (!place.topLevel) throw compileError(place, node.at, 'cannot use extend from a non top-level scope');
  const site = siteOf(place, node.at);
  if (compilation.extendsForSure)
    return {
      stop: true,
      execute: (frame) => {
        frame.pass.at = site;
        throw extendedTwice();
      },
    };
  const name = compileExpression(node.template, place);
  compilation.extendsSeen++;
  if (place.certain) compilation.extendsForSure = true;
  return {
    stop: false,
    execute: (frame) => {
      frame.pass.at = site;
      if (frame.parent !== undefined) throw extendedTwice();
      const value = name(frame);
      frame.pass.at = site;
      frame.parent = loadNamed(value, frame.pass, template());
      frame.extendsSite = site;
      frame.context.addBlocks(frame.parent);
      return GO_ON;
    },
  };
}

function extendedTwice(): PythonError {
  return new PythonError('TemplateRuntimeError', 'extended multiple times');
}
