export { printableLine, printableText } from '../../core/printable.ts';

export function indent(text: string, by: number): string {
  return text.replace(/^/gm, ' '.repeat(by));
}
