/**
 * `listPeels` lists the peels that are known: whoever left facts or a heartbeat, or is kept out. The first two are a peel's own words and may be
 * anything: what cannot be read is named with its peel, and the peel is listed all the same, because it is there.
 */
import { openTable, type TableEntry } from '../../bus/kv/table.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { nearestWord } from '../../core/suggest.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { type PeelId, parsePeelId } from '../../wire/names/ids.ts';
import type { FloodBan } from '../../wire/records/enroll/flood-ban.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext, UnreadableRecord } from '../client-context.ts';
import { readStoredWords, type StoredWords } from '../enroll/read-words.ts';
import { unlessMissing } from '../unless-missing.ts';
import { type LastSeen, lastSeen, readLastWords } from './last-seen.ts';

export interface KnownPeel {
  readonly id: string;
  /** Empty when there are none, or none that can be read. */
  readonly facts: WireMap;
  /** What operators say of it. */
  readonly tags: Readonly<Record<string, string>>;
  /** Milliseconds since its last heartbeat; undefined when there is none. */
  readonly heartbeatAgeMs: number | undefined;
  readonly version: string;
  readonly lastSeen: LastSeen | undefined;
  /** While it is kept out because it flooded the bus. */
  readonly ban: FloodBan | undefined;
  readonly unreadable: readonly UnreadableRecord[];
}

/** Sorted by id. */
export function listPeels(client: ClientContext): Promise<KnownPeel[]> {
  return unlessAborted(readPeels(client), client.signal);
}

/** By its id, or by its name with the dots that travel as `_`. CLI_PEEL_UNKNOWN when there is none. */
export async function findPeel(client: ClientContext, name: string): Promise<KnownPeel> {
  const peels = await listPeels(client);
  const peel = peels.find(({ id }) => id === name || id === name.replaceAll('.', '_'));
  if (peel !== undefined) return peel;
  const near = nearestWord(
    name,
    peels.map(({ id }) => id),
  );
  const suggestion = near === undefined ? '' : `; did you mean ${near}?`;
  throw zesterError('CLI_PEEL_UNKNOWN', { peel: name, suggestion });
}

/**
 * Which of these peels have no heartbeat. Asked by keys with a value: a heartbeat that was deleted leaves a mark, and a
 * mark is no heartbeat. A peel that came up just now may be among them.
 */
export async function offlinePeels(
  { bus, signal }: ClientContext,
  peels: readonly PeelId[],
): Promise<ReadonlySet<PeelId>> {
  const beating = new Set(await unlessAborted(openTable(bus, TABLES.peelHeartbeats).ids(), signal));
  return new Set(peels.filter((peel) => !beating.has(peel)));
}

async function readPeels(client: ClientContext): Promise<KnownPeel[]> {
  const { bus, runtime } = client;
  const nowMs = runtime.clock.nowMs();
  const facts = byKey(await openTable(bus, TABLES.facts).entries());
  const beats = byKey(await openTable(bus, TABLES.peelHeartbeats).entries());
  const words: ReadonlyMap<string, StoredWords> = await readStoredWords(client);
  const bans = await bansInForce(client);
  const ids = [...new Set([...facts.keys(), ...beats.keys(), ...bans.keys()])].sort();
  const away = ids.flatMap((id) => (beats.has(id) ? [] : (parsePeelId(id) ?? [])));
  const wordsMs = await readLastWords(bus, away);
  return ids.map((id) => {
    const [itsFacts, beat] = [facts.get(id), beats.get(id)];
    return {
      id,
      facts: itsFacts?.is === 'found' ? itsFacts.value : {},
      tags: words.get(id)?.tags ?? {},
      heartbeatAgeMs: beat === undefined ? undefined : Math.max(0, nowMs - beat.writtenMs),
      ban: bans.get(id),
      version: beat?.is === 'found' ? beat.value.version : '',
      unreadable: [...unreadableIn('facts', itsFacts), ...unreadableIn('heartbeat', beat)],
      lastSeen: lastSeen({
        heartbeatMs: beat?.writtenMs,
        factsMs: itsFacts?.writtenMs,
        wordMs: wordsMs.get(id),
      }),
    };
  });
}

async function bansInForce({ bus, runtime }: ClientContext): Promise<ReadonlyMap<string, FloodBan>> {
  const entries = await unlessMissing(openTable(bus, TABLES.floodBans).entries(), []);
  const now = nanosFromMs(runtime.clock.nowMs());
  const bans = entries.flatMap((entry) =>
    entry.is === 'found' && entry.value.until > now ? [entry.value] : [],
  );
  return new Map(bans.map((ban) => [ban.peelId, ban]));
}

function byKey<Id, T>(entries: readonly TableEntry<Id, T>[]): ReadonlyMap<string, TableEntry<Id, T>> {
  return new Map(entries.map((entry) => [entry.key, entry]));
}

function unreadableIn(
  kind: 'facts' | 'heartbeat',
  entry: TableEntry<unknown, unknown> | undefined,
): UnreadableRecord[] {
  return entry?.is === 'unreadable' ? [{ kind, key: entry.key, problem: entry.problem }] : [];
}
