import { dirname, join } from 'node:path';

/** One of the other programs: beside this very one, which was built together with them. */
export function programPath(name: string): string {
  return join(dirname(process.argv[1] ?? ''), `${name}.cjs`);
}
