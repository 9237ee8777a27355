import { PythonError } from '../values/value.ts';

/** This file calls what only the host can do; an error says which of its functions is missing and for what. */
export function needed<F>(ability: F | undefined, name: string, user: string): F {
  if (ability === undefined)
    throw new PythonError('RuntimeError', `${user} needs the host's '${name}', which it does not provide`);
  return ability;
}
