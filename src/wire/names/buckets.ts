/**
 * This table lists every key-value bucket: who writes, who reads, how long a value lives. Masters create and re-assert
 * them from this table; grants.ts derives what a peel may do from it; the memory bus obeys it.
 *
 * Replicas are not here: they depend on the cluster. A `critical` bucket is one whose loss loses work.
 */
import { CLUSTER_INFO_KEY, COMMAND_KEY, FLEET_KEYS_KEY, MASTER_CURVE_KEY } from './keys.ts';

/** Stands for the peel's own id in `peelReads` and `peelWrites`. */
export const SELF = '{self}';

/**
 * `bare`: the headers, because somebody watches. `whole`: the value as well, so that whoever hears it need not read; only
 * where values are small and peels do not listen, because in the account of the peels anyone can forge a hint.
 */
export type Hints = 'none' | 'bare' | 'whole';

export interface BucketSpec {
  readonly name: string;
  /** Milliseconds a value lives after its last write; 0 keeps it. Expiry sends no hint. */
  readonly ttlMs: number;
  /** Values kept per key. */
  readonly history: number;
  /** Longest value; 0 leaves it to the server. Set where peels write, so that one cannot fill the disk of all. */
  readonly valueBytesMax: number;
  /**
   * Of all values together, and how many of them; 0 is no limit. Set where a peel, or a stranger at the enrollment door, may
   * make any number of keys. At the limit new keys are refused, also those of others, until the flood guard has taken out what
   * the flooder put there, or they have lived their time.
   */
  readonly bytesMax: number;
  readonly valuesMax: number;
  readonly storage: 'file' | 'memory';
  readonly tier: 'critical' | 'ephemeral';
  /** Keys a peel may read, as patterns. `>` is the rest of a key, `{self}` the peel's own id. */
  readonly peelReads: readonly string[];
  /** Keys a peel may write, as patterns. */
  readonly peelWrites: readonly string[];
  /** A peel can write here, so roll-up headers are off: one would let it empty the whole bucket. */
  readonly peelWritable: boolean;
  /** What of every write is republished on `zester.kv.<bucket>.>`. */
  readonly hints: Hints;
  readonly doc: string;
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

export const BUCKETS = {
  facts: bucket({
    name: 'facts',
    history: 5,
    peelWrites: [SELF],
    valueBytesMax: 262_144,
    hints: 'bare',
    doc: '`<peel>` → facts map. The peel writes its own; masters index all.',
  }),
  settingsFiles: bucket({
    name: 'settings-files',
    history: 3,
    peelReads: ['>'],
    hints: 'bare',
    doc: 'Settings files with secrets taken out, `_manifest`, `_revision`, `_spread`. The publisher master writes; peels read.',
  }),
  secrets: bucket({
    name: 'secrets',
    history: 3,
    peelReads: [SELF, MASTER_CURVE_KEY, COMMAND_KEY, CLUSTER_INFO_KEY, FLEET_KEYS_KEY],
    hints: 'bare',
    doc: '`<peel>` → secrets sealed to that peel; public keys of the account. Masters write; a peel reads its own.',
  }),
  basket: bucket({
    name: 'basket',
    history: 1,
    peelReads: ['>'],
    peelWrites: [`${SELF}.>`],
    valueBytesMax: 65_536,
    bytesMax: 536_870_912,
    valuesMax: 500_000,
    hints: 'bare',
    doc: '`<peel>.<function>` → what a peel shares with the others (the mine). The peel writes its own; peels read all.',
  }),
  jobs: bucket({
    name: 'jobs',
    ttlMs: 7 * DAY_MS,
    history: 10,
    hints: 'bare',
    doc: '`<jid>` → Job; `active.<jid>` → ActiveJobEntry. Masters write, fenced by revision; the CLI reads.',
  }),
  jobReturns: bucket({
    name: 'job-returns',
    ttlMs: 7 * DAY_MS,
    history: 1,
    doc: '`<jid>.<peel>` → Row. Masters write each row on arrival; the CLI reads.',
  }),
  masterHeartbeat: bucket({
    name: 'master-heartbeat',
    ttlMs: 15 * SECOND_MS,
    history: 1,
    tier: 'ephemeral',
    hints: 'bare',
    doc: '`<master>` → MasterHeartbeat every 5 s. Masters write and read; a missing key means a dead master.',
  }),
  stateFiles: bucket({
    name: 'state-files',
    history: 3,
    peelReads: ['>'],
    hints: 'bare',
    doc: 'State files, `_manifest`, `_revision`, `_spread`. The publisher master writes; peels mirror.',
  }),
  peelHeartbeat: bucket({
    name: 'peel-heartbeat',
    ttlMs: 30 * SECOND_MS,
    history: 1,
    tier: 'ephemeral',
    peelWrites: [SELF],
    valueBytesMax: 4_096,
    hints: 'whole',
    doc: '`<peel>` → PeelHeartbeat every 10 s. The peel writes its own; masters and the CLI read.',
  }),
  leases: bucket({
    name: 'leases',
    ttlMs: 15 * SECOND_MS,
    history: 1,
    tier: 'ephemeral',
    doc: 'Lease name → raw id of the holder. Masters write. Advisory: every effect has a fence of its own.',
  }),
  reactorFiles: bucket({
    name: 'reactor-files',
    history: 3,
    hints: 'bare',
    doc: 'Reactor rules, `_manifest`, `_revision`. The publisher master writes; masters read; peels have no access.',
  }),
  masterSettings: bucket({
    name: 'master-settings',
    history: 1,
    hints: 'bare',
    doc: 'The settings files as they are on the publisher, each sealed to the fleet key, `_manifest`, `_revision`. Masters write and read. History 1, so that no old ciphertext lingers.',
  }),
  fleetKeys: bucket({
    name: 'fleet-keys',
    history: 3,
    hints: 'bare',
    doc: 'Additive. `generation.<n>` → FleetGeneration: a generation of the fleet key, its seed sealed for masters. Created once: that is the rotation. `agents.<n>` → AgentsGeneration: the same of the key that signs credentials of peels. Masters write and read.',
  }),
  enrollments: bucket({
    name: 'enrollments',
    history: 10,
    hints: 'bare',
    doc: '`enr-<KSUID>` → Enrollment; `peel.<peel>` → raw id of the enrollment that holds this peel id, created first: it makes ids unique. Masters write; the CLI reads.',
  }),
  enrollChallenges: bucket({
    name: 'enroll-challenges',
    ttlMs: 300 * SECOND_MS,
    history: 1,
    // 160,000 of the longest: more than the rate of a door lets through while they live.
    bytesMax: 67_108_864,
    storage: 'memory',
    tier: 'ephemeral',
    doc: '`chl-<KSUID>` → EnrollChallenge: what a machine that wants to join proves its key over, once. Masters write and read.',
  }),
  joinTokens: bucket({
    name: 'join-tokens',
    history: 1,
    doc: 'Additive. `tok-<KSUID>` → JoinToken, the secret half hashed. Masters write, uses counted by compare-and-set; the CLI reads.',
  }),
  peelTags: bucket({
    name: 'peel-tags',
    history: 3,
    peelReads: [SELF],
    hints: 'bare',
    doc: 'Additive. `<peel>` → PeelTags: what operators said of a peel at its approval or later. Masters write; a peel reads its own.',
  }),
  accountDocs: bucket({
    name: 'account-docs',
    history: 5,
    hints: 'bare',
    doc: 'Additive. `accounts` → AccountDocs: the account documents that every NATS server must have. Masters write, fenced by revision; doctor reads.',
  }),
  floodGuard: bucket({
    name: 'flood-guard',
    history: 1,
    hints: 'bare',
    doc: 'Additive. `<peel>` → FloodBan: a peel that flooded the bus, and until when it is kept out. Masters write; doctor reads.',
  }),
  storeWatch: bucket({
    name: 'store-watch',
    history: 1,
    doc: 'Additive. `stores` → what masters remember of the streams of jobs, and which came back older. Masters write; doctor reads.',
  }),
} satisfies Record<string, BucketSpec>;

/** Every bucket, for whoever creates, checks or lists them. */
export const ALL_BUCKETS: readonly BucketSpec[] = Object.values(BUCKETS);

const WHOLE_HINTS: ReadonlySet<string> = new Set(
  ALL_BUCKETS.filter(({ hints }) => hints === 'whole').map(({ name }) => name),
);

/** Whether the hints of a bucket may be taken for the writes themselves. */
export const hasWholeHints = (bucket: string): boolean => WHOLE_HINTS.has(bucket);

/** Fills in what most buckets have in common: kept for ever on disk, closed to peels, unwatched. */
function bucket(
  spec: Pick<BucketSpec, 'name' | 'history' | 'doc'> & Partial<Omit<BucketSpec, 'peelWritable'>>,
): BucketSpec {
  const defaults = {
    ttlMs: 0,
    valueBytesMax: 0,
    bytesMax: 0,
    valuesMax: 0,
    storage: 'file',
    tier: 'critical',
    peelReads: [],
    peelWrites: [],
    hints: 'none',
  } as const;
  return { ...defaults, ...spec, peelWritable: (spec.peelWrites ?? []).length > 0 };
}
