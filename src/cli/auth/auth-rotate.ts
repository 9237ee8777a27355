/** `zester auth rotate fleet-key` makes another generation of the fleet key, and `zester auth status` shows how it stands. */

import type { ClientContext } from '../../client/client-context.ts';
import {
  readFleetKey,
  renewOperator,
  rotateFleetKey,
  whenRotated,
} from '../../client/fleet-key/ask-fleet-key.ts';
import { nameSome } from '../../core/doctor/finding.ts';
import { explainError, isZesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import { timeText } from '../../core/time-text.ts';
import { formatRfc3339, type UnixNanos } from '../../wire/msgpack/time.ts';
import type { FleetKeyReply } from '../../wire/records/fleet-key/fleet-key-admin.ts';
import { CONNECT_OPTIONS, findPlace } from '../connect/find-place.ts';
import { lookWithClient, withClient } from '../connect/with-client.ts';
import type { CliContext, Command, GivenOptions } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { table } from '../terminal/table.ts';
import { writeOperatorKey } from './auth-operator.ts';

export const authRotateCommand: Command = {
  words: ['auth', 'rotate', 'fleet-key'],
  summary: 'make another generation of the fleet key, while jobs run',
  examples: ['zester auth rotate fleet-key', 'zester auth rotate fleet-key --wait --format json'],
  detail: [
    'Masters prove commands, sign certificates of operators and seal secrets with the fleet key. This adds a generation: peels',
    'accept both until every online peel has confirmed the new one, at the earliest after 10 minutes and at the latest after one',
    'hour; then the old one is refused. Secrets are sealed anew meanwhile. The operator key of this machine gets its new',
    'certificate at once; operators elsewhere run `zester auth operator renew` before the old generation ends.',
  ].join('\n'),
  options: [
    { name: 'wait', doc: 'wait until the old generation is refused' },
    DATA_FORMAT_OPTION,
    ...CONNECT_OPTIONS,
  ],
  run: (context, given) =>
    withClient(context, given, async (client, waitFor) => {
      const asking = {
        what: 'a master to make the generation',
        ifLeft: 'whether it was made is not known',
        next: 'run `zester auth status`',
      };
      const begun = await waitFor(asking, rotateFleetKey(client));
      const format = formatOf(given);
      const operator = await renewHere(context, given, client);
      if (format === 'text') context.out(`${standingText(begun)}${operator}`);
      if (!given.on('wait')) {
        if (format !== 'text') context.out(await formatData(standingRecord(begun), format));
        return 0;
      }
      let told = '';
      const tell = (standing: FleetKeyReply) => {
        const line = progressText(standing);
        if (format === 'text' && line !== told) context.say(`zester: ${line}\n`);
        told = line;
      };
      const waiting = {
        what: 'the old generation to end',
        ifLeft: 'the rotation goes on by itself',
        next: 'run `zester auth status`',
      };
      const ended = await waitFor(waiting, whenRotated(client, tell));
      context.out(
        format === 'text'
          ? `Generation ${ended.generations[0]?.generation} is the only one that peels accept now.\n`
          : await formatData(standingRecord(ended), format),
      );
      return 0;
    }),
};

export const authStatusCommand: Command = {
  words: ['auth', 'status'],
  summary: 'show the generations of the fleet key, and who has not confirmed the newest',
  examples: ['zester auth status', 'zester auth status --format json'],
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithClient(context, given, 'a master', async (client) => {
      const standing = await readFleetKey(client);
      const format = formatOf(given);
      context.out(
        format === 'text'
          ? `${standingText(standing)}${certificateText(client, standing)}`
          : await formatData(standingRecord(standing), format),
      );
      return 0;
    }),
};

/** Where there is an operator key beside the credentials, it gets its certificate with the rotation. */
async function renewHere(context: CliContext, given: GivenOptions, client: ClientContext): Promise<string> {
  try {
    const { authDir } = findPlace(context, given);
    const path = writeOperatorKey(authDir, await renewOperator(client, client.operatorKey()));
    return `Renewed the operator certificate in ${path}.\n`;
  } catch (error) {
    if (!isZesterError(error)) throw error;
    context.say(`zester: the operator certificate here was not renewed: ${explainError(error)}\n`);
    return '';
  }
}

const HEAD = ['GENERATION', 'STATE', 'MADE', 'BY'];

function standingText(standing: FleetKeyReply): string {
  const rows = standing.generations.map(({ generation, isGood, created, createdBy }, index) => [
    String(generation),
    stateWord(standing, isGood, index),
    created === undefined ? 'with the deployment' : timeText(created),
    createdBy === '' ? '-' : createdBy,
  ]);
  return [table(HEAD, rows), `${progressText(standing)}\n`].join('');
}

function stateWord({ isOverlap }: FleetKeyReply, isGood: boolean, index: number): string {
  if (!isGood) return 'ended';
  return isOverlap && index > 0 ? 'until the overlap ends' : 'in use';
}

function progressText(standing: FleetKeyReply): string {
  const { isOverlap, peelsOnline, peelsConfirmed, peelsMissing, mastersMissing, sealedOld } = standing;
  const { endsEarliest, endsLatest } = standing;
  const parts = [`${peelsConfirmed} of ${peelsOnline} online peels have confirmed`];
  if (peelsMissing.length > 0) parts.push(`not yet ${printableLine(nameSome(peelsMissing))}`);
  if (mastersMissing.length > 0)
    parts.push(`masters that have not: ${printableLine(nameSome(mastersMissing))}`);
  if (sealedOld > 0) parts.push(`${sealedOld} records are sealed under an older generation`);
  if (isOverlap && endsEarliest !== undefined && endsLatest !== undefined)
    parts.push(`the old one ends between ${timeText(endsEarliest)} and ${timeText(endsLatest)}`);
  return parts.join('; ');
}

/** The key of this machine, where it has one. */
function certificateText(client: ClientContext, { generations }: FleetKeyReply): string {
  let generation: number;
  try {
    generation = Math.max(1, client.operatorKey().certificate.generation);
  } catch (error) {
    if (!isZesterError(error)) throw error;
    return '';
  }
  const [newest] = generations;
  if (newest === undefined || generation >= newest.generation) return '';
  const isGood = generations.some((each) => each.generation === generation && each.isGood);
  return isGood
    ? `The operator certificate here is of generation ${generation}: run \`zester auth operator renew\` before it ends.\n`
    : `The operator certificate here is of generation ${generation}, which has ended: run \`zester auth operator renew\` where the auth directory of a master is.\n`;
}

function standingRecord(standing: FleetKeyReply): Readonly<Record<string, unknown>> {
  const at = (time: UnixNanos | undefined) => (time === undefined ? null : formatRfc3339(time));
  return {
    generations: standing.generations.map(({ generation, isGood, created, createdBy, ended }) => ({
      generation,
      good: isGood,
      created: at(created),
      created_by: createdBy,
      ended: at(ended),
    })),
    overlap: standing.isOverlap,
    ends_earliest: at(standing.endsEarliest),
    ends_latest: at(standing.endsLatest),
    peels_online: standing.peelsOnline,
    peels_confirmed: standing.peelsConfirmed,
    peels_missing: standing.peelsMissing,
    masters_missing: standing.mastersMissing,
    sealed_old: standing.sealedOld,
  };
}
