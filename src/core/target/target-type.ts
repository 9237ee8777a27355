/** These are the kinds of expression that a request may name, and what Salt calls them. */
import { zesterError } from '../errors/zester-error.ts';
import { nearestWord } from '../suggest.ts';
import { quoted } from './target-error.ts';

export type TargetType = 'glob' | 'pcre' | 'fact' | 'settings' | 'tag' | 'compound' | 'list';

const TYPES: Readonly<Record<string, TargetType>> = {
  glob: 'glob',
  pcre: 'pcre',
  regex: 'pcre',
  fact: 'fact',
  grain: 'fact',
  grains: 'fact',
  settings: 'settings',
  pillar: 'settings',
  tag: 'tag',
  compound: 'compound',
  list: 'list',
};

/** Undefined for the empty text: the expression tells. */
export function parseTargetType(type: string): TargetType | undefined {
  if (type === '') return undefined;
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (known !== undefined) return known;
  const meant = nearestWord(type, Object.keys(TYPES));
  const suggestion = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw zesterError('TARGET_TYPE_UNKNOWN', { type: quoted(type), suggestion });
}
