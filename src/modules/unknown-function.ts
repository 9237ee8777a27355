/** This file words the answer to a name that no function has. Execution functions and state functions say it alike. */
import { type ZesterError, zesterError } from '../core/errors/zester-error.ts';
import { nearestWord } from '../core/suggest.ts';
import { familyOf } from './contract.ts';

/** `names` are sorted. */
export function unknownFunction(name: string, names: readonly string[]): ZesterError {
  return zesterError('MODULE_UNKNOWN_FUNCTION', { function: name, suggestion: suggestionFor(name, names) });
}

/** A name that was perhaps meant; else what the family has; else the families there are. */
function suggestionFor(name: string, names: readonly string[]): string {
  const near = nearestWord(name, names);
  if (near !== undefined) return `, did you mean ${near}?`;
  const families = [...new Set(names.map(familyOf))];
  const family = nearestWord(familyOf(name) || name, families);
  if (family === undefined) return `; there are ${families.map((known) => `${known}.*`).join(', ')}`;
  const members = names.filter((known) => familyOf(known) === family);
  return `; ${family} has ${members.map((known) => known.slice(family.length + 1)).join(', ')}`;
}
