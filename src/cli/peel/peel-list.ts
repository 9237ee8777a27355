/** `zester peel list` and `zester peel show` print the peels that are known. What a peel says is a stranger’s text. */
import type { LastSeen } from '../../client/peels/last-seen.ts';
import { findPeel, type KnownPeel, listPeels } from '../../client/peels/list-peels.ts';
import { printableLine } from '../../core/printable.ts';
import { timeText } from '../../core/time-text.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { lookWithClient } from '../connect/with-client.ts';
import { tagsText } from '../enroll/enrollment-text.ts';
import type { CliContext, Command, OptionSpec } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { ageText } from '../terminal/age-text.ts';
import { formatData } from '../terminal/format-data.ts';
import { displayName } from '../terminal/peel-names.ts';
import { table } from '../terminal/table.ts';
import { unreadableText } from '../terminal/unreadable-text.ts';

/** Facts are a stranger's words: enough to read, and they must not pad the rows of all others. */
const FACT_CHARS_MAX = 40;

const ONLINE_OPTION: OptionSpec = { name: 'online-only', doc: 'leave out peels without a heartbeat' };

export const peelListCommand: Command = {
  words: ['peel', 'list'],
  summary: 'list the peels that are known, and whether they are there',
  examples: ['zester peel list', 'zester peel list --online-only', 'zester peel list --format json'],
  detail: [
    'LAST-SEEN of a peel that is away is its last trace, and says which: heartbeats are kept for half a minute, so it may',
    'have been there later. Facts are written at each connect and when they change. One that flooded NATS is banned for a while;',
    '`zester peel show` says why, and `zester peel unban` lets it in again.',
  ].join('\n'),
  options: [ONLINE_OPTION, DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithClient(context, given, 'the list of peels', async (client) => {
      const nowMs = context.runtime.clock.nowMs();
      const known = await listPeels(client);
      const isShown = (peel: KnownPeel) => !given.on('online-only') || peel.heartbeatAgeMs !== undefined;
      const peels = known.filter(isShown);
      for (const peel of peels) tellUnreadable(context, peel);
      const format = formatOf(given);
      if (format !== 'text') {
        context.out(await formatData(peels.map(peelRecord), format));
      } else {
        const rows = peels.map((peel) => [
          displayName(peel.id),
          factText(peel.facts, 'os', 'name'),
          factText(peel.facts, 'os', 'arch'),
          onlineText(peel),
          lastSeenText(peel.lastSeen, nowMs),
          tagsText(peel.tags) || '-',
        ]);
        context.out(
          rows.length === 0
            ? `No peels found${known.length > 0 ? ` that are online, of ${known.length} that are known` : ''}.\n`
            : table(['PEEL ID', 'OS', 'ARCH', 'ONLINE', 'LAST-SEEN', 'TAGS'], rows),
        );
      }
      return 0;
    }),
};

export const peelShowCommand: Command = {
  words: ['peel', 'show'],
  takesWords: '<peel>',
  summary: 'show a peel: its tags, its facts and when it was last seen',
  examples: ['zester peel show web-01', 'zester peel show web-01 --format json'],
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithClient(context, given, 'the list of peels', async (client) => {
      const [word = ''] = given.words();
      const peel = await findPeel(client, word);
      tellUnreadable(context, peel);
      const format = given.text('format') === 'json' ? 'json' : 'yaml';
      context.out(await formatData(peelRecord(peel), format));
      return 0;
    }),
};

function tellUnreadable({ say }: CliContext, { unreadable }: KnownPeel): void {
  for (const record of unreadable) say(`zester: ${unreadableText(record)}\n`);
}

function peelRecord(peel: KnownPeel): object {
  return {
    peel_id: peel.id,
    online: peel.heartbeatAgeMs !== undefined,
    ...(peel.heartbeatAgeMs === undefined
      ? {}
      : { heartbeat_age_ms: Math.round(peel.heartbeatAgeMs), version: peel.version }),
    ...(peel.lastSeen === undefined
      ? {}
      : { last_seen: timeText(nanosFromMs(peel.lastSeen.atMs)), last_seen_by: peel.lastSeen.by }),
    ...(peel.ban === undefined
      ? {}
      : { banned_until: timeText(peel.ban.until), banned_because: peel.ban.reason }),
    tags: peel.tags,
    facts: peel.facts,
    ...(peel.unreadable.length === 0 ? {} : { unreadable: peel.unreadable.map(({ kind }) => kind) }),
  };
}

/** Heartbeats are kept for half a minute: of a peel that was just cut off there may be one. */
function onlineText({ ban, heartbeatAgeMs }: KnownPeel): string {
  if (ban !== undefined) return `banned until ${timeText(ban.until)}`;
  return heartbeatAgeMs === undefined ? 'no' : 'yes';
}

function factText(facts: WireMap, ...path: string[]): string {
  let value: WireValue | undefined = facts;
  for (const key of path) value = isWireMap(value) ? value[key] : undefined;
  return typeof value === 'string' ? printableLine(value, FACT_CHARS_MAX) : '-';
}

const BY: Readonly<Record<LastSeen['by'], string>> = {
  heartbeat: '',
  facts: ' or later, by its facts',
  job: ' or later, by a job',
};

/** `5s ago`, `10m ago or later, by its facts`. */
export function lastSeenText(seen: LastSeen | undefined, nowMs: number): string {
  return seen === undefined ? 'unknown' : `${ageText(nowMs - seen.atMs)}${BY[seen.by]}`;
}
