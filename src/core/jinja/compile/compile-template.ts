/**
 * `compileTemplate` makes a tree a template that can be rendered: its top level, and its blocks as units of their own.
 */

import type { Engine } from '../engine.ts';
import { UNNAMED_TEMPLATE } from '../errors.ts';
import type { BlockNode, TemplateNode } from '../parse/ast.ts';
import { TemplateReference } from '../render/block-reference.ts';
import { decisionCompiler, expressionCompiler } from './compile-expression.ts';
import { compileBody } from './compile-parts.ts';
import { type CompilePlace, compileError, enterScope, type TemplateCompilation } from './compile-place.ts';
import { bodyCompiler } from './compile-statement.ts';
import type { CompiledBlock, CompiledTemplate } from './compiled-template.ts';
import { blocksIn, hasExtends, namesReadUndeclared } from './find-names.ts';
import { Frame } from './frame.ts';
import { readBody } from './read-scope.ts';
import { Scope, Unit } from './scope.ts';

export function compileTemplate(
  tree: TemplateNode,
  engine: Pick<Engine, 'filters' | 'tests'>,
  autoescape: boolean,
): CompiledTemplate {
  const text = { name: tree.name ?? UNNAMED_TEMPLATE, source: tree.source };
  const compilation: TemplateCompilation = {
    compilers: { expression: expressionCompiler, decision: decisionCompiler, body: bodyCompiler },
    engine,
    text,
    givenName: tree.name,
    hasExtends: hasExtends(tree.body),
    extendsForSure: false,
    extendsSeen: 0,
    // Nothing asks before the template is complete.
    self: () => template,
  };
  const blockNodes = uniqueBlocks(tree, compilation);
  const root = compileRoot(tree, compilation, autoescape);
  const blocks = new Map(
    blockNodes.map((node) => [node.name, compileBlockUnit(node, compilation, autoescape)]),
  );
  const template: CompiledTemplate = {
    ...text,
    givenName: tree.name,
    autoescape,
    slots: root.slots,
    root: root.run,
    blocks,
  };
  return template;
}

function uniqueBlocks(tree: TemplateNode, compilation: TemplateCompilation): readonly BlockNode[] {
  const names = new Set<string>();
  const blocks = blocksIn(tree.body);
  for (const { name, at } of blocks) {
    if (names.has(name)) throw compileError({ compilation }, at, `block '${name}' defined twice`);
    names.add(name);
  }
  return blocks;
}

interface CompiledUnit {
  readonly slots: number;
  readonly run: (frame: Frame) => void;
}

function compileRoot(
  tree: TemplateNode,
  compilation: TemplateCompilation,
  autoescape: boolean,
): CompiledUnit {
  const unit = new Unit(undefined);
  const scope = new Scope(unit, undefined);
  if (namesReadUndeclared(tree.body, ['self']).has('self')) scope.declareParameter('self');
  readBody(scope, tree.body);
  scope.settle();
  const body = compileBody(tree.body, {
    ...startPlace(compilation, scope, autoescape),
    topLevel: true,
    certain: true,
    checksOutput: compilation.hasExtends,
  });
  const enter = enterScope(scope);
  const selfSlot = scope.find('self')?.start.from === 'parameter' ? scope.find('self')?.slot : undefined;
  return {
    slots: unit.slots,
    run: (frame) => {
      if (selfSlot !== undefined) frame.slots[selfSlot] = new TemplateReference(frame.context);
      enter?.(frame);
      body(frame);
      if (frame.parent !== undefined) runParent(frame);
    },
  };
}

/** The template that was extended writes the page, with the blocks of the templates that extend it. */
function runParent(frame: Frame): void {
  const { parent, extendsSite, pass, context } = frame;
  if (parent === undefined || extendsSite === undefined) return;
  pass.enter('extended by', extendsSite);
  parent.root(new Frame(parent.slots, context, undefined));
  pass.leave();
}

/** A block sees the context, and nothing of what surrounds it in the template. */
function compileBlockUnit(
  node: BlockNode,
  compilation: TemplateCompilation,
  autoescape: boolean,
): CompiledBlock {
  const unit = new Unit(undefined);
  const scope = new Scope(unit, undefined);
  const special = namesReadUndeclared(node.body, ['self', 'super']);
  for (const name of special) scope.declareParameter(name);
  readBody(scope, node.body);
  scope.settle();
  const body = compileBody(node.body, startPlace(compilation, scope, autoescape));
  const enter = enterScope(scope);
  const selfSlot = special.has('self') ? scope.find('self')?.slot : undefined;
  const superSlot = special.has('super') ? scope.find('super')?.slot : undefined;
  const block: CompiledBlock = {
    name: node.name,
    slots: unit.slots,
    run: (frame) => {
      if (selfSlot !== undefined) frame.slots[selfSlot] = new TemplateReference(frame.context);
      if (superSlot !== undefined) frame.slots[superSlot] = frame.context.superOf(block);
      enter?.(frame);
      body(frame);
    },
  };
  return block;
}

function startPlace(compilation: TemplateCompilation, scope: Scope, autoescape: boolean): CompilePlace {
  return {
    compilation,
    scope,
    unit: scope.unit,
    topLevel: false,
    certain: false,
    branch: false,
    checksOutput: false,
    autoescape,
    volatile: false,
    captured: undefined,
  };
}
