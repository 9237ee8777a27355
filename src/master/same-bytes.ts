/** Whether two values are the same bytes: how a writer recognises its own write after a lost answer. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
