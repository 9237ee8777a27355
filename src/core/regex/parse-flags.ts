/** `readFlags` reads the letters of `(?i)` and `(?i-s:…)`, as Python's `re` does. */
import type { PlaceFlags } from './parse-pattern.ts';
import type { PatternReader } from './pattern-reader.ts';
import { PatternFault } from './pattern-tree.ts';

const NAMES: Readonly<Record<string, keyof PlaceFlags>> = {
  i: 'ignoreCase',
  m: 'multiline',
  s: 'dotAll',
  x: 'verbose',
};

/** Whether flags for the whole pattern may stand here. */
export function isGlobalFlags(reader: PatternReader): boolean {
  return reader.next === '(' && reader.at(1) === '?' && /^[aiLmsux]$/.test(reader.at(2) ?? '');
}

/** The reader is behind the question mark, and afterwards behind the bracket or colon that ends the flags. */
export function readFlags(
  reader: PatternReader,
  flags: PlaceFlags,
): { readonly flags: PlaceFlags; readonly isGlobal: boolean } {
  const on = new Set<string>();
  const off = new Set<string>();
  while (reader.next !== undefined && /[aiLmsux]/.test(reader.next)) {
    const letter = reader.get();
    if (letter === 'L')
      throw new PatternFault("bad inline flags: cannot use 'L' flag with a str pattern", reader.position);
    on.add(letter);
    if (on.has('a') && on.has('u'))
      throw new PatternFault("bad inline flags: flags 'a', 'u' and 'L' are incompatible", reader.position);
  }
  const end = reader.next;
  if (end === ')') {
    reader.skip(1);
    return { flags: changed(flags, on, off), isGlobal: true };
  }
  if (end === '-') {
    reader.skip(1);
    takeOff(reader, off);
    if ([...on].some((letter) => off.has(letter)))
      throw new PatternFault('bad inline flags: flag turned on and off', reader.position);
  } else if (end !== ':') throw unknownFlag(reader, 'missing -, : or )');
  reader.skip(1);
  return { flags: changed(flags, on, off), isGlobal: false };
}

function takeOff(reader: PatternReader, off: Set<string>): void {
  if (!/^[aiLmsux]$/.test(reader.next ?? '')) throw unknownFlag(reader, 'missing flag');
  while (reader.next !== undefined && /[aiLmsux]/.test(reader.next)) {
    const letter = reader.get();
    if (/[aLu]/.test(letter))
      throw new PatternFault("bad inline flags: cannot turn off flags 'a', 'u' and 'L'", reader.position);
    off.add(letter);
  }
  if (reader.next !== ':') throw unknownFlag(reader, 'missing :');
}

function unknownFlag(reader: PatternReader, missing: string): PatternFault {
  const isLetter = reader.next !== undefined && /\p{L}/u.test(reader.next);
  return new PatternFault(isLetter ? 'unknown flag' : missing, reader.position);
}

function changed(flags: PlaceFlags, on: ReadonlySet<string>, off: ReadonlySet<string>): PlaceFlags {
  const ascii = on.has('a') || (flags.ascii && !on.has('u'));
  const result = { ...flags, ascii };
  for (const [letter, name] of Object.entries(NAMES)) {
    if (on.has(letter)) result[name] = true;
    if (off.has(letter)) result[name] = false;
  }
  return result;
}
