/** The settings of a master, with their defaults filled in once: inner code never meets a missing one. */

export interface MasterSettings {
  /** After this long a target that said nothing gets its request again, and then at growing intervals; negative: never. */
  readonly ackWindowMs: number;
  readonly heartbeatMs: number;
  /** How often jobs of dead masters are looked for. */
  readonly orphanScanMs: number;
  /** How often all records are gone through for unfinished jobs that the index has lost. */
  readonly sweepMs: number;
  /** Dispatches that are worked on at a time. */
  readonly dispatchConcurrency: number;
  /** Dispatches that wait for their turn; one more is refused with MASTER_BUSY. */
  readonly dispatchQueueMax: number;
  /** Jobs watched at a time; one more is refused with MASTER_BUSY. */
  readonly watchedJobsMax: number;
  /** Copies of every bucket and stream; undefined: as many as the cluster has servers, within reason. */
  readonly replicas: number | undefined;
  /** How often buckets and streams are put right again. */
  readonly assetCheckMs: number;
  /** How often the streams of jobs are compared with what they were. */
  readonly storeLookMs: number;
  /** Rows that are on their way to the store at a time. */
  readonly rowWritesMax: number;
  /** Rows that wait to be written, in bytes. A return over it is left in the stream and read again later. */
  readonly rowBytesMax: number;
  /** Returns from the stream that are worked on at a time. */
  readonly lateReturnSlots: number;
  /** Facts that match in questions of peels; all others are refused there. `os` stands for all below it. */
  readonly factsVisibleToPeels: readonly string[];
  /** How long the credentials of a peel are good. */
  readonly peelCredsValidMs: number;
  /** After a rotation of the fleet key the old one is good for at least this long. */
  readonly fleetKeyOverlapMinMs: number;
  /** And for no longer than this, whoever has not confirmed the new one. */
  readonly fleetKeyOverlapMaxMs: number;
  /** How long a graceful stop may take; what is not done then is left to an adopter. */
  readonly stopMsMax: number;
}

const DEFAULTS: MasterSettings = {
  ackWindowMs: 5_000,
  heartbeatMs: 5_000,
  orphanScanMs: 20_000,
  sweepMs: 600_000,
  dispatchConcurrency: 64,
  dispatchQueueMax: 1_024,
  watchedJobsMax: 10_000,
  replicas: undefined,
  assetCheckMs: 60_000,
  storeLookMs: 60_000,
  rowWritesMax: 256,
  rowBytesMax: 64 * 1_048_576,
  lateReturnSlots: 64,
  factsVisibleToPeels: [],
  peelCredsValidMs: 180 * 86_400_000,
  fleetKeyOverlapMinMs: 600_000,
  fleetKeyOverlapMaxMs: 3_600_000,
  stopMsMax: 10_000,
};

export function masterSettings(given: Partial<MasterSettings> = {}): MasterSettings {
  return { ...DEFAULTS, ...given };
}
