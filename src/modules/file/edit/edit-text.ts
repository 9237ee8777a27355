/**
 * These functions cut texts into lines, and put them back, so that an edit leaves alone what it is not about: how lines
 * end, and whether the last one does.
 */

/** A new text, or why there is none. */
export type Edited = string | CannotEdit;

export interface CannotEdit {
  readonly problem: string;
}

export type Edit = (text: string) => Edited;

export interface Lines {
  /** Without the newlines that end them. */
  readonly lines: readonly string[];
  /** Whether the last one ends with a newline. True of an empty text, so that what is added does. */
  readonly ended: boolean;
}

export function splitLines(text: string): Lines {
  if (text === '') return { lines: [], ended: true };
  const ended = text.endsWith('\n');
  return { lines: (ended ? text.slice(0, -1) : text).split('\n'), ended };
}

export function joinLines({ lines, ended }: Lines): string {
  return lines.length === 0 ? '' : lines.join('\n') + (ended ? '\n' : '');
}

/** What a person wrote, as lines; a newline at its end is no line more. */
export function writtenLines(text: string): readonly string[] {
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** With other lines in the place of `removed` of them. Takes any number of lines, which `splice` does not. */
export function withLines(
  lines: readonly string[],
  at: number,
  added: readonly string[],
  removed = 0,
): readonly string[] {
  return [...lines.slice(0, at), ...added, ...lines.slice(at + removed)];
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Edits a text as if its lines ended with a newline alone and it had no byte order mark, and gives it back with both as
 * they were. A text that mixes both ways to end a line is edited as it is.
 */
export function keepingForm(text: string, edit: Edit): Edited {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const body = text.slice(mark.length);
  const windows = body.includes('\n') && !/(?<!\r)\n/.test(body);
  const edited = edit(windows ? body.replaceAll('\r\n', '\n') : body);
  if (typeof edited !== 'string') return edited;
  return mark + (windows ? edited.replaceAll('\n', '\r\n') : edited);
}
