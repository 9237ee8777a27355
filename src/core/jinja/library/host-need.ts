import { PythonError } from '../values/value.ts';

/** What only the host can do, or an error that says which of its functions is missing and for what. */
export function needed<F>(ability: F | undefined, name: string, user: string): F {
  if (ability === undefined)
    throw new PythonError('RuntimeError', `${user} needs the host's '${name}', which it does not provide`);
  return ability;
}
