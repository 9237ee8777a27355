/**
 * What the peels of a local fleet can be asked to hold true: state files and settings in the fleet's directory, copied
 * from the examples at the first start and a person's own from then on. Each peel has a fact `scratch`, a directory of its
 * own for what the examples write, because all of them run on one machine.
 */
import { cpSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectories } from '../../trust/key-files.ts';
import { programPath } from './program-path.ts';

const FOLDERS = ['states', 'settings'] as const;

/** Makes what is not there. A copy gets its name when it is whole, so a kill leaves none that is half. */
export function prepareStates(dir: string): void {
  const examples = join(dirname(programPath('zester')), '..', 'examples');
  for (const folder of FOLDERS) {
    const place = join(dir, folder);
    if (existsSync(place)) continue;
    if (!existsSync(join(examples, folder))) {
      makeDirectories(place);
      continue;
    }
    cpSync(join(examples, folder), `${place}.new`, { recursive: true });
    renameSync(`${place}.new`, place);
  }
}

/** For the command line of the peel that lives in `home`. */
export function statesArgs(dir: string, home: string): string[] {
  const facts = join(home, 'facts');
  if (!existsSync(facts)) writeFileSync(facts, `${JSON.stringify({ scratch: join(home, 'scratch') })}\n`);
  return ['--states', join(dir, 'states'), '--settings', join(dir, 'settings')];
}
