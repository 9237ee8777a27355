/** This file words what a publisher says of itself and of a set. Its words are shown, and may be those of a newer version. */
import { printableLine, printableText } from '../../core/printable.ts';
import { timeText } from '../../core/time-text.ts';
import type { FilesReply } from '../../wire/records/fileserver.ts';

const NOTE_LINE_CHARS_MAX = 400;

/** `Published by master-1 on ctl-1, since 2026-11-18 10:00:00Z.` */
export function publisherText({
  master,
  host,
  since,
}: Pick<FilesReply, 'master' | 'host' | 'since'>): string {
  const where = host === '' ? '' : ` on ${host}`;
  const when = since === undefined ? '' : `, since ${timeText(since)}`;
  return `${printableLine(`Published by ${master}${where}${when}.`)}\n`;
}

/** Below a table: what there is to say of each set, its further lines deeper than ours. */
export function notesText(notes: readonly { readonly set: string; readonly note: string }[]): string {
  return notes
    .filter(({ note }) => note !== '')
    .map(({ set, note }) => {
      const lines = printableText(note.trimEnd(), NOTE_LINE_CHARS_MAX).replaceAll('\n', '\n  ');
      return `${printableLine(set)}: ${lines}\n`;
    })
    .join('');
}
