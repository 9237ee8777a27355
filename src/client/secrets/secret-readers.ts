/**
 * `whenSecretsRead` waits until peels have read what was sealed for them, by their own word: a heartbeat says which revision
 * of its secrets and of the settings a peel has. A peel that is away reads them when it is back, and is not waited for.
 *
 * Ends when every peel that is online has them, or when the time is up: then it tells who has not. Whoever stops waiting
 * changes nothing.
 */
import { openTable, type Table } from '../../bus/kv/table.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { sleep } from '../../runtime/clock.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import type { PeelHeartbeat } from '../../wire/records/heartbeat.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext } from '../client-context.ts';

const LOOK_MS = 1_000;

export interface SecretReaders {
  readonly read: readonly PeelId[];
  /** Online, and have not read them. */
  readonly waiting: readonly PeelId[];
  readonly offline: readonly PeelId[];
}

export interface ReadersWanted {
  /** Undefined: all for whom something is sealed. */
  readonly peels: readonly PeelId[] | undefined;
  /** Of the settings that peels must have as well; 0 where any will do. */
  readonly settingsRevision: number;
  readonly timeoutMs: number;
}

export async function whenSecretsRead(
  client: ClientContext,
  wanted: ReadersWanted,
  onProgress: (readers: SecretReaders) => void = () => undefined,
): Promise<SecretReaders> {
  const { bus, runtime, signal } = client;
  const { clock } = runtime;
  const untilMs = clock.monotonicMs() + wanted.timeoutMs;
  const sealed = await unlessAborted(revisions(openTable(bus, TABLES.sealedSecrets)), signal);
  const beats = openTable(bus, TABLES.peelHeartbeats);
  for (;;) {
    const readers = sorted(wanted, sealed, await unlessAborted(heartbeats(beats), signal));
    onProgress(readers);
    if (readers.waiting.length === 0 || clock.monotonicMs() >= untilMs) return readers;
    await sleep(clock, LOOK_MS, signal);
  }
}

function sorted(
  { peels, settingsRevision }: ReadersWanted,
  sealed: ReadonlyMap<PeelId, number>,
  beats: ReadonlyMap<PeelId, PeelHeartbeat | undefined>,
): SecretReaders {
  const all = [...(peels ?? sealed.keys())].sort();
  const hasRead = (peel: PeelId): boolean => {
    const beat = beats.get(peel);
    const revision = sealed.get(peel);
    if (beat === undefined || revision === undefined) return false;
    return beat.secretsRevision >= revision && beat.settingsRevision >= settingsRevision;
  };
  return {
    read: all.filter((peel) => beats.has(peel) && hasRead(peel)),
    waiting: all.filter((peel) => beats.has(peel) && !hasRead(peel)),
    offline: all.filter((peel) => !beats.has(peel)),
  };
}

async function revisions(table: Table<PeelId, unknown>): Promise<ReadonlyMap<PeelId, number>> {
  const entries = await table.entries();
  return new Map(entries.flatMap(({ id, revision }) => (id === undefined ? [] : [[id, revision] as const])));
}

/** A peel whose heartbeat cannot be read is there all the same. */
async function heartbeats(
  table: Table<PeelId, PeelHeartbeat>,
): Promise<ReadonlyMap<PeelId, PeelHeartbeat | undefined>> {
  const entries = await table.entries();
  return new Map(
    entries.flatMap((entry) => {
      if (entry.id === undefined) return [];
      return [[entry.id, entry.is === 'found' ? entry.value : undefined] as const];
    }),
  );
}
