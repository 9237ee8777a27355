/**
 * These functions give the variables around a statement as names, for what runs in another context but may see them.
 */

import type { Value } from '../values/value.ts';
import { type CompilePlace, type Read, readVariable } from './compile-place.ts';
import type { Frame } from './frame.ts';
import { type Names, NO_NAMES } from './names.ts';

export type VisibleReads = readonly (readonly [name: string, read: Read])[];

/** What is written at the top level is in the context already. */
export function visibleReads(place: CompilePlace): VisibleReads {
  if (place.topLevel) return [];
  return place.scope.visibleWrites().map((variable) => [variable.name, readVariable(variable, place.unit)]);
}

export function localNames(reads: VisibleReads, frame: Frame): Names {
  if (reads.length === 0) return NO_NAMES;
  const names = new Map<string, Value>();
  for (const [name, read] of reads) {
    const value = read(frame);
    if (value !== undefined) names.set(name, value);
  }
  return names;
}
