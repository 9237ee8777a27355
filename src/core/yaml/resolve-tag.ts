/**
 * `resolveTagged` reads a scalar with a tag written out, such as `!!str 1`. What safe loading does not know is refused.
 */
import { decodeBase64 } from '../base64.ts';
import { readFloat, readInt, resolvePlain } from './resolve-plain.ts';
import type { ScalarValue } from './yaml-node.ts';

const YAML_TAG = 'tag:yaml.org,2002:';

export type TagProblem = 'unknown tag' | 'wrong value';

export function resolveTagged(tag: string, text: string): ScalarValue | TagProblem {
  switch (tag.startsWith(YAML_TAG) ? tag.slice(YAML_TAG.length) : tag) {
    case 'str':
    case 'python/unicode':
    case 'timestamp':
      return { type: 'str', value: text };
    case 'null':
      return { type: 'null' };
    case 'bool':
      return readBool(text);
    case 'int':
      return readInt(text.trim()) ?? 'wrong value';
    case 'float':
      return readFloat(text.trim()) ?? 'wrong value';
    case 'binary':
      return readBinary(text);
    default:
      return 'unknown tag';
  }
}

/** Whether a collection may bear the tag. */
export function fitsCollection(tag: string, kind: 'seq' | 'map'): boolean {
  return tag === '!' || tag === YAML_TAG + kind || (tag === `${YAML_TAG}omap` && kind === 'map');
}

function readBool(text: string): ScalarValue | TagProblem {
  const value = resolvePlain(text.toLowerCase());
  return value?.type === 'bool' ? value : 'wrong value';
}

function readBinary(text: string): ScalarValue | TagProblem {
  if (/[^\0-\x7f]/.test(text)) return 'wrong value';
  // Salt adds what is missing at the end.
  const missing = (4 - (text.length % 4)) % 4;
  const value = decodeBase64(text + '='.repeat(missing));
  return typeof value === 'string' ? 'wrong value' : { type: 'binary', value };
}
