import type { Bus } from '../../bus/port.ts';
import { type LastSeen, lastSeen, lastSeenText, readLastWords } from '../../client/peels/last-seen.ts';
import { decodeOrTell, leftOut } from '../../client/try-decode.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { printableLine } from '../../core/printable.ts';
import { nearestWord } from '../../core/suggest.ts';
import { timeText } from '../../core/time-text.ts';
import type { Codec } from '../../wire/msgpack/codec.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { isWireMap, type WireMap, type WireValue } from '../../wire/msgpack/wire-value.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { parsePeelId } from '../../wire/names/ids.ts';
import { factsCodec } from '../../wire/records/facts.ts';
import { peelHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import { CONNECT_OPTIONS, lookWithBus } from '../connect/admin-bus.ts';
import { DATA_FORMAT_OPTION } from '../exec/exec-command.ts';
import type { CliContext, Command, OptionSpec } from '../program/command.ts';
import { formatData } from '../terminal/format-data.ts';
import { displayName } from '../terminal/peel-names.ts';
import { table } from '../terminal/table.ts';

interface KnownPeel {
  readonly id: string;
  readonly facts: WireMap;
  /** Milliseconds since its last heartbeat; undefined when there is none. */
  readonly heartbeatAgeMs: number | undefined;
  readonly version: string;
  readonly lastSeen: LastSeen | undefined;
  /** Its records that make no sense; what they hold is left out. */
  readonly unreadable: readonly { readonly what: string; readonly problem: string }[];
}

/** Facts are a stranger's words: enough to read, and they must not pad the rows of all others. */
const FACT_CHARS_MAX = 40;

const ONLINE_OPTION: OptionSpec = { name: 'online-only', doc: 'leave out peels without a heartbeat' };

export const peelListCommand: Command = {
  words: ['peel', 'list'],
  summary: 'list the peels that are known, and whether they are there',
  examples: ['zester peel list', 'zester peel list --online-only', 'zester peel list --format json'],
  detail: [
    'LAST-SEEN of a peel that is away is its last trace, and says which: heartbeats are kept for half a minute, so it may',
    'have been there later. Facts are written at each connect and when they change.',
  ].join('\n'),
  options: [ONLINE_OPTION, DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithBus(context, given, 'the list of peels', async (bus) => {
      const nowMs = context.runtime.clock.nowMs();
      const known = await knownPeels(bus, nowMs);
      const isShown = (peel: KnownPeel) => !given.on('online-only') || peel.heartbeatAgeMs !== undefined;
      const peels = known.filter(isShown);
      for (const peel of peels) tellUnreadable(context, peel);
      const format = given.text('format') ?? 'text';
      if (format !== 'text') {
        context.out(await formatData(peels.map(peelRecord), format as 'json' | 'yaml'));
      } else {
        const rows = peels.map((peel) => [
          displayName(peel.id),
          factText(peel.facts, 'os', 'name'),
          factText(peel.facts, 'os', 'arch'),
          peel.heartbeatAgeMs === undefined ? 'no' : 'yes',
          lastSeenText(peel.lastSeen, nowMs),
        ]);
        context.out(
          rows.length === 0
            ? `No peels found${known.length > 0 ? ` that are online, of ${known.length} that are known` : ''}.\n`
            : table(['PEEL ID', 'OS', 'ARCH', 'ONLINE', 'LAST-SEEN'], rows),
        );
      }
      return 0;
    }),
};

export const peelShowCommand: Command = {
  words: ['peel', 'show'],
  takesWords: '<peel>',
  summary: 'show a peel: its facts and when it was last seen',
  examples: ['zester peel show web-01', 'zester peel show web-01 --format json'],
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithBus(context, given, 'the list of peels', async (bus) => {
      const peels = await knownPeels(bus, context.runtime.clock.nowMs());
      const [word = ''] = given.words();
      const peel = peels.find(({ id }) => id === word || displayName(id) === word);
      if (peel === undefined) {
        const near = nearestWord(
          word,
          peels.map(({ id }) => id),
        );
        throw zesterError('CLI_PEEL_UNKNOWN', {
          peel: word,
          suggestion: near === undefined ? '' : `; did you mean ${near}?`,
        });
      }
      tellUnreadable(context, peel);
      const format = given.text('format') === 'json' ? 'json' : 'yaml';
      context.out(await formatData(peelRecord(peel), format));
      return 0;
    }),
};

/** Whoever left facts or a heartbeat, sorted. */
async function knownPeels(bus: Bus, nowMs: number): Promise<KnownPeel[]> {
  const read = async (bucket: string) =>
    new Map((await bus.bucket(bucket).entries()).map((entry) => [entry.key, entry]));
  const facts = await read(BUCKETS.facts.name);
  const beats = await read(BUCKETS.peelHeartbeat.name);
  const ids = [...new Set([...facts.keys(), ...beats.keys()])].sort();
  const away = ids.flatMap((id) => (beats.has(id) ? [] : (parsePeelId(id) ?? [])));
  const wordsMs = await readLastWords(bus, away);
  return ids.map((id) => {
    const unreadable: { what: string; problem: string }[] = [];
    const decoded = <T>(what: string, codec: Codec<T>, bytes: Uint8Array | undefined) =>
      bytes === undefined
        ? undefined
        : decodeOrTell(codec, bytes, (problem) => {
            unreadable.push({ what, problem });
          });
    const beat = beats.get(id);
    return {
      id,
      facts: decoded('facts', factsCodec, facts.get(id)?.value) ?? {},
      heartbeatAgeMs: beat === undefined ? undefined : Math.max(0, nowMs - beat.writtenMs),
      version: decoded('heartbeat', peelHeartbeatCodec, beat?.value)?.version ?? '',
      unreadable,
      lastSeen: lastSeen({
        heartbeatMs: beat?.writtenMs,
        factsMs: facts.get(id)?.writtenMs,
        wordMs: wordsMs.get(id),
      }),
    };
  });
}

function tellUnreadable({ say }: CliContext, { id, unreadable }: KnownPeel): void {
  for (const { what, problem } of unreadable)
    say(`zester: ${leftOut(`the record ${what} of ${id}`, problem)}\n`);
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
    facts: peel.facts,
    ...(peel.unreadable.length === 0 ? {} : { unreadable: peel.unreadable.map(({ what }) => what) }),
  };
}

function factText(facts: WireMap, ...path: string[]): string {
  let value: WireValue | undefined = facts;
  for (const key of path) value = isWireMap(value) ? value[key] : undefined;
  return typeof value === 'string' ? printableLine(value, FACT_CHARS_MAX) : '-';
}
