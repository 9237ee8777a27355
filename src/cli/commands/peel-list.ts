import type { Bus } from '../../bus/port.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { nearestWord } from '../../core/suggest.ts';
import { BUCKETS } from '../../wire/buckets.ts';
import { factsCodec } from '../../wire/facts.ts';
import { peelHeartbeatCodec } from '../../wire/heartbeat.ts';
import { parsePeelId } from '../../wire/ids.ts';
import { nanosFromMs } from '../../wire/time.ts';
import { isWireMap, type WireMap, type WireValue } from '../../wire/wire-value.ts';
import { CONNECT_OPTIONS, lookWithBus } from '../admin-bus.ts';
import type { Command, OptionSpec } from '../command.ts';
import { DATA_FORMAT_OPTION } from '../exec/exec-command.ts';
import { formatData } from '../output.ts';
import { displayName } from '../peel-names.ts';
import { type LastSeen, lastSeen, lastSeenText, readLastWords } from '../peels/last-seen.ts';
import { table } from '../table.ts';
import { timeText } from '../time-text.ts';

interface KnownPeel {
  readonly id: string;
  readonly facts: WireMap;
  /** Milliseconds since its last heartbeat; undefined when there is none. */
  readonly heartbeatAgeMs: number | undefined;
  readonly version: string;
  readonly lastSeen: LastSeen | undefined;
}

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
      const format = given.text('format') === 'json' ? 'json' : 'yaml';
      context.out(await formatData(peelRecord(peel), format));
      return 0;
    }),
};

/** Whoever left facts or a heartbeat, sorted. */
async function knownPeels(bus: Bus, nowMs: number): Promise<KnownPeel[]> {
  const facts = await bus.bucket(BUCKETS.facts.name).entries();
  const beats = new Map(
    (await bus.bucket(BUCKETS.peelHeartbeat.name).entries()).map((beat) => [beat.key, beat]),
  );
  const factsOf = new Map(facts.map((entry) => [entry.key, factsCodec.decode(entry.value)]));
  const factsMs = new Map(facts.map((entry) => [entry.key, entry.writtenMs]));
  const ids = [...new Set([...factsOf.keys(), ...beats.keys()])].sort();
  const away = ids.flatMap((id) => (beats.has(id) ? [] : (parsePeelId(id) ?? [])));
  const wordsMs = await readLastWords(bus, away);
  return ids.map((id) => {
    const beat = beats.get(id);
    return {
      id,
      facts: factsOf.get(id) ?? {},
      heartbeatAgeMs: beat === undefined ? undefined : Math.max(0, nowMs - beat.writtenMs),
      version: beat === undefined ? '' : peelHeartbeatCodec.decode(beat.value).version,
      lastSeen: lastSeen({
        heartbeatMs: beat?.writtenMs,
        factsMs: factsMs.get(id),
        wordMs: wordsMs.get(id),
      }),
    };
  });
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
  };
}

function factText(facts: WireMap, ...path: string[]): string {
  let value: WireValue | undefined = facts;
  for (const key of path) value = isWireMap(value) ? value[key] : undefined;
  return typeof value === 'string' ? value : '-';
}
