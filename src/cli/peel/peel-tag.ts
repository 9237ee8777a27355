/** `zester peel tag` changes what operators say of a peel. What is printed is what the master answers; values of facts never are. */
import { tagPeel } from '../../client/enroll/decide-enrollment.ts';
import { factNames } from '../../core/enroll/desk/change-tags.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import { type PeelId, peelIdOfName } from '../../wire/names/ids.ts';
import type { EnrollAdminReply } from '../../wire/records/enroll/enroll-admin.ts';
import { CONNECT_OPTIONS, placeWords } from '../connect/find-place.ts';
import { withClient } from '../connect/with-client.ts';
import { tagsText } from '../enroll/enrollment-text.ts';
import { FACT_OPTION, nameChanges, withFiles } from '../enroll/name-values.ts';
import type { CliContext, Command, GivenOptions } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { displayName } from '../terminal/peel-names.ts';

const EXIT_SILENT = 3;

export const peelTagCommand: Command = {
  words: ['peel', 'tag'],
  takesWords: '<peel> [name=value|name- …]',
  summary: 'say something of a peel that it cannot say itself: tags, and facts',
  examples: [
    'zester peel tag web-01 role=web rack=r7',
    'zester peel tag web-01 rack-',
    'zester peel tag web-01 --fact licence=@licence.txt',
  ],
  detail: [
    'Tags are matched by T@role:web in targets and top files, and templates see them as `tags`. Secrets may hang on them. Every peel',
    'can ask who has a tag; what is nobody else’s business is a fact: --fact name=value, removed by --fact name-. The',
    'machine sees it among its facts. Listings show its name only; whoever may run functions on the machine can read its value there',
    '(facts.get), and the job keeps what it returned.',
  ].join('\n'),
  options: [{ ...FACT_OPTION, value: 'NAME=VALUE|NAME-' }, DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) => run(context, given),
};

async function run(context: CliContext, given: GivenOptions): Promise<number> {
  const [word = '', ...changes] = given.words();
  const peel = peelIdOfName(word);
  if (peel === undefined) throw zesterError('CLI_PEEL_UNKNOWN', { peel: word, suggestion: '' });
  const tags = nameChanges(changes);
  const facts = nameChanges(given.texts('fact'));
  if (changes.length + given.texts('fact').length === 0)
    throw zesterError('CLI_MISSING_OPTION', { command: 'peel tag', option: 'name=value, name- or --fact' });
  const change = {
    setTags: tags.set,
    removeTags: tags.remove,
    setFacts: withFiles(facts.set, context.cwd),
    removeFacts: facts.remove,
  };
  return withClient(context, given, async (client, waitFor) => {
    const wait = {
      what: `a master to change the tags of ${peel}`,
      ifLeft: 'whether they were changed is not known',
      next: `${context.program} peel show ${peel}${placeWords(given)}`,
    };
    const reply = await waitFor(wait, tagPeel(client, peel, change));
    const format = formatOf(given);
    if (format === 'text') context.out(textOf(peel, reply));
    else context.out(await formatData(recordOf(peel, reply), format));
    return reply.warning === '' ? 0 : EXIT_SILENT;
  });
}

function textOf(peel: PeelId, { record, warning }: EnrollAdminReply): string {
  const told = warning === '' ? '' : `  not confirmed: ${printableLine(warning)}\n`;
  if (record === undefined) return `${displayName(peel)}: the master does not say how it stands\n${told}`;
  const facts = factNames(record).join(' ');
  const words = [tagsText(record.tags) || 'no tags', ...(facts === '' ? [] : [`facts ${facts}`])];
  return `${printableLine(`${displayName(peel)}: ${words.join('; ')}`)}\n${told}`;
}

function recordOf(peel: PeelId, { record, warning }: EnrollAdminReply): object {
  return {
    peel_id: peel,
    ...(record === undefined ? {} : { id: record.id, tags: record.tags, fact_names: factNames(record) }),
    warning,
  };
}
