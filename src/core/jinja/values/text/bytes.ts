/** `Bytes` is Python's bytes. Its methods are in `bytes-methods.ts`. */
import { orderSign } from '../compare.ts';
import { typeName } from '../type-name.ts';
import { type OrderOperator, PyObject, PythonError, type Value } from '../value.ts';

export class Bytes extends PyObject {
  override readonly typeName = 'bytes';
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super();
    this.bytes = bytes;
  }

  override repr(): string {
    const double = this.bytes.includes(0x27) && !this.bytes.includes(0x22);
    const quote = double ? '"' : "'";
    let text = '';
    for (const byte of this.bytes) text += byteText(byte, quote);
    return `b${quote}${text}${quote}`;
  }
  override truthy(): boolean {
    return this.bytes.length > 0;
  }
  override length(): number {
    return this.bytes.length;
  }
  override iterate(): Iterator<Value> {
    return this.bytes[Symbol.iterator]();
  }
  override contains(value: Value): boolean {
    if (value instanceof Bytes) return latin1(this.bytes).includes(latin1(value.bytes));
    const byte = typeof value === 'boolean' ? Number(value) : value;
    if (typeof byte === 'bigint' || (typeof byte === 'number' && (byte < 0 || byte > 255)))
      throw new PythonError('ValueError', 'byte must be in range(0, 256)');
    if (typeof byte !== 'number')
      throw new PythonError('TypeError', `a bytes-like object is required, not '${typeName(value)}'`);
    return this.bytes.includes(byte);
  }
  override equals(other: Value): boolean {
    return other instanceof Bytes && latin1(other.bytes) === latin1(this.bytes);
  }
  override order(operator: OrderOperator, other: Value): boolean | undefined {
    if (!(other instanceof Bytes)) return undefined;
    const left = latin1(this.bytes);
    const right = latin1(other.bytes);
    return orderSign(operator, left < right ? -1 : left > right ? 1 : 0);
  }
  override hashKey(): string {
    return `bytes:${latin1(this.bytes)}`;
  }
}

const BYTE_ESCAPES: Readonly<Record<number, string>> = { 92: '\\\\', 9: '\\t', 10: '\\n', 13: '\\r' };

function byteText(byte: number, quote: string): string {
  const short = BYTE_ESCAPES[byte];
  if (short !== undefined) return short;
  if (byte < 0x20 || byte > 0x7e) return `\\x${byte.toString(16).padStart(2, '0')}`;
  const character = String.fromCharCode(byte);
  return character === quote ? `\\${character}` : character;
}

/** One character per byte, so that JavaScript's string functions work on bytes. */
export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

export function fromLatin1(text: string): Bytes {
  return new Bytes(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}
