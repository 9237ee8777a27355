/** These functions compile `include`, `import` and `from … import`. */
import type { FromImportNode, ImportNode, IncludeNode } from '../parse/ast.ts';
import { TemplateContext } from '../render/context.ts';
import { isNotFound, loadNamed, loadNamedOrFirst } from '../render/load-named.ts';
import { TemplateModule } from '../render/module.ts';
import { repr } from '../values/print.ts';
import type { Value } from '../values/value.ts';
import { slotOf } from './compile-assign.ts';
import { compileExpression } from './compile-parts.ts';
import { type CompilePlace, describePosition, siteOf } from './compile-place.ts';
import { type CompiledTemplate, type Execute, GO_ON } from './compiled-template.ts';
import { Frame } from './frame.ts';
import { localNames, type VisibleReads, visibleReads } from './local-names.ts';
import { layered } from './names.ts';

type Self = () => CompiledTemplate;

export function compileInclude(node: IncludeNode, place: CompilePlace, self: Self): Execute {
  const names = compileExpression(node.template, place);
  const site = siteOf(place, node.at);
  const locals = node.withContext ? visibleReads(place) : undefined;
  const { ignoreMissing } = node;
  return (frame) => {
    const value = names(frame);
    const { pass } = frame;
    pass.at = site;
    pass.enter('included from', site);
    const template = ignoreMissing
      ? loadIfThere(value, frame, self())
      : loadNamedOrFirst(value, pass, self());
    if (template !== undefined) {
      const context = newContext(template, locals, frame);
      template.root(new Frame(template.slots, context, undefined));
    }
    pass.leave();
    return GO_ON;
  };
}

function loadIfThere(names: Value, frame: Frame, self: CompiledTemplate): CompiledTemplate | undefined {
  try {
    return loadNamedOrFirst(names, frame.pass, self);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** With `locals` the template sees what is visible here, without only the globals. */
function newContext(
  template: CompiledTemplate,
  locals: VisibleReads | undefined,
  frame: Frame,
): TemplateContext {
  const { context, pass } = frame;
  if (locals === undefined) return new TemplateContext(pass, template, pass.globalsOf(template));
  const visible = context.visible();
  return new TemplateContext(
    pass,
    template,
    locals.length === 0 ? visible : layered(localNames(locals, frame), visible),
  );
}

export type ImportModule = (frame: Frame) => TemplateModule;

/** What the import statements share: from the name to the module. */
export function compileModule(
  node: Pick<ImportNode, 'at' | 'template' | 'withContext'>,
  place: CompilePlace,
  self: Self,
): ImportModule {
  const name = compileExpression(node.template, place);
  const site = siteOf(place, node.at);
  const locals = node.withContext ? visibleReads(place) : undefined;
  return (frame) => {
    const value = name(frame);
    const { pass } = frame;
    pass.at = site;
    pass.enter('imported from', site);
    const template = loadNamed(value, pass, self());
    const known = locals === undefined ? pass.modules.get(template) : undefined;
    const module = known ?? TemplateModule.run(template, newContext(template, locals, frame));
    if (locals === undefined) pass.modules.set(template, module);
    pass.leave();
    return module;
  };
}

export function compileImport(node: ImportNode, place: CompilePlace, self: Self): Execute {
  const module = compileModule(node, place, self);
  const bring = compileBring(node.name, place);
  return (frame) => {
    bring(frame, module(frame));
    return GO_ON;
  };
}

export function compileFromImport(node: FromImportNode, place: CompilePlace, self: Self): Execute {
  const module = compileModule(node, place, self);
  const where = describePosition(place, node.at);
  const names = node.names.map(({ at, name, alias }) => ({
    name,
    site: siteOf(place, at),
    bring: compileBring(alias, place),
  }));
  return (frame) => {
    const imported = module(frame);
    for (const { name, site, bring } of names) {
      const value = imported.attribute(name);
      frame.pass.at = site;
      const message = `the template ${repr(imported.name ?? null)} (imported on ${where}) does not export the requested name ${repr(name)}`;
      const known = (): Iterable<string> => imported.attributeNames();
      bring(frame, value === undefined ? frame.context.undefined({ message, name, known }) : value);
    }
    return GO_ON;
  };
}

/** What is imported is not exported again. */
function compileBring(name: string, place: CompilePlace): (frame: Frame, value: Value) => void {
  const slot = slotOf(name, place);
  if (!place.topLevel)
    return (frame, value) => {
      frame.slots[slot] = value;
    };
  return (frame, value) => {
    frame.slots[slot] = value;
    frame.context.assign(name, value);
    frame.context.hideName(name);
  };
}
