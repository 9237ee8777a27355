/**
 * `SecretBook` knows the secrets of a process and takes them out of whatever leaves it: each occurrence, in any of the
 * spellings of secret-forms.ts, becomes `[secret <path>]` (decision 22). Whoever opens a secret teaches it first; whatever
 * is logged, stored or sent is redacted last.
 *
 * Nothing is unlearned when a secret is rotated: a program may go on printing the old value. Bounds: `VALUES_MAX` values and
 * `VALUE_UNITS_MAX` characters of them; beyond, the value that was learned longest ago is forgotten. A peel learns all
 * its secrets again at every resolve, and all of them fit a record of the bus, so what is forgotten is a former value.
 *
 * Two secrets that overlap in a text are both hidden to the end. A marker that stands there already stays as it is, also
 * where a secret is a word such as `root` that its path has in it. A secret that is an ordinary word makes that word
 * unreadable everywhere: that is safe, and the marker says which one it was. Pure.
 */
import { type DataMap, type DataValue, dataEntries, dataMapOf, isDataMap } from '../data/data-value.ts';
import { LruMap } from '../lru-map.ts';
import { YamlFloat } from '../yaml/yaml-data.ts';
import { PATTERN_UNITS_MIN } from './pattern-search.ts';
import { SecretSearch, type TextRange } from './secret-search.ts';

/** More than a record of 1 MiB can hold, the least that a sealed value takes being about 100 bytes. */
const VALUES_MAX = 20_000;
const VALUE_UNITS_MAX = 2 * 1_048_576;
/** A path has no blanks and no brackets. */
const MARKER = /\[secret ([^\s[\]]+)\]/g;

export class SecretBook {
  /** Path by value. */
  private readonly values: LruMap<string, string>;
  /** The paths of markers. */
  private readonly paths: LruMap<string, true>;
  /** Made when the next text comes; undefined after something was learned. */
  private search: SecretSearch | undefined;

  constructor(valuesMax: number = VALUES_MAX) {
    const weightOf = (_path: string, value: string) => value.length;
    this.values = new LruMap({ entriesMax: valuesMax, weightMax: VALUE_UNITS_MAX, weightOf });
    this.paths = new LruMap(valuesMax);
  }

  /** From now on the value is hidden. A value of fewer than four characters cannot be, and is not kept. */
  learn(path: string, value: string): void {
    if (value.trim().length < PATTERN_UNITS_MIN) return;
    const known = this.values.get(value);
    this.paths.set(path, true);
    if (known !== undefined) return;
    this.values.set(value, path);
    this.search = undefined;
  }

  /** The same text object where there is nothing to hide. */
  redact(text: string): string {
    return this.hide(text, false);
  }

  /** The same for a text whose end was cut off, without a mark: of what is left of a secret there, less is enough. */
  redactCut(text: string): string {
    return this.hide(text, true);
  }

  /**
   * Data with every text in it redacted, keys and byte strings too; the same object where there is nothing to hide. A number
   * that is a secret becomes text. Of two keys that become one the later wins.
   */
  redactValue<Value extends DataValue>(value: Value): Value {
    return (this.values.size === 0 ? value : this.redacted(value)) as Value;
  }

  private hide(text: string, isCut: boolean): string {
    if (this.values.size === 0 || text.length < PATTERN_UNITS_MIN) return text;
    this.search ??= new SecretSearch(this.secrets());
    const ranges = this.search.find(text, this.markers(text), isCut);
    if (ranges.length === 0) return text;
    let shown = '';
    let end = 0;
    for (const { from, to, paths } of ranges) {
      shown += text.slice(end, from) + paths.map(markerOf).join('');
      end = to;
    }
    return shown + text.slice(end);
  }

  private redacted(value: DataValue): DataValue {
    if (typeof value === 'string') return this.redact(value);
    if (typeof value === 'number' || typeof value === 'bigint') return this.redactedNumber(value, `${value}`);
    if (value instanceof YamlFloat) return this.redactedNumber(value, `${value.value}`);
    if (value instanceof Uint8Array) return this.redactedBytes(value);
    if (Array.isArray(value)) return this.redactedList(value as readonly DataValue[]);
    return isDataMap(value) ? this.redactedMap(value) : value;
  }

  /** As a whole only: a number that has the digits of a secret somewhere in it would be every timestamp. */
  private redactedNumber<N extends DataValue>(number: N, digits: string): N | string {
    const path = this.values.peek(digits);
    return path === undefined ? number : markerOf(path);
  }

  private redactedBytes(bytes: Uint8Array): Uint8Array {
    // One character a byte. The bytes of a text that is not ASCII are among the forms, and so is everything encoded.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const shown = this.redact(text);
    return shown === text ? bytes : Uint8Array.from(Buffer.from(shown, 'latin1'));
  }

  private redactedList(list: readonly DataValue[]): readonly DataValue[] {
    const shown = list.map((item) => this.redacted(item));
    return shown.some((item, at) => item !== list[at]) ? shown : list;
  }

  private redactedMap(map: DataMap): DataMap {
    const entries = dataEntries(map);
    const shown = entries.map(
      ([key, value]) => [this.redacted(key) as DataValue, this.redacted(value)] as const,
    );
    const isSame = shown.every(([key, value], at) => key === entries[at]?.[0] && value === entries[at]?.[1]);
    if (isSame) return map;
    return map instanceof Map ? dataMapOf(shown) : (Object.fromEntries(shown) as DataMap);
  }

  private *secrets(): Generator<readonly [path: string, value: string]> {
    for (const value of this.values.keys()) yield [this.values.peek(value) ?? '', value];
  }

  /** Where markers of this book stand in the text. */
  private markers(text: string): readonly TextRange[] {
    return [...text.matchAll(MARKER)]
      .filter(([, path = '']) => this.paths.has(path))
      .map((match) => ({ from: match.index, to: match.index + match[0].length }));
  }
}

export function markerOf(path: string): string {
  return `[secret ${path}]`;
}
