/**
 * These functions compile Salt's statements that read data: `load_yaml` and its kin from their body, `import_yaml` and
 * its kin from a file.
 */
import type { DataFormat, ImportDataNode, LoadNode } from '../parse/ast.ts';
import type { TemplateContext } from '../render/context.ts';
import { NO_ARGUMENTS } from '../values/arguments.ts';
import { str } from '../values/print.ts';
import type { Value } from '../values/value.ts';
import { compileAssign } from './compile-assign.ts';
import { compileCapture } from './compile-capture.ts';
import { compileModule } from './compile-import.ts';
import { type CompilePlace, siteOf } from './compile-place.ts';
import { type CompiledTemplate, type Execute, GO_ON } from './compiled-template.ts';

export function compileLoad(node: LoadNode, place: CompilePlace): Execute {
  const { execute, slot } = compileCapture(node.body, undefined, { ...place, checksOutput: false });
  const assign = compileAssign({ kind: 'name', at: node.at, name: node.name }, place);
  const site = siteOf(place, node.at);
  const { format } = node;
  return (frame) => {
    const flow = execute(frame);
    if (flow !== GO_ON) return flow;
    frame.pass.at = site;
    assign(frame, parseData(format, str(frame.slots[slot] as Value), frame.context));
    return GO_ON;
  };
}

/** The file is a template itself: it is rendered first, then read. */
export function compileImportData(
  node: ImportDataNode,
  place: CompilePlace,
  self: () => CompiledTemplate,
): Execute {
  const module = compileModule(node, place, self);
  const assign = compileAssign({ kind: 'name', at: node.at, name: node.name }, place);
  const site = siteOf(place, node.at);
  const { format } = node;
  return (frame) => {
    const { text } = module(frame);
    frame.pass.at = site;
    assign(frame, parseData(format, text, frame.context));
    return GO_ON;
  };
}

/** As the library's filters `load_yaml` and `load_json` do. */
function parseData(format: DataFormat, text: string, context: TemplateContext): Value {
  return format === 'text' ? text : context.callFilter(`load_${format}`, text, NO_ARGUMENTS);
}
