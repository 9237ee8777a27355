/** This file is what the collectors share: files read as text, and maps from which what is not known is left out. */
import type { ReadFiles } from '../../system/files.ts';
import type { WireMap, WireValue } from '../../wire/msgpack/wire-value.ts';

/** Bounds what a strange /proc or an operator's file can cost; a larger one throws FILE_TOO_LARGE. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;

export type TextFiles = Pick<ReadFiles, 'read'>;

/** Undefined when there is no such file. */
export async function readText(files: TextFiles, path: string): Promise<string | undefined> {
  const bytes = await files.read(path, { bytesMax: TEXT_BYTES_MAX });
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
}

/** The file as one trimmed line; undefined also when it is empty. */
export async function readLine(files: TextFiles, path: string): Promise<string | undefined> {
  return (await readText(files, path))?.trim() || undefined;
}

/** A fact that is not known is not there: no empty text, no zero that nobody measured. */
export function knownFacts(facts: Readonly<Record<string, WireValue | undefined>>): WireMap {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as WireMap;
}

/** Lines of `key: value`, as /proc/meminfo and /proc/cpuinfo have them. The first of a key counts. */
export function colonLines(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    const key = line.slice(0, Math.max(0, colon)).trim();
    if (key !== '' && !values.has(key)) values.set(key, line.slice(colon + 1).trim());
  }
  return values;
}
