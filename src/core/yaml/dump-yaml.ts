/**
 * `dumpYaml` prints data as Salt's dumper does, which is libyaml's emitter, to the character: order of keys, quotes, folded lines, anchors
 * for what is there twice. Salt's `yaml` filter and files written by states are compared with what Salt would have
 * written.
 */
import { encodeBase64 } from '../base64.ts';
import { needsQuotes } from './resolve-plain.ts';
import { scalarShape } from './scalar-shape.ts';
import { sortedKeys } from './sort-keys.ts';
import { type YamlData, YamlFloat, YamlUnknown } from './yaml-data.ts';
import { YamlWriter } from './yaml-writer.ts';

export interface DumpYamlOptions {
  /** `true`: {a: [1]}; `false`: one line for each item; `'leaves'`: only what holds no collection is in brackets. */
  readonly flow?: boolean | 'leaves';
  readonly sortKeys?: boolean;
  /** Blanks for each level, 2 to 9. */
  readonly indent?: number;
  /** Lines fold at the first blank after this column. */
  readonly width?: number;
  /** Letters outside of ASCII as they are, instead of as escapes. */
  readonly allowUnicode?: boolean;
}

const INDENT = 2;
const WIDTH = 80;
/** A key of more bytes is written with `?`. */
const SIMPLE_KEY_MAX = 128;

export function dumpYaml(data: YamlData, options: DumpYamlOptions = {}): string {
  return new YamlPrinter(data, options).print(data);
}

type Collection = readonly YamlData[] | ReadonlyMap<YamlData, YamlData>;

interface Place {
  readonly isKey: boolean;
  readonly inMapping: boolean;
  readonly isRoot: boolean;
}

const ROOT: Place = { isKey: false, inMapping: false, isRoot: true };
const ITEM: Place = { isKey: false, inMapping: false, isRoot: false };
const VALUE: Place = { isKey: false, inMapping: true, isRoot: false };
const KEY: Place = { isKey: true, inMapping: true, isRoot: false };

class YamlPrinter {
  private readonly flow: boolean | 'leaves';
  private readonly sortKeys: boolean;
  private readonly indentBy: number;
  private readonly allowUnicode: boolean;
  private readonly writer: YamlWriter;
  /** Collections that stand in several places, and the number of their anchor once it is written. */
  private readonly shared: ReadonlySet<Collection>;
  private readonly anchors = new Map<Collection, number>();
  private flowLevel = 0;

  constructor(data: YamlData, options: DumpYamlOptions) {
    const { flow = false, sortKeys = true, indent = INDENT, width = WIDTH, allowUnicode = false } = options;
    this.flow = flow;
    this.sortKeys = sortKeys;
    this.indentBy = indent > 1 && indent < 10 ? indent : INDENT;
    this.allowUnicode = allowUnicode;
    this.writer = new YamlWriter(width > this.indentBy * 2 ? width : WIDTH, allowUnicode);
    this.shared = sharedCollections(data);
  }

  print(data: YamlData): string {
    this.node(data, ROOT);
    this.writer.startLine();
    return this.writer.text();
  }

  private node(data: YamlData, place: Place): void {
    if (!isCollection(data)) {
      this.scalar(data, place);
      return;
    }
    const known = this.anchors.get(data);
    if (known !== undefined) {
      this.writer.indicator(`*${anchorName(known)}`, { blankBefore: true });
      return;
    }
    if (this.shared.has(data)) {
      const number = this.anchors.size + 1;
      this.anchors.set(data, number);
      this.writer.indicator(`&${anchorName(number)}`, { blankBefore: true });
    }
    this.collection(data, place);
  }

  private collection(data: Collection, place: Place): void {
    const isFlow = this.flowLevel > 0 || isEmpty(data) || this.wantsFlow(data);
    const before = this.writer.indent;
    if (isFlow) this.flowCollection(data);
    else if (isMapping(data)) this.blockMapping(data);
    else this.blockSequence(data, place);
    this.writer.indent = before;
  }

  private wantsFlow(data: Collection): boolean {
    if (this.flow !== 'leaves') return this.flow;
    return (isMapping(data) ? [...data].flat() : data).every(
      (item) => !isCollection(item) && !(item instanceof Uint8Array),
    );
  }

  private deeper(isFlow: boolean, stays = false): void {
    const { indent } = this.writer;
    if (indent === undefined) this.writer.indent = isFlow ? this.indentBy : 0;
    else if (!stays) this.writer.indent = indent + this.indentBy;
  }

  private blockSequence(items: readonly YamlData[], place: Place): void {
    // Under a key, dashes stand in the key's own column.
    this.deeper(false, place.inMapping && !this.writer.inIndentation);
    for (const item of items) {
      this.writer.startLine();
      this.writer.indicator('-', { blankBefore: true, indents: true });
      this.node(item, ITEM);
    }
  }

  private blockMapping(entries: ReadonlyMap<YamlData, YamlData>): void {
    this.deeper(false);
    for (const key of this.keys(entries)) {
      this.writer.startLine();
      if (this.isSimpleKey(key)) {
        this.node(key, KEY);
        this.writer.indicator(':', {});
      } else {
        this.writer.indicator('?', { blankBefore: true, indents: true });
        this.node(key, VALUE);
        this.writer.startLine();
        this.writer.indicator(':', { blankBefore: true, indents: true });
      }
      this.node(entries.get(key) ?? null, VALUE);
    }
  }

  private flowCollection(data: Collection): void {
    const [open, close] = isMapping(data) ? ['{', '}'] : ['[', ']'];
    this.writer.indicator(open, { blankBefore: true, opens: true });
    this.flowLevel++;
    this.deeper(true);
    const items = isMapping(data) ? this.keys(data) : data;
    for (const [index, item] of items.entries()) {
      if (index > 0) this.writer.indicator(',', {});
      this.foldFlow();
      if (isMapping(data)) this.flowEntry(item, data.get(item) ?? null);
      else this.node(item, ITEM);
    }
    this.flowLevel--;
    this.writer.indicator(close, {});
  }

  private flowEntry(key: YamlData, value: YamlData): void {
    if (this.isSimpleKey(key)) {
      this.node(key, KEY);
      this.writer.indicator(':', {});
    } else {
      this.writer.indicator('?', { blankBefore: true });
      this.node(key, VALUE);
      this.foldFlow();
      this.writer.indicator(':', { blankBefore: true });
    }
    this.node(value, VALUE);
  }

  private foldFlow(): void {
    if (this.writer.column > this.writer.width) this.writer.startLine();
  }

  private keys(entries: ReadonlyMap<YamlData, YamlData>): readonly YamlData[] {
    const keys = [...entries.keys()];
    return this.sortKeys ? sortedKeys(keys) : keys;
  }

  private isSimpleKey(key: YamlData): boolean {
    if (isCollection(key)) return this.anchors.has(key) || isEmpty(key);
    const { text, tag } = scalarText(key);
    const points = [...text];
    const shape = scalarShape(points, this.allowUnicode);
    return tag.length + utf8Length(text) <= SIMPLE_KEY_MAX && !shape.isMultiline;
  }

  /** Further lines of a scalar stand one level deeper than its first. */
  private scalar(data: Scalar, place: Place): void {
    const before = this.writer.indent;
    this.deeper(true);
    this.styled(data, place);
    this.writer.indent = before;
  }

  private styled(data: Scalar, place: Place): void {
    const { text, tag } = scalarText(data);
    const points = [...text];
    const shape = scalarShape(points, this.allowUnicode);
    if (data instanceof Uint8Array) {
      this.writer.indicator(tag, { blankBefore: true });
      if (this.flowLevel === 0 && !shape.isEmpty) this.writer.literal(text.trimEnd().split('\n'));
      else this.writer.doubleQuoted(points, true);
      return;
    }
    const readsAsItself = typeof data !== 'string' || !needsQuotes(text);
    const fitsPlain = this.flowLevel > 0 ? shape.plainInFlow : shape.plainInBlock;
    if (readsAsItself && fitsPlain && !(place.isKey && (shape.isEmpty || shape.isMultiline))) {
      this.writer.plain(points, !place.isKey);
    } else if (shape.singleQuoted && !(place.isKey && shape.isMultiline)) {
      this.writer.singleQuoted(points, !place.isKey);
    } else this.writer.doubleQuoted(points, !place.isKey);
  }
}

type Scalar = Exclude<YamlData, Collection>;

function scalarText(data: Scalar): { readonly text: string; readonly tag: string } {
  if (data === null) return { text: 'null', tag: '!!null' };
  if (data instanceof YamlUnknown) return { text: data.text, tag: '!!null' };
  if (typeof data === 'boolean') return { text: String(data), tag: '!!bool' };
  if (data instanceof YamlFloat) return { text: pythonFloatText(data.value), tag: '!!float' };
  if (typeof data === 'string') return { text: data, tag: '!!str' };
  if (data instanceof Uint8Array) return { text: base64Lines(data), tag: '!!binary' };
  return { text: String(data), tag: '!!int' };
}

/** Each with a line feed; nothing for no bytes. */
function base64Lines(bytes: Uint8Array): string {
  return encodeBase64(bytes).replace(/.{1,76}/g, '$&\n');
}

function isCollection(data: YamlData): data is Collection {
  return Array.isArray(data) || data instanceof Map;
}

function isMapping(data: Collection): data is ReadonlyMap<YamlData, YamlData> {
  return data instanceof Map;
}

function isEmpty(data: Collection): boolean {
  return (isMapping(data) ? data.size : data.length) === 0;
}

function anchorName(number: number): string {
  return `id${String(number).padStart(3, '0')}`;
}

function sharedCollections(root: YamlData): ReadonlySet<Collection> {
  const seen = new Set<Collection>();
  const shared = new Set<Collection>();
  const visit = (data: YamlData): void => {
    if (!isCollection(data)) return;
    if (seen.has(data)) {
      shared.add(data);
      return;
    }
    seen.add(data);
    for (const child of isMapping(data) ? [...data].flat() : data) visit(child);
  };
  visit(root);
  return shared;
}

/** A float as PyYAML writes it: Python's shortest digits, with a point wherever YAML 1.1 wants one. */
function pythonFloatText(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  if (Object.is(value, -0)) return '-0.0';
  const [digits = '', exponentText = ''] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  // Python changes to an exponent below 1e-4 and from 1e16 on, and gives it two digits.
  if (exponent >= -4 && exponent < 16) return withPoint(plainDigits(value, digits, exponent));
  const sign = exponent < 0 ? '-' : '+';
  return `${withPoint(digits)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function plainDigits(value: number, digits: string, exponent: number): string {
  if (exponent >= 0) return value.toFixed(Math.max(digits.replace(/[-.]/g, '').length - 1 - exponent, 0));
  const sign = value < 0 ? '-' : '';
  return `${sign}0.${'0'.repeat(-exponent - 1)}${digits.replace(/[-.]/g, '')}`;
}

function withPoint(text: string): string {
  return text.includes('.') ? text : `${text}.0`;
}

function utf8Length(text: string): number {
  let length = 0;
  for (const point of text) {
    const code = point.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
