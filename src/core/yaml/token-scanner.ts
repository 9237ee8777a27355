/**
 * `TokenScanner` cuts a YAML text into tokens, as the loader of Salt does (YAML 1.1). Indentation becomes tokens too:
 * where a block begins and where it ends. A key is known only when its colon is seen (simple-keys.ts), so tokens wait
 * until nothing can be put before them.
 *
 * One pass; each character is looked at a fixed number of times.
 */
import { assert } from '../assert.ts';
import { scanBlockScalar } from './scan-block-scalar.ts';
import { scanPlain, scanQuoted } from './scan-flow-scalars.ts';
import { scanAnchorName, scanDirective, scanTag } from './scan-names.ts';
import { SimpleKeys } from './simple-keys.ts';
import { BYTE_ORDER_MARK, isBreakOrEnd, isBreakUnit, isGap, isOneOf, SPACE, TAB } from './yaml-characters.ts';
import type { YamlPosition } from './yaml-node.ts';
import { yamlProblem } from './yaml-problem.ts';
import type { YamlSource } from './yaml-source.ts';
import type { MarkKind, YamlToken } from './yaml-tokens.ts';

const PERCENT = 0x25;

export class TokenScanner {
  private readonly source: YamlSource;
  private readonly keys: SimpleKeys;
  /** Tokens from `next` on wait to be read. */
  private readonly tokens: YamlToken[] = [];
  private next = 0;
  /** The one at `next`, once nothing can be put before it. */
  private ready: YamlToken | undefined;
  /** How many tokens were let go of before those of `tokens`. */
  private gone = 0;
  /** Columns of the blocks around the place, the innermost last. */
  private readonly indents: number[] = [];
  private indent = -1;
  /** Whether a key without `?` may begin here. */
  private allowsKey = true;
  private isDone = false;

  constructor(source: YamlSource) {
    this.source = source;
    this.keys = new SimpleKeys(source);
  }

  peek(): YamlToken {
    if (this.ready !== undefined) return this.ready;
    while (this.needsMore()) this.fetch();
    const token = this.tokens[this.next];
    assert(token !== undefined, 'nobody reads beyond the end of the tokens');
    this.ready = token;
    return token;
  }

  take(): YamlToken {
    const token = this.peek();
    this.ready = undefined;
    this.next++;
    if (this.next === this.tokens.length) {
      this.gone += this.next;
      this.tokens.length = 0;
      this.next = 0;
    }
    return token;
  }

  private needsMore(): boolean {
    if (this.isDone) return false;
    return this.next === this.tokens.length || this.keys.firstOpenToken() === this.gone + this.next;
  }

  private fetch(): void {
    const { source } = this;
    this.skipToToken();
    this.keys.dropStale();
    this.closeBlocks(source.column);
    if (source.isAtEnd) this.endStream();
    else if (source.column > 0) this.fetchInDocument();
    else if (source.unit() === PERCENT) this.directive();
    else if (source.isAtDocumentMark('---')) this.documentMark('document start');
    else if (source.isAtDocumentMark('...')) this.documentMark('document end');
    else this.fetchInDocument();
  }

  private fetchInDocument(): void {
    const unit = this.source.unit();
    const character = String.fromCharCode(unit);
    switch (character) {
      case '[':
      case '{':
        this.openBracket(character);
        break;
      case ']':
      case '}':
        this.closeBracket(character);
        break;
      case ',':
        this.comma();
        break;
      case '*':
        this.named('alias');
        break;
      case '&':
        this.named('anchor');
        break;
      case '!':
        this.tag();
        break;
      case "'":
      case '"':
        this.quoted();
        break;
      default:
        this.fetchMarkOrText(character, unit);
    }
  }

  /** What is a mark only where a blank follows, or only in brackets, or only outside of them. */
  private fetchMarkOrText(character: string, unit: number): void {
    const isAlone = isGap(this.source.unit(1));
    if (character === '-' && isAlone) this.blockEntry();
    else if (character === '?' && (isAlone || this.inFlow)) this.explicitKey();
    else if (character === ':' && (isAlone || this.inFlow)) this.value();
    else if ((character === '|' || character === '>') && !this.inFlow) this.block();
    else this.plain(unit);
  }

  private get inFlow(): boolean {
    return this.keys.flowDepth > 0;
  }

  private skipToToken(): void {
    const { source } = this;
    for (;;) {
      // Files that were put together from others have one in the middle.
      if (source.unit() === BYTE_ORDER_MARK && source.column === 0) source.offset++;
      while (source.unit() === SPACE || (source.unit() === TAB && (this.inFlow || !this.allowsKey)))
        source.offset++;
      if (source.unit() === 0x23 /* # */) source.skipWhile((unit) => !isBreakOrEnd(unit));
      if (!isBreakUnit(source.unit())) return;
      source.readBreak();
      if (!this.inFlow) this.allowsKey = true;
    }
  }

  private endStream(): void {
    this.closeBlocks(-1);
    this.keys.drop();
    this.push({ kind: 'stream end', at: this.source.at() });
    this.isDone = true;
  }

  private directive(): void {
    const at = this.source.at();
    this.endDocument();
    this.push({ kind: 'directive', at, directive: scanDirective(this.source) });
  }

  private documentMark(kind: 'document start' | 'document end'): void {
    this.endDocument();
    this.mark(kind, 3);
  }

  private endDocument(): void {
    this.closeBlocks(-1);
    this.keys.drop();
    this.allowsKey = false;
  }

  private openBracket(kind: '[' | '{'): void {
    this.saveKey(this.source.at());
    this.keys.openLevel();
    this.allowsKey = true;
    this.mark(kind);
  }

  private closeBracket(kind: ']' | '}'): void {
    this.keys.drop();
    this.keys.closeLevel();
    this.allowsKey = false;
    this.mark(kind);
  }

  private comma(): void {
    this.keys.drop();
    this.allowsKey = true;
    this.mark(',');
  }

  private blockEntry(): void {
    if (!this.inFlow) {
      if (!this.allowsKey)
        throw this.source.invalid(yamlProblem`a list cannot begin here; start it on a line of its own`);
      this.openBlock(this.source.column, 'sequence start', this.source.at());
    }
    this.keys.drop();
    this.allowsKey = true;
    this.mark('-');
  }

  private explicitKey(): void {
    if (!this.inFlow) {
      if (!this.allowsKey) throw this.source.invalid(yamlProblem`a key cannot begin here`);
      this.openBlock(this.source.column, 'mapping start', this.source.at());
    }
    this.keys.drop();
    this.allowsKey = !this.inFlow;
    this.mark('?');
  }

  private value(): void {
    const key = this.keys.take();
    if (key !== undefined) {
      const index = key.token - this.gone;
      this.tokens.splice(index, 0, { kind: '?', at: key.at });
      this.openBlock(key.offset - key.lineStart, 'mapping start', key.at, index);
      this.allowsKey = false;
    } else {
      if (!this.inFlow) {
        if (!this.allowsKey)
          throw this.source.invalid(
            yamlProblem`a colon cannot stand here; put text with ": " in it in quotes`,
          );
        this.openBlock(this.source.column, 'mapping start', this.source.at());
      }
      this.allowsKey = !this.inFlow;
    }
    this.mark(':');
  }

  private named(kind: 'alias' | 'anchor'): void {
    const at = this.source.at();
    this.saveKey(at);
    this.allowsKey = false;
    this.push({ kind, at, name: scanAnchorName(this.source) });
  }

  private tag(): void {
    const at = this.source.at();
    this.saveKey(at);
    this.allowsKey = false;
    const from = this.source.offset;
    const tag = scanTag(this.source, this.inFlow);
    this.push({ kind: 'tag', at, tag, range: { from, to: this.source.offset } });
  }

  private block(): void {
    this.keys.drop();
    this.allowsKey = true;
    const at = this.source.at();
    const from = this.source.offset;
    const { value, end } = scanBlockScalar(this.source, this.indent);
    this.push({ kind: 'scalar', at, text: value, isPlain: false, range: { from, to: end } });
  }

  private quoted(): void {
    const at = this.source.at();
    this.saveKey(at);
    this.allowsKey = false;
    const from = this.source.offset;
    const text = scanQuoted(this.source);
    this.push({ kind: 'scalar', at, text, isPlain: false, range: { from, to: this.source.offset } });
  }

  private plain(unit: number): void {
    if (unit === TAB) throw this.source.invalid(yamlProblem`a tab cannot stand here; YAML takes spaces only`);
    if (isOneOf(unit, ',[]{}#&*!|>\'"%@`'))
      throw this.source.invalid(
        yamlProblem`no text can begin with ${String.fromCharCode(unit)}; put it in quotes`,
      );
    const at = this.source.at();
    this.saveKey(at);
    this.allowsKey = false;
    const from = this.source.offset;
    const { value, end, endsLine } = scanPlain(this.source, this.inFlow, this.indent + 1);
    if (endsLine) this.allowsKey = true;
    this.push({ kind: 'scalar', at, text: value, isPlain: true, range: { from, to: end } });
  }

  private saveKey(at: YamlPosition): void {
    if (!this.allowsKey) return;
    const { offset, lineStart } = this.source;
    this.keys.save({
      token: this.gone + this.tokens.length,
      offset,
      lineStart,
      at,
      isRequired: !this.inFlow && this.indent === offset - lineStart,
    });
  }

  private openBlock(
    column: number,
    kind: 'sequence start' | 'mapping start',
    at: YamlPosition,
    index = this.tokens.length,
  ): void {
    if (this.inFlow || this.indent >= column) return;
    this.indents.push(this.indent);
    this.indent = column;
    if (index === this.tokens.length) this.push({ kind, at });
    else this.tokens.splice(index, 0, { kind, at });
  }

  private closeBlocks(column: number): void {
    if (this.inFlow) return;
    while (this.indent > column) {
      this.push({ kind: 'block end', at: this.source.at() });
      this.indent = this.indents.pop() ?? -1;
    }
  }

  private mark(kind: MarkKind, length = 1): void {
    const at = this.source.at();
    this.source.offset += length;
    this.push({ kind, at });
  }

  private push(token: YamlToken): void {
    this.tokens.push(token);
  }
}
