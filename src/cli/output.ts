/**
 * Data for programs: JSON or YAML of plain values, with times as the wire spells them and bytes as `{"base64": "…"}`.
 * Values are kept as they are; characters that a terminal obeys are written as escapes.
 */
import { escapedInYaml, hasUnprintable, printableJson } from '../core/printable.ts';
import { WireTime } from '../wire/time.ts';

export type Format = 'text' | 'json' | 'yaml';

export async function formatData(value: unknown, format: 'json' | 'yaml'): Promise<string> {
  const plain = plainData(value);
  return format === 'json' ? `${printableJson(plain, 2)}\n` : yamlText(plain);
}

async function yamlText(plain: unknown): Promise<string> {
  // Loaded only when asked for: it would cost every other command its start-up time.
  const { Document, visit } = await import('yaml');
  const document = new Document(plain, { aliasDuplicateObjects: false });
  // Escapes exist between double quotes only.
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && hasUnprintable(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return escapedInYaml(document.toString({ lineWidth: 0 }));
}

/** What JSON can say: bigints as numbers where they fit, else as text; numbers that are none as text. */
export function plainData(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof WireTime) return value.toJSON();
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(plainData);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : [[key, plainData(each)]])),
    );
  }
  return value;
}
