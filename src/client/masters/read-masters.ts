/**
 * `readMasters` reads what the store knows of masters: their heartbeats, the leases they hold, the unfinished jobs they
 * own.
 */
import { openTable } from '../../bus/kv/table.ts';
import { readStoreClock } from '../../bus/stream/store-clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { kvStreamName } from '../../wire/names/store-subjects.ts';
import { ANY } from '../../wire/names/subjects.ts';
import type { MasterHeartbeat } from '../../wire/records/heartbeat.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { ClientContext } from '../client-context.ts';
import { unlessMissing } from '../unless-missing.ts';

export interface MastersSeen {
  readonly beats: readonly SeenMaster[];
  readonly leases: readonly { readonly name: string; readonly holder: string }[];
  /** By the index of unfinished jobs. */
  readonly openJobs: readonly { readonly jid: string; readonly owner: string }[];
  /** The store's own time. */
  readonly nowMs: number;
}

export interface SeenMaster {
  readonly id: string;
  /** Undefined when it makes no sense: then all that is known is that something of that name was written. */
  readonly beat: MasterHeartbeat | undefined;
  /** By the store's clock. */
  readonly writtenMs: number;
}

export async function readMasters({ bus, runtime }: ClientContext): Promise<MastersSeen> {
  const { clock } = runtime;
  const beats = await unlessMissing(openTable(bus, TABLES.masterHeartbeats).entries(), []);
  const leases = await unlessMissing(bus.bucket(BUCKETS.leases.name).entries(ANY), []);
  const index = await unlessMissing(openTable(bus, TABLES.activeJobs).entries(), []);
  // Last: no heartbeat that was read is newer than now.
  const store = kvStreamName(BUCKETS.masterHeartbeat.name);
  const time = await unlessMissing(readStoreClock(bus, store, clock), undefined);
  return {
    beats: beats.map((entry) => ({
      id: entry.key,
      beat: entry.is === 'found' ? entry.value : undefined,
      writtenMs: entry.writtenMs,
    })),
    leases: leases.map(({ key, value }) => ({ name: key, holder: Buffer.from(value).toString('utf8') })),
    openJobs: index.map((entry) => ({
      jid: entry.id ?? entry.key,
      owner: entry.is === 'found' ? (entry.value.owner ?? '') : '',
    })),
    nowMs: time?.storeMs ?? clock.nowMs(),
  };
}
