/** The text with every line moved to the right. */
export function indent(text: string, by: number): string {
  return text.replace(/^/gm, ' '.repeat(by));
}
