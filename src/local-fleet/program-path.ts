import { dirname, join } from 'node:path';

/** `programPath` finds one of the other programs beside this very one, with which it was built. */
export function programPath(name: string): string {
  return join(dirname(process.argv[1] ?? ''), `${name}.cjs`);
}
