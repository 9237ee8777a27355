/**
 * `zester auth rotate fleet-key` and `zester auth rotate agents-key` make another generation of these keys; `zester auth status` shows how
 * both stand.
 */

import type { ClientContext } from '../../client/client-context.ts';
import {
  type RotatedKey,
  readKey,
  renewOperator,
  rotateKey,
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
import type { WaitFor } from '../terminal/wait-for.ts';
import { writeOperatorKey } from './auth-operator.ts';

const WAIT_OPTION = { name: 'wait', doc: 'wait until the old generation is refused' } as const;

export const authRotateFleetKeyCommand: Command = {
  words: ['auth', 'rotate', 'fleet-key'],
  summary: 'make another generation of the fleet key, while jobs run',
  examples: ['zester auth rotate fleet-key', 'zester auth rotate fleet-key --wait --format json'],
  detail: [
    'Masters prove commands, sign certificates of operators and seal secrets with the fleet key. This adds a generation: peels',
    'accept both until every online peel has confirmed the new one, at the earliest after 10 minutes and at the latest after one',
    'hour; then the old one is refused. Secrets are sealed anew meanwhile. The operator key of this machine gets its new',
    'certificate at once; operators elsewhere run `zester auth operator renew` before the old generation ends.',
  ].join('\n'),
  options: [WAIT_OPTION, DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    withClient(context, given, async (client, waitFor) => {
      const begun = await waitFor(ASKING, rotateKey(client, 'fleet'));
      const operator = await renewHere(context, given, client);
      return await tellRotation({ context, given, client, waitFor }, 'fleet', begun, operator);
    }),
};

export const authRotateAgentsKeyCommand: Command = {
  words: ['auth', 'rotate', 'agents-key'],
  summary: 'make another generation of the key that signs credentials of peels',
  examples: ['zester auth rotate agents-key --wait', 'zester auth rotate agents-key --now'],
  detail: [
    'Masters sign the credentials of peels with the agents key. This adds a generation, which every NATS server is told: peels renew',
    'their credentials over the bus, and when every online peel has done so, at the earliest after 10 minutes and at the latest',
    'after one hour, servers refuse the old one. A peel that was away comes back by itself: it asks a master for new credentials',
    'with its key. With --now the old one is refused at once, because it was stolen: every peel is cut off, and comes back in this way.',
  ].join('\n'),
  options: [
    { name: 'now', doc: 'refuse the old generation at once; every peel is cut off for about a minute' },
    WAIT_OPTION,
    DATA_FORMAT_OPTION,
    ...CONNECT_OPTIONS,
  ],
  run: (context, given) =>
    withClient(context, given, async (client, waitFor) => {
      const begun = await waitFor(ASKING, rotateKey(client, 'agents', given.on('now')));
      return await tellRotation({ context, given, client, waitFor }, 'agents', begun, '');
    }),
};

const ASKING = {
  what: 'a master to make the generation',
  ifLeft: 'whether it was made is not known',
  next: 'run `zester auth status`',
};

interface Telling {
  readonly context: CliContext;
  readonly given: GivenOptions;
  readonly client: ClientContext;
  readonly waitFor: WaitFor;
}

async function tellRotation(
  { context, given, client, waitFor }: Telling,
  key: RotatedKey,
  begun: FleetKeyReply,
  more: string,
): Promise<number> {
  const format = formatOf(given);
  if (format === 'text') context.out(`${standingText(begun, key)}${more}`);
  if (!given.on('wait')) {
    if (format !== 'text') context.out(await formatData(standingRecord(begun), format));
    return 0;
  }
  let told = '';
  const tell = (standing: FleetKeyReply) => {
    const line = progressText(standing, key);
    if (format === 'text' && line !== told) context.say(`zester: ${line}\n`);
    told = line;
  };
  const waiting = {
    what: 'the old generation to end',
    ifLeft: 'the rotation goes on by itself',
    next: 'run `zester auth status`',
  };
  const ended = await waitFor(waiting, whenRotated(client, key, tell));
  const newest = ended.generations[0]?.generation;
  context.out(
    format === 'text'
      ? `The overlap is over: generation ${newest} is the only one that masters tell ${key === 'fleet' ? 'peels' : 'NATS servers'} to accept.\n`
      : await formatData(standingRecord(ended), format),
  );
  return 0;
}

export const authStatusCommand: Command = {
  words: ['auth', 'status'],
  summary: 'show the generations of the fleet key and the agents key, and who has not confirmed the newest',
  examples: ['zester auth status', 'zester auth status --format json'],
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithClient(context, given, 'a master', async (client) => {
      const [fleet, agents] = await Promise.all([readKey(client, 'fleet'), readKey(client, 'agents')]);
      const format = formatOf(given);
      context.out(
        format === 'text'
          ? `Fleet key\n${standingText(fleet, 'fleet')}${certificateText(client, fleet)}\nAgents key\n${standingText(agents, 'agents')}`
          : await formatData({ ...standingRecord(fleet), agents_key: standingRecord(agents) }, format),
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

function standingText(standing: FleetKeyReply, key: RotatedKey): string {
  const rows = standing.generations.map(({ generation, isGood, created, createdBy }, index) => [
    String(generation),
    stateWord(standing, isGood, index),
    created === undefined ? 'with the deployment' : timeText(created),
    createdBy === '' ? '-' : createdBy,
  ]);
  return [table(HEAD, rows), `${progressText(standing, key)}\n`].join('');
}

function stateWord({ isOverlap }: FleetKeyReply, isGood: boolean, index: number): string {
  if (!isGood) return 'ended';
  return isOverlap && index > 0 ? 'until the overlap ends' : 'in use';
}

function progressText(standing: FleetKeyReply, key: RotatedKey): string {
  const { isOverlap, peelsOnline, peelsConfirmed, peelsMissing, mastersMissing, sealedOld } = standing;
  const { endsEarliest, endsLatest } = standing;
  const done = key === 'fleet' ? 'have confirmed' : 'are connected by the newest';
  const parts = [`${peelsConfirmed} of ${peelsOnline} online peels ${done}`];
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
