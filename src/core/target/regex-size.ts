/**
 * `estimateInstructions` estimates from its text alone how many instructions a pattern compiles to. `(x{30}){30}` is
 * short to write and long to compile; such a pattern must be refused before the compiler works on it. Malformed
 * patterns get some number, too: the compiler will say what is wrong with them.
 */
const REPEAT = /^\{(\d{1,6})(?:,(\d{0,6}))?\}/;
const REPEAT_CHARS_MAX = 16;

export function estimateInstructions(pattern: string): number {
  /** Sizes of the groups around the place, from the outside in; the last number is the group being read. */
  const groups = [0];
  let atom = 0;
  const add = (size: number) => {
    atom = size;
    groups[groups.length - 1] = (groups.at(-1) ?? 0) + size;
  };
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern.charAt(i);
    if (char === '(') {
      groups.push(0);
    } else if (char === ')' && groups.length > 1) {
      add((groups.pop() ?? 0) + 2);
    } else if (char === '[') {
      i = Math.max(i, pattern.indexOf(']', i + 2));
      add(1);
    } else if (char === '{') {
      const [text, least, most] = REPEAT.exec(pattern.slice(i, i + REPEAT_CHARS_MAX)) ?? [char, '1'];
      const copies = Math.max(Number(least), Number(most ?? 0), 1);
      // The atom itself is counted already; each optional copy needs a fork, and so does the loop of `{2,}`.
      add(text === char ? 1 : atom * (copies - 1) + (most === undefined ? 0 : copies));
      i += text.length - 1;
    } else {
      if (char === '\\') i++;
      add(1);
    }
  }
  return groups.reduce((sum, size) => sum + size, 0);
}
