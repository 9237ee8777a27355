/**
 * `readFilesStatus` tells who publishes files, what is published, and what each known peel has of it. What is published is
 * read from the buckets, so it is known also where nobody publishes; what the publisher thinks of its directories only it
 * can say.
 *
 * The parts are read one after the other while the fleet goes on: a peel may already have what was published in between.
 */
import type { FileSetHead } from '../../bus/file-set/file-set.ts';
import { readFileSetHead } from '../../bus/file-set/read-file-set.ts';
import { openTable, type TableEntry } from '../../bus/kv/table.ts';
import type { Bus } from '../../bus/port.ts';
import { isZesterError, type ZesterError } from '../../core/errors/zester-error.ts';
import { type PeelFilesState, type PublishedRevisions, peelFiles } from '../../core/files/peel-files.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { kvStreamName } from '../../wire/names/store-subjects.ts';
import { FILE_SETS, type FileSetName, type FileSetSpec } from '../../wire/records/file-set.ts';
import type { FilesReply, FilesSetReport } from '../../wire/records/fileserver.ts';
import type { PeelHeartbeat } from '../../wire/records/heartbeat.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { QUESTIONS } from '../ask.ts';
import type { ClientContext, UnreadableRecord } from '../client-context.ts';
import { unlessMissing } from '../unless-missing.ts';
import { askPublisher } from './ask-publisher.ts';

export interface FilesStatus {
  /** Or why nobody answered as the publisher. */
  readonly publisher: FilesReply | ZesterError;
  readonly sets: readonly FilesSetStatus[];
  /** Sorted by id. */
  readonly peels: readonly PeelFilesStatus[];
  readonly unreadable: readonly UnreadableRecord[];
}

export interface FilesSetStatus {
  readonly set: string;
  /** What the bucket holds. */
  readonly published: 'whole' | 'torn' | 'empty';
  /** Undefined unless it is whole. */
  readonly revision: number | undefined;
  readonly files: number;
  readonly writtenMs: number | undefined;
  /** Why it is torn. */
  readonly problem: string;
  /** Undefined where nobody publishes. */
  readonly report: FilesSetReport | undefined;
}

export interface PeelFilesStatus {
  readonly id: string;
  readonly state: PeelFilesState;
  /** Undefined where it has no heartbeat that can be read. */
  readonly beat: PeelHeartbeat | undefined;
  readonly heartbeatAgeMs: number | undefined;
  /** Revision of the secrets that are sealed for it; undefined when there are none. */
  readonly sealedRevision: number | undefined;
}

/** In the order in which a publisher tells them. That of the masters among themselves is none that a peel could have. */
const SHOWN_SETS: readonly FileSetSpec[] = [FILE_SETS.settings, FILE_SETS.states, FILE_SETS.reactor];
const NOTHING_PUBLISHED: FileSetHead = { is: 'empty' };
const ANSWER_MS = 3_000;

export async function readFilesStatus(client: ClientContext): Promise<FilesStatus> {
  return unlessAborted(readStatus(client), client.signal);
}

async function readStatus(client: ClientContext): Promise<FilesStatus> {
  const { bus, runtime } = client;
  const [publisher, heads, beats, facts, sealed] = await Promise.all([
    askPublisher(client, QUESTIONS.filesStatus, { force: false }, ANSWER_MS).catch(orNoPublisher),
    Promise.all(SHOWN_SETS.map((spec) => publishedHead(bus, spec))),
    unlessMissing(openTable(bus, TABLES.peelHeartbeats).entries(), []),
    unlessMissing(openTable(bus, TABLES.facts).ids(), []),
    unlessMissing(openTable(bus, TABLES.sealedSecrets).entries(), []),
  ]);
  const reports = isZesterError(publisher) ? [] : publisher.sets;
  const sets = SHOWN_SETS.map(({ name }, index) =>
    setStatus(name, heads[index] ?? NOTHING_PUBLISHED, reports),
  );
  const revisionOf = (name: FileSetName) => sets.find(({ set }) => set === name)?.revision;
  const published = { states: revisionOf('states'), settings: revisionOf('settings') };
  const beatOf = new Map(beats.map((entry) => [entry.key, entry]));
  const sealedOf = new Map(sealed.map(({ key, revision }) => [key, revision]));
  const nowMs = runtime.clock.nowMs();
  const peels = [...new Set<string>([...facts, ...beatOf.keys()])]
    .sort()
    .map((id) => peelStatus(id, beatOf.get(id), { ...published, secrets: sealedOf.get(id) }, nowMs));
  const unreadable = beats.flatMap((entry): UnreadableRecord[] =>
    entry.is === 'unreadable' ? [{ kind: 'heartbeat', key: entry.key, problem: entry.problem }] : [],
  );
  return { publisher, sets, peels, unreadable };
}

/** A bucket that was never made is asked for first: a direct get of it looks like a store that has no leader. */
async function publishedHead(bus: Bus, spec: FileSetSpec): Promise<FileSetHead> {
  const store = await unlessMissing(bus.stream(kvStreamName(spec.bucket.name)).state(), undefined);
  return store === undefined ? NOTHING_PUBLISHED : readFileSetHead(bus, spec);
}

function setStatus(set: string, head: FileSetHead, reports: readonly FilesSetReport[]): FilesSetStatus {
  const isWhole = head.is === 'whole';
  return {
    set,
    published: head.is,
    revision: isWhole ? head.revision : undefined,
    files: isWhole ? head.files.length : 0,
    writtenMs: isWhole ? head.writtenMs : undefined,
    problem: head.is === 'torn' ? head.problem : '',
    report: reports.find((report) => report.set === set),
  };
}

function peelStatus(
  id: string,
  entry: TableEntry<PeelId, PeelHeartbeat> | undefined,
  published: PublishedRevisions,
  nowMs: number,
): PeelFilesStatus {
  const beat = entry?.is === 'found' ? entry.value : undefined;
  return {
    id,
    state: peelFiles(entry === undefined ? undefined : (beat ?? 'unreadable'), published),
    beat,
    heartbeatAgeMs: entry === undefined ? undefined : Math.max(0, nowMs - entry.writtenMs),
    sealedRevision: published.secrets,
  };
}

function orNoPublisher(error: unknown): ZesterError {
  if (isZesterError(error, 'FILES_NO_PUBLISHER') || isZesterError(error, 'FILES_REFUSED')) return error;
  throw error;
}
