/** These functions tell the classes of characters that YAML 1.1 knows. They take UTF-16 units; NaN is never one. */

/** Stands behind the last character of a source. Nobody can write it: YAML forbids it. */
export const END = 0;
export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const BYTE_ORDER_MARK = 0xfeff;

export function isBreakUnit(unit: number): boolean {
  return unit === LF || unit === CR || unit === 0x85 || unit === 0x2028 || unit === 0x2029;
}

export function isBlankUnit(unit: number): boolean {
  return unit === SPACE || unit === TAB;
}

export function isBreakOrEnd(unit: number): boolean {
  return unit === END || isBreakUnit(unit);
}

/** What ends a word in any case. */
export function isGap(unit: number): boolean {
  // Most characters are letters: two comparisons for those.
  if (unit > SPACE && unit < 0x85) return false;
  return unit === SPACE || unit === TAB || isBreakOrEnd(unit);
}

/** Letters of names: anchors, tag handles, directives. */
export function isNameUnit(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f ||
    unit === 0x2d
  );
}

export function isOneOf(unit: number, characters: string): boolean {
  return unit !== END && characters.includes(String.fromCharCode(unit));
}
