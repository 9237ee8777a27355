/**
 * These functions compile text and `{{ … }}`, with the rule that a template which extends another writes nothing of its
 * own.
 */
import type { CallNode, OutputNode, Statement, TextNode } from '../parse/ast.ts';
import { finalText, isContainer } from '../render/finalize.ts';
import { TextFunction } from '../render/text-function.ts';
import { Markup } from '../values/text/markup.ts';
import { escapeHtml, escapeText } from '../values/text/markup-escape.ts';
import type { Arguments, Value } from '../values/value.ts';
import { compileCallParts } from './compile-call.ts';
import { compileExpression } from './compile-parts.ts';
import { type CompilePlace, frameFinder, siteOf } from './compile-place.ts';
import { type Execute, GO_ON } from './compiled-template.ts';
import type { Frame } from './frame.ts';
import { isConstant } from './is-constant.ts';
import type { Unit } from './scope.ts';
import type { Site } from './site.ts';

/** undefined: the statement can never write. */
export function compileText(node: TextNode, place: CompilePlace, joins: boolean): Execute | undefined {
  const { text } = node;
  const site = siteOf(place, node.at, true);
  return unlessExtending(place, (frame) => {
    if (joins) frame.out.append(text, site);
    else frame.out.write(text, site);
    return GO_ON;
  });
}

/** Text, and what is constant: neighbours of this kind are one piece of the output. */
export function isFixed(node: Statement | undefined, place: CompilePlace): boolean {
  return node?.kind === 'text' || (node?.kind === 'output' && isConstant(node.value, place));
}

/** Whether text and the output right after it can be one step, which most of a template consists of. */
export function isTextThenOutput(
  text: TextNode,
  node: Statement | undefined,
  place: CompilePlace,
): node is OutputNode {
  const plain = !place.autoescape && !place.volatile;
  return (
    plain &&
    node?.kind === 'output' &&
    node.value.kind !== 'call' &&
    text.text !== '' &&
    !isFixed(node, place)
  );
}

export function compilePair(textNode: TextNode, node: OutputNode, place: CompilePlace): Execute | undefined {
  const { text } = textNode;
  const textSite = siteOf(place, textNode.at, true);
  const value = compileExpression(node.value, place);
  const site = siteOf(place, node.value.at);
  return unlessExtending(place, (frame) => {
    frame.out.write(text, textSite);
    const result = value(frame);
    if (typeof result === 'string') frame.out.write(result, site);
    else writePrinted(result, frame, site);
    return GO_ON;
  });
}

export function compileOutput(node: OutputNode, place: CompilePlace, joins: boolean): Execute | undefined {
  if (joins) return unlessExtending(place, compileJoined(node, place));
  if (node.value.kind === 'call') return unlessExtending(place, compileCallOutput(node.value, place));
  const value = compileExpression(node.value, place);
  const site = siteOf(place, node.value.at);
  if (!place.volatile && !place.autoescape)
    return unlessExtending(place, (frame) => {
      const result = value(frame);
      if (typeof result === 'string') frame.out.write(result, site);
      else writePrinted(result, frame, site);
      return GO_ON;
    });
  // Jinja2 computes what is constant beforehand, when it does not know yet what `autoescape` will say.
  const constant = isConstant(node.value, place);
  const known = place.volatile && constant ? { ...place, volatile: false } : place;
  const print = printer(known, site, constant);
  return unlessExtending(place, (frame) => {
    frame.out.write(print(value(frame), frame), site);
    return GO_ON;
  });
}

/** A constant right after text or another constant. */
function compileJoined(node: OutputNode, place: CompilePlace): Execute {
  const value = compileExpression(node.value, place);
  const site = siteOf(place, node.value.at);
  const print = printer({ ...place, volatile: false }, site, true);
  return (frame) => {
    frame.out.append(print(value(frame), frame), site);
    return GO_ON;
  };
}

function writePrinted(value: Value, frame: Frame, site: Site): void {
  frame.pass.at = site;
  frame.out.write(finalText(value), site);
}

/** `{{ macro(…) }}` and its kin write straight into the output. */
function compileCallOutput(node: CallNode, place: CompilePlace): Execute {
  const { callee, args, site } = compileCallParts(node, place);
  const print = printer(place, site, false);
  return (frame) => {
    const target = callee(frame);
    const given = args(frame);
    frame.pass.at = site;
    const escapes = place.volatile ? frame.context.autoescape : place.autoescape;
    if (target instanceof TextFunction && (!escapes || target.isMarkup(frame.context)))
      writeCall(target, given, frame);
    else frame.out.write(print(frame.context.call(target, given), frame), site);
    return GO_ON;
  };
}

/** What the call writes is one piece of the output. */
export function writeCall(target: TextFunction, args: Arguments, frame: Frame): void {
  const before = frame.out.beginPiece();
  target.write(args, frame.context);
  frame.out.endPiece(before);
}

type Print = (value: Value, frame: Frame) => string;

/** How a value is written here: escaped or not. Jinja2 escapes what is constant before the finalizer sees it. */
function printer(place: CompilePlace, site: Site, constant: boolean): Print {
  return (value, frame) => {
    const escapes = place.volatile ? frame.context.autoescape : place.autoescape;
    if (typeof value === 'string') return escapes ? escapeText(value) : value;
    frame.pass.at = site;
    if (!escapes) return finalText(value);
    return !constant && isContainer(value) ? escapeText(finalText(value)) : escapeHtml(value).text;
  };
}

/** What a filter block or call block gave: it must be text already, and is not escaped. */
export function writeText(value: Value, frame: Frame, site: Site): void {
  frame.pass.at = site;
  if (typeof value === 'string') frame.out.write(value, site);
  else if (value instanceof Markup) frame.out.write(value.text, site);
  else frame.out.writeMisfit(value);
}

/** Leaves the statement out where the template surely extends another, and asks at run time where it may. */
function unlessExtending(place: CompilePlace, execute: Execute): Execute | undefined {
  if (!place.checksOutput) return execute;
  if (place.compilation.extendsForSure) return undefined;
  return unlessExtended(place.unit, execute);
}

export function unlessExtended(unit: Unit, execute: Execute): Execute {
  let root = unit;
  while (root.outer !== undefined) root = root.outer;
  const rootFrame = frameFinder(root, unit);
  return (frame) => {
    const top = rootFrame === undefined ? frame : rootFrame(frame);
    return top.parent === undefined ? execute(frame) : GO_ON;
  };
}
