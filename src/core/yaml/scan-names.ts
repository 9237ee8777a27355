/** These functions read what begins with a mark of its own: anchors and aliases, tags, and directives. */
import { isBlankUnit, isBreakOrEnd, isGap, isNameUnit, isOneOf } from './yaml-characters.ts';
import { yamlProblem } from './yaml-problem.ts';
import type { YamlSource } from './yaml-source.ts';

/** `&name` or `*name`. */
export function scanAnchorName(source: YamlSource): string {
  const mark = source.text[source.offset] ?? '';
  const at = source.at();
  source.offset++;
  const name = readName(source);
  if (name === '' || !(isGap(source.unit()) || isOneOf(source.unit(), '?:,]}%@`')))
    throw source.invalid(
      yamlProblem`${mark} begins the name of an anchor, which has letters, digits, - and _; put text with ${mark} in quotes`,
      at,
    );
  return name;
}

/** A tag as it was written: `!!str` has the handle `!!` and the suffix `str`; `!<x>` has no handle. */
export interface WrittenTag {
  readonly handle: string;
  readonly suffix: string;
}

export function scanTag(source: YamlSource, inFlow: boolean): WrittenTag {
  const at = source.at();
  const tag = source.unit(1) === 0x3c /* < */ ? verbatimTag(source) : shortTag(source);
  if (isGap(source.unit()) || (inFlow && source.unit() === 0x2c)) /* , */ return tag;
  throw source.invalid(yamlProblem`a tag needs a blank behind it; put text that begins with ! in quotes`, at);
}

function verbatimTag(source: YamlSource): WrittenTag {
  source.offset += 2;
  const suffix = readUri(source, true);
  if (suffix === '' || source.unit() !== 0x3e /* > */)
    throw source.invalid(yamlProblem`a tag that begins with !< ends with >`);
  source.offset++;
  return { handle: '', suffix };
}

function shortTag(source: YamlSource): WrittenTag {
  source.offset++;
  const name = readName(source);
  if (source.unit() !== 0x21 /* ! */) {
    const suffix = name + readUri(source, false);
    return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
  }
  source.offset++;
  const suffix = readUri(source, false);
  if (suffix === '') throw source.invalid(yamlProblem`the tag !${name}! has no name`);
  return { handle: `!${name}!`, suffix };
}

export type Directive =
  | { readonly name: 'YAML'; readonly version: string }
  | { readonly name: 'TAG'; readonly handle: string; readonly prefix: string };

/** A line that begins with `%`. */
export function scanDirective(source: YamlSource): Directive {
  const at = source.at();
  source.offset++;
  const name = readName(source);
  if (name !== 'YAML' && name !== 'TAG')
    throw source.invalid(yamlProblem`%${name} is no directive of YAML`, at);
  source.skipWhile(isBlankUnit);
  const directive: Directive =
    name === 'YAML' ? { name, version: readVersion(source) } : { name, ...readTagPrefix(source) };
  source.skipWhile(isBlankUnit);
  if (source.unit() === 0x23 /* # */) source.skipWhile((unit) => !isBreakOrEnd(unit));
  if (!isBreakOrEnd(source.unit())) throw source.invalid(yamlProblem`behind %${name} there is too much`, at);
  source.readBreak();
  return directive;
}

function readVersion(source: YamlSource): string {
  const version = /^[0-9]{1,9}\.[0-9]{1,9}(?![0-9])/.exec(
    source.text.slice(source.offset, source.offset + 24),
  )?.[0];
  if (version === undefined) throw source.invalid(yamlProblem`%YAML needs a version, such as 1.1`);
  source.offset += version.length;
  return version;
}

function readTagPrefix(source: YamlSource): { readonly handle: string; readonly prefix: string } {
  const at = source.at();
  const handle = /^!(?:[A-Za-z0-9_-]*!)?(?=[ \t])/.exec(
    source.text.slice(source.offset, source.offset + 1000),
  )?.[0];
  if (handle === undefined)
    throw source.invalid(yamlProblem`%TAG needs a handle, such as !e!, and a prefix`, at);
  source.offset += handle.length;
  source.skipWhile(isBlankUnit);
  const prefix = readUri(source, true);
  if (prefix === '' || !isGap(source.unit()))
    throw source.invalid(yamlProblem`%TAG ${handle} needs a prefix`, at);
  return { handle, prefix };
}

function readName(source: YamlSource): string {
  const start = source.offset;
  source.skipWhile(isNameUnit);
  return source.text.slice(start, source.offset);
}

function readUri(source: YamlSource, isWhole: boolean): string {
  const start = source.offset;
  const marks = isWhole ? ";/?:@&=+$.!~*'()%,[]" : ";/?:@&=+$.!~*'()%";
  source.skipWhile((unit) => isNameUnit(unit) || isOneOf(unit, marks));
  const written = source.text.slice(start, source.offset);
  try {
    return written.includes('%') ? decodeURIComponent(written) : written;
  } catch {
    throw source.invalid(yamlProblem`${written} has a % without two hexadecimal digits behind it`);
  }
}
