/** `zester peel unban` lets a peel in again that the flood guard keeps out. What is printed is what the master answers. */
import { unbanPeel } from '../../client/enroll/decide-enrollment.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import { timeText } from '../../core/time-text.ts';
import { type PeelId, peelIdOfName } from '../../wire/names/ids.ts';
import type { PeelUnbanReply } from '../../wire/records/enroll/flood-ban.ts';
import { CONNECT_OPTIONS, placeWords } from '../connect/find-place.ts';
import { withClient } from '../connect/with-client.ts';
import type { CliContext, Command, GivenOptions } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { displayName } from '../terminal/peel-names.ts';

const EXIT_SILENT = 3;

export const peelUnbanCommand: Command = {
  words: ['peel', 'unban'],
  takesWords: '<peel>',
  summary: 'let a peel in again that was cut off because it flooded NATS',
  examples: ['zester peel unban web-01', 'zester peel unban web-01 --format json'],
  detail: [
    'A ban ends by itself, after 1 minute at first and after up to an hour when it comes again. Lift it when you know why the peel',
    'flooded and that it will not again: the next ban is then as short as the first. `zester doctor` names who is kept out.',
  ].join('\n'),
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) => run(context, given),
};

async function run(context: CliContext, given: GivenOptions): Promise<number> {
  const [word = ''] = given.words();
  const peel = peelIdOfName(word);
  if (peel === undefined) throw zesterError('CLI_PEEL_UNKNOWN', { peel: word, suggestion: '' });
  return withClient(context, given, async (client, waitFor) => {
    const wait = {
      what: `a master to lift the ban of ${peel}`,
      ifLeft: 'whether it was lifted is not known',
      next: `${context.program} peel show ${peel}${placeWords(given)}`,
    };
    const reply = await waitFor(wait, unbanPeel(client, peel));
    const format = formatOf(given);
    if (format === 'text') context.out(textOf(peel, reply));
    else context.out(await formatData(recordOf(peel, reply), format));
    return reply.warning === '' && reply.ban !== undefined ? 0 : EXIT_SILENT;
  });
}

/** That servers take its key again is what the master confirms; when the machine comes is its own affair. */
function textOf(peel: PeelId, { ban, warning }: PeelUnbanReply): string {
  const told = warning === '' ? '' : `  not confirmed: ${printableLine(warning)}\n`;
  if (ban === undefined) return `${displayName(peel)}: the master does not say how it stands\n${told}`;
  const words = `may connect again, by ${ban.liftedBy}, ${timeText(ban.until)}; it was cut off because it ${ban.reason}`;
  return `${printableLine(`${displayName(peel)}: ${words}`)}\n${told}`;
}

function recordOf(peel: PeelId, { ban, warning }: PeelUnbanReply): object {
  return {
    peel_id: peel,
    ...(ban === undefined
      ? {}
      : { lifted_by: ban.liftedBy, lifted_at: timeText(ban.until), reason: ban.reason }),
    warning,
  };
}
