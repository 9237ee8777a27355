/** What the store knows of masters: their heartbeats, the leases they hold, the unfinished jobs they own. */
import type { Bus } from '../../bus/port.ts';
import { readStoreClock } from '../../bus/stream/store-clock.ts';
import type { Clock } from '../../runtime/clock.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { ACTIVE_JOBS_PATTERN, parseActiveJobKey } from '../../wire/names/keys.ts';
import { kvStreamName } from '../../wire/names/store-subjects.ts';
import { type MasterHeartbeat, masterHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import { activeJobEntryCodec } from '../../wire/records/job.ts';
import { tryDecode } from '../try-decode.ts';
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

export async function readMasters(bus: Bus, clock: Clock): Promise<MastersSeen> {
  const { name } = BUCKETS.masterHeartbeat;
  const read = (bucket: string, filter?: string) => unlessMissing(bus.bucket(bucket).entries(filter), []);
  const beats = await read(name);
  const leases = await read(BUCKETS.leases.name);
  const index = await read(BUCKETS.jobs.name, ACTIVE_JOBS_PATTERN);
  // Last: no heartbeat that was read is newer than now.
  const time = await unlessMissing(readStoreClock(bus, kvStreamName(name), clock), undefined);
  return {
    beats: beats.map(({ key, value, writtenMs }) => ({
      id: key,
      beat: tryDecode(masterHeartbeatCodec, value),
      writtenMs,
    })),
    leases: leases.map(({ key, value }) => ({ name: key, holder: Buffer.from(value).toString('utf8') })),
    openJobs: index.map(({ key, value }) => ({
      jid: parseActiveJobKey(key) ?? key,
      owner: tryDecode(activeJobEntryCodec, value)?.owner ?? '',
    })),
    nowMs: time?.storeMs ?? clock.nowMs(),
  };
}
