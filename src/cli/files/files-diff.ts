/** `zester files diff` prints what differs from what is published: in the publisher's directories, or on a peel. */
import type { ClientContext } from '../../client/client-context.ts';
import { diffMirror, diffSources } from '../../client/files/diff-files.ts';
import { findPeel } from '../../client/peels/list-peels.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import { nearestWord } from '../../core/suggest.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';
import type { FilesDifference } from '../../wire/records/fileserver.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { lookWithClient } from '../connect/with-client.ts';
import type { Command, OptionSpec } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { displayName } from '../terminal/peel-names.ts';
import { notesText } from './set-text.ts';

const PEEL: OptionSpec = {
  name: 'peel',
  value: 'ID',
  doc: 'what this peel has on its disk, instead of the publisher',
};
const SETS = ['settings', 'states', 'reactor'];

export const filesDiffCommand: Command = {
  words: ['files', 'diff'],
  takesWords: '[set]',
  summary: 'show which files differ from what is published',
  examples: [
    'zester files diff',
    'zester files diff states',
    'zester files diff states --peel web-01',
    'zester files diff --format json',
  ],
  detail: [
    'Without --peel: the directories of the master that publishes, such as an edit that a mistake keeps from being published.',
    'With it: the files on the disk of that peel, each read and hashed there. + is there and not published, ~ has another',
    'content, - is published and not there. Nothing is changed. Exit codes: 0 it could be told, whatever differs; 1 nobody',
    'publishes; 2 the peel cannot tell; 3 the peel does not answer.',
  ].join('\n'),
  options: [PEEL, DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithClient(context, given, 'what differs', async (client) => {
      const [word = ''] = given.words();
      const set = knownSet(word);
      const peelWord = given.text('peel');
      const peel = peelWord === undefined ? undefined : await knownPeel(client, peelWord);
      const answer: Answer =
        peel === undefined
          ? await diffSources(client, set).then(({ master, host, sets }) => ({ of: { master, host }, sets }))
          : { of: { peel }, sets: await diffMirror(client, peel, set) };
      const format = formatOf(given);
      context.out(format === 'text' ? answerText(answer) : await formatData(answerRecord(answer), format));
      return 0;
    }),
};

interface Answer {
  readonly of: { readonly peel: string } | { readonly master: string; readonly host: string };
  readonly sets: readonly FilesDifference[];
}

async function knownPeel(client: ClientContext, word: string): Promise<PeelId> {
  const peel = parsePeelId((await findPeel(client, word)).id);
  if (peel === undefined) throw zesterError('CLI_PEEL_UNKNOWN', { peel: word, suggestion: '' });
  return peel;
}

/** Empty stays empty: all of them. */
function knownSet(word: string): string {
  if (word === '' || SETS.includes(word)) return word;
  const near = nearestWord(word, SETS);
  const suggestion = near === undefined ? '' : `; did you mean ${near}?`;
  throw zesterError('FILES_SET_UNKNOWN', { set: word, suggestion, sets: SETS.join(', ') });
}

export function answerText({ of, sets }: Answer): string {
  const who = 'peel' in of ? displayName(of.peel) : `${of.master}${of.host === '' ? '' : ` on ${of.host}`}`;
  if (sets.length === 0) return `${printableLine(who)} has no such files.\n`;
  return sets.map((set) => setText(who, set)).join('');
}

function setText(who: string, difference: FilesDifference): string {
  const { set, directory, revision, mirrored, added, changed, removed, omitted, note } = difference;
  const published = revision === 0 ? 'nothing is published' : `published is revision ${revision}`;
  const has = mirrored === 0 ? '' : ` has revision ${mirrored},`;
  const isSame = added.length + changed.length + removed.length + omitted === 0;
  const head = `${set}: ${who}${directory === '' ? '' : ` ${directory}`}${has === '' ? ',' : has} ${published}${isSame && note === '' ? '; no difference' : ''}`;
  const lines = [
    ...added.map((path) => `  + ${printableLine(path)}`),
    ...changed.map((path) => `  ~ ${printableLine(path)}`),
    ...removed.map((path) => `  - ${printableLine(path)}`),
    ...(omitted === 0 ? [] : [`  and ${omitted} more`]),
  ];
  return `${[printableLine(head), ...lines].join('\n')}\n${notesText([{ set: '  note', note }])}`;
}

function answerRecord({ of, sets }: Answer): object {
  return {
    ...('peel' in of ? { peel_id: of.peel } : { master_id: of.master, host: of.host }),
    sets: sets.map(({ set, directory, revision, mirrored, added, changed, removed, omitted, note }) => ({
      set,
      directory,
      revision,
      ...('peel' in of ? { mirrored_revision: mirrored } : {}),
      added,
      changed,
      removed,
      omitted,
      note,
    })),
  };
}
