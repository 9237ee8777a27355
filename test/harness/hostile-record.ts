/**
 * `hostileRecord` makes records with a stranger's text in every field that can hold one. The fields come from the
 * tables of the codecs, so a new field is covered by itself; a kind of field that is not known here fails the tests.
 */
import type { Field, RecordCodec } from '../../src/wire/msgpack/codec.ts';
import { REGISTRY } from '../../src/wire/records/registry.ts';

/** Each is told apart by its letters, so that a test can say whose words it has found. */
export const HOSTILE_TEXTS: readonly string[] = [
  // Clears the screen, sets the title, by C0 and by C1.
  'ESC\u001b[2J\u001b]0;owned\u0007\u009b31m\u0090x\u009c',
  // Forges lines of ours, by all that some program takes for a line break.
  'NL\nweb-99:\n    true\r\nCR\rzester: all is well\u0085NEL\u2028LS\u2029PS\u000bVT\u000cFF',
  // Turns around and hides what stands beside it.
  'BIDI\u202e\u2066\u200f\u061c\u200b\u00ad\ufeff\u{e0041}END',
  // Reads as something else in YAML and JSON.
  'DATA: &a [*b, {c: !!js d}] # "\'\\',
];

const KEY_CHARS_MAX = 100;
const NAME_CHARS_MAX = 250;
/** Pads every row of a table, if it can. */
const LONG_CHARS = 15_000;

/** `given`: what the table cannot know, such as ids, and what is to hold. */
export function hostileRecord<T extends object>(codec: RecordCodec<T>, text: string, given: Partial<T>): T {
  const values = Object.entries<Field<unknown>>(codec.fields as Record<string, Field<unknown>>).map(
    ([property, field]) => [
      property,
      property in given ? (given as Record<string, unknown>)[property] : hostileValue(field.type, text),
    ],
  );
  return Object.fromEntries(values) as T;
}

function hostileValue(type: Field<unknown>['type'], text: string): unknown {
  const { label } = type;
  const [, list] = /^list of (.+)$/.exec(label) ?? [];
  if (list !== undefined && list !== 'text' && list !== 'name') return type.zero();
  if (list !== undefined) return [text.slice(0, NAME_CHARS_MAX)];
  const known = KINDS[label];
  if (known !== undefined) return known(text);
  const nested = REGISTRY.find(({ name }) => name === label);
  if (nested?.fields !== undefined) return hostileRecord(nested as RecordCodec<object>, text, {});
  if (PLAIN.includes(label)) return type.zero();
  throw new Error(
    `what a stranger may write into a field of kind ${label} is not known to hostile-record.ts`,
  );
}

const KINDS: Readonly<Record<string, (text: string) => unknown>> = {
  text: long,
  name: (text) => text.slice(0, NAME_CHARS_MAX).replace(/[\ud800-\udbff]$/, ''),
  'map of text': (text) => ({ [text.slice(0, KEY_CHARS_MAX)]: long(text), plain: text }),
  'map of any values': hostileData,
};

/** No text gets into them. */
const PLAIN = [
  'boolean',
  'integer',
  'epoch',
  'duration',
  'time',
  'any value',
  'job id',
  'peel id',
  'master id',
  'job status',
  'outcome',
];

export function hostileData(text: string): Record<string, unknown> {
  return {
    [text.slice(0, KEY_CHARS_MAX)]: [text, { deep: text }],
    os: { name: long(text), arch: text, family: text },
    bytes: Uint8Array.of(0xff, 0x1b, 0x5b),
  };
}

function long(text: string): string {
  return `${text}${'m'.repeat(LONG_CHARS)}`;
}
