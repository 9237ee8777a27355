/**
 * This list has the functions and states that peels of this version have, for suggestions before anything is sent. A
 * peel has the last word: what is not here may well exist on it. A test compares the list with the modules.
 */
import { nearestWord } from '../../core/suggest.ts';

export const KNOWN_FUNCTIONS: readonly string[] = [
  'cmd.run',
  'cmd.script',
  'cmd.wait',
  'disk.usage',
  'facts.get',
  'facts.items',
  'facts.keys',
  'facts.set',
  'file.absent',
  'file.append',
  'file.blockreplace',
  'file.comment',
  'file.copy',
  'file.directory',
  'file.keyvalue',
  'file.line',
  'file.managed',
  'file.prepend',
  'file.recurse',
  'file.replace',
  'file.serialize',
  'file.symlink',
  'file.touch',
  'file.uncomment',
  'files.diff',
  'grains.get',
  'grains.item',
  'grains.items',
  'grains.keys',
  'grains.ls',
  'grains.set',
  'grains.setval',
  'module.run',
  'pillar.explain',
  'pillar.get',
  'pillar.item',
  'pillar.items',
  'pillar.keys',
  'pillar.ls',
  'pillar.raw',
  'settings.explain',
  'settings.get',
  'settings.item',
  'settings.items',
  'settings.keys',
  'settings.ls',
  'settings.raw',
  'state.apply',
  'state.highstate',
  'state.revert',
  'state.runs',
  'state.show_graph',
  'state.show_highstate',
  'state.show_low_sls',
  'state.show_lowstate',
  'state.show_sls',
  'state.show_top',
  'state.single',
  'state.sls',
  'sys.doc',
  'sys.list_functions',
  'test.check_pillar',
  'test.configurable_test_state',
  'test.echo',
  'test.fail_with_changes',
  'test.fail_without_changes',
  'test.false',
  'test.nop',
  'test.ping',
  'test.show_notification',
  'test.sleep',
  'test.succeed_with_changes',
  'test.succeed_without_changes',
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
