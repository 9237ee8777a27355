/** `indent` moves every line of a text to the right. */
export function indent(text: string, by: number): string {
  return text.replace(/^/gm, ' '.repeat(by));
}
