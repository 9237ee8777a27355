/** Reads a str argument that may be left out, as `encode` and `decode` take theirs; None is not the same as left out. */
import { typeName } from '../type-name.ts';
import { PythonError, type Value } from '../value.ts';
import { textOf } from './markup.ts';

export function textParameter(
  value: Value | undefined,
  functionName: string,
  parameter: string,
  otherwise: string,
): string {
  if (value === undefined) return otherwise;
  const text = textOf(value);
  if (text === undefined) {
    const type = value === null ? 'None' : typeName(value);
    throw new PythonError('TypeError', `${functionName}() argument '${parameter}' must be str, not ${type}`);
  }
  return text;
}
