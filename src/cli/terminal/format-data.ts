/**
 * This file formats data for programs: JSON or YAML of plain values, with times as the wire spells them and bytes as
 * `{"base64": "…"}`. Values are kept as they are; characters that a terminal obeys are written as escapes.
 */
import { plainData } from '../../core/plain-data.ts';
import { escapedInYaml, hasUnprintable, printableJson } from '../../core/printable.ts';

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
