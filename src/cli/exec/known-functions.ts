/**
 * The functions that peels of this version have, for suggestions before anything is sent. A peel has the last word: what
 * is not here may well exist on it. A test compares the list with the modules.
 */
import { nearestWord } from '../../core/suggest.ts';

export const KNOWN_FUNCTIONS: readonly string[] = [
  'cmd.run',
  'disk.usage',
  'facts.get',
  'facts.items',
  'facts.keys',
  'facts.set',
  'grains.get',
  'grains.item',
  'grains.items',
  'grains.keys',
  'grains.ls',
  'grains.set',
  'grains.setval',
  'sys.doc',
  'sys.list_functions',
  'test.echo',
  'test.false',
  'test.ping',
  'test.sleep',
  'test.true',
  'test.version',
];

/** A shorter word is near to everything, `ps` to grains.ls. */
const GUESS_CHARS_MIN = 4;

/** What half a name may have meant: `ping` is test.ping, `uasge` is disk.usage, `disk` is all of disk. */
export function functionsLike(word: string): readonly string[] {
  const exact = KNOWN_FUNCTIONS.filter((name) => shortName(name) === word || name.startsWith(`${word}.`));
  if (exact.length > 0 || word.length < GUESS_CHARS_MIN) return exact;
  const meant = nearestWord(word, KNOWN_FUNCTIONS.map(shortName));
  if (meant !== undefined) return KNOWN_FUNCTIONS.filter((name) => shortName(name) === meant);
  const whole = nearestWord(word, KNOWN_FUNCTIONS);
  return whole === undefined ? [] : [whole];
}

function shortName(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}
