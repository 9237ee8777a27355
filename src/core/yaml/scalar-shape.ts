/**
 * `scalarShape` tells in which styles a text can be written so that PyYAML reads the same text back, and which one
 * PyYAML would choose.
 */

export interface ScalarShape {
  readonly isEmpty: boolean;
  readonly isMultiline: boolean;
  readonly plainInFlow: boolean;
  readonly plainInBlock: boolean;
  readonly singleQuoted: boolean;
}

const LINE_BREAKS = '\r\n\u0085\u2028\u2029';
const AFTER_WORD = `\0 \t${LINE_BREAKS}`;
const STARTS_NOTHING = '#,[]{}&*!|>\'"%@`';
const EMPTY: ScalarShape = {
  isEmpty: true,
  isMultiline: false,
  plainInFlow: false,
  plainInBlock: true,
  singleQuoted: true,
};

export function scalarShape(points: readonly string[], allowUnicode: boolean): ScalarShape {
  const first = points[0];
  if (first === undefined) return EMPTY;
  const marks = indicators(points);
  const blanks = blankPlaces(points);
  const isMultiline = points.some(isBreak);
  const isSpecial = points.some((point) => isSpecialCharacter(point, allowUnicode));
  const plain = !blanks.atEdge && !blanks.afterBreak && !blanks.beforeBreak && !isSpecial && !isMultiline;
  return {
    isEmpty: false,
    isMultiline,
    plainInFlow: plain && !marks.flow,
    plainInBlock: plain && !marks.block,
    singleQuoted: !blanks.afterBreak && !blanks.beforeBreak && !isSpecial,
  };
}

/** Characters that would mean something if the text stood there without quotes. */
function indicators(points: readonly string[]): { readonly flow: boolean; readonly block: boolean } {
  const start = points.slice(0, 3).join('');
  let flow = start === '---' || start === '...';
  let block = flow;
  for (const [index, point] of points.entries()) {
    const isLast = index + 1 >= points.length;
    const endsHere = isLast || AFTER_WORD.includes(points[index + 1] ?? '');
    if (index === 0) {
      if (STARTS_NOTHING.includes(point) || (point === '-' && endsHere)) flow = block = true;
      else if (point === '?' || point === ':') {
        flow = true;
        block ||= endsHere;
      }
    } else if (',?[]{}'.includes(point)) flow = true;
    else if (point === ':') {
      flow = true;
      block ||= endsHere;
    } else if (point === '#' && AFTER_WORD.includes(points[index - 1] ?? '')) flow = block = true;
  }
  return { flow, block };
}

function blankPlaces(points: readonly string[]) {
  const edges = [points[0] ?? '', points.at(-1) ?? ''];
  const atEdge = edges.some((point) => point === ' ' || isBreak(point));
  let afterBreak = false;
  let beforeBreak = false;
  for (const [index, point] of points.entries()) {
    const before = points[index - 1] ?? '';
    if (point === ' ' && isBreak(before)) afterBreak = true;
    if (isBreak(point) && before === ' ') beforeBreak = true;
  }
  return { atEdge, afterBreak, beforeBreak };
}

export function isBreak(point: string): boolean {
  return point !== '' && LINE_BREAKS.includes(point);
}

/** What can be written only as an escape. */
function isSpecialCharacter(point: string, allowUnicode: boolean): boolean {
  if (point === '\n' || (point >= ' ' && point <= '~')) return false;
  const code = point.codePointAt(0) ?? 0;
  const isVisible = (code >= 0xa0 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff);
  return !(isVisible && allowUnicode);
}
