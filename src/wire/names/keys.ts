/**
 * This file builds and reads the keys of the buckets in buckets.ts. A key becomes the tail of a subject, so it is built
 * here, from parsed ids, and checked here when it comes from outside.
 */
import { type Jid, type PeelId, parseJid, parsePeelId } from './ids.ts';

/** Longest key we write or read; with its bucket it must fit a NATS control line several times over. */
export const KEY_CHARS_MAX = 1_024;

/** Settings, state and reactor files: which files make up the set, with their hashes. Written after the files. */
export const MANIFEST_KEY = '_manifest';
/** Same buckets: a counter in ASCII decimal, bumped last. Readers watch this key and nothing else. */
export const REVISION_KEY = '_revision';
/** Same buckets, additive: over how many milliseconds peels spread their reading of a new revision, as ASCII decimal. */
export const SPREAD_KEY = '_spread';
/** Bucket secrets: the account's curve public key (`X…` text), with which peels open what is sealed to them. */
export const MASTER_CURVE_KEY = '_master_curve_pub';
/** Bucket secrets, additive: the Ed25519 public half of the command key, for cancels and operator certificates. */
export const COMMAND_KEY = '_command_pub';
/** Bucket secrets, additive: FleetKeyList, the generations of the fleet key that peels go by. */
export const FLEET_KEYS_KEY = '_fleet_keys';
/** Bucket secrets: how to reach the cluster, as JSON. */
export const CLUSTER_INFO_KEY = '_cluster_info';
/** Bucket leases: who publishes file sets. The value is the raw holder id. */
export const PUBLISHER_LEASE_KEY = 'publisher';
/** Bucket leases: who seals secrets when facts change. */
export const FACTS_SECRETS_LEASE_KEY = 'facts-secrets';
/** Bucket leases: who signs account documents and pushes them to the servers. */
export const ACCOUNTS_LEASE_KEY = 'accounts';
/** Bucket account-docs: the one record in it. */
export const ACCOUNT_DOCS_KEY = 'accounts';
/** Bucket enrollments: every record, without the index. */
export const ALL_ENROLLMENTS_PATTERN = '*';
/** Bucket enrollments: the index. */
export const ENROLLED_PEELS_PATTERN = 'peel.*';
/** Bucket store-watch: the one record in it, as JSON (store-watch.ts). */
export const STORE_WATCH_KEY = 'stores';
/** Bucket fleet-keys: the generations of the fleet key. */
export const FLEET_GENERATIONS_PATTERN = 'generation.*';
/** Bucket fleet-keys: the generations of the agents key. */
export const AGENTS_GENERATIONS_PATTERN = 'agents.*';
/** Bucket jobs: every key of the index of jobs that are not finished. */
export const ACTIVE_JOBS_PATTERN = 'active.>';
/** Bucket jobs: every record, without the index. */
export const ALL_JOBS_PATTERN = '*';

/** Buckets jobs and job-returns: what a master writes to see whether it can. Three tokens, which no record of theirs has. */
export const STORE_PROBE_KEY = '_probe.append.time';

const KEY_TEXT = /^[-/_=.a-zA-Z0-9]+$/;
const ACTIVE_PREFIX = 'active.';
const ENROLLED_PEEL_PREFIX = 'peel.';
const GENERATION_KEY = /^generation\.([1-9][0-9]{0,8})$/;
const AGENTS_GENERATION_KEY = /^agents\.([1-9][0-9]{0,8})$/;

/** `jobs/<jid>`: the job record itself. */
export const jobKey = (jid: Jid): string => jid;
/** `jobs/active.<jid>`: says that the job is not finished and who owns it. */
export const activeJobKey = (jid: Jid): string => `${ACTIVE_PREFIX}${jid}`;
/** `job-returns/<jid>.<peel>`: what one peel answered. */
export const jobReturnKey = (jid: Jid, peel: PeelId): string => `${jid}.${peel}`;
/** `job-returns/<jid>.*`: all rows of one job. */
export const jobReturnPattern = (jid: Jid): string => `${jid}.*`;
/** `enrollments/peel.<peel>`: which enrollment holds this peel id. */
export const enrolledPeelKey = (peel: PeelId): string => `${ENROLLED_PEEL_PREFIX}${peel}`;
/** `basket/<peel>.<function>`; the function may contain dots. */
export const basketKey = (peel: PeelId, functionName: string): string => `${peel}.${functionName}`;
/** `basket/<peel>.>`: everything one peel put into the basket. */
export const basketPattern = (peel: PeelId): string => `${peel}.>`;

/** `fleet-keys/generation.<n>`. */
export const generationKey = (generation: number): string => `generation.${generation}`;

/** The number of a generation; undefined when the key is not one. */
export function parseGenerationKey(key: string): number | undefined {
  const digits = GENERATION_KEY.exec(key)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** `fleet-keys/agents.<n>`. */
export const agentsGenerationKey = (generation: number): string => `agents.${generation}`;

/** The number of a generation of the agents key; undefined when the key is not one. */
export function parseAgentsGenerationKey(key: string): number | undefined {
  const digits = AGENTS_GENERATION_KEY.exec(key)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The job of an index key; undefined when the key is not one. */
export function parseActiveJobKey(key: string): Jid | undefined {
  return key.startsWith(ACTIVE_PREFIX) ? parseJid(key.slice(ACTIVE_PREFIX.length)) : undefined;
}

/** The peel of an index key of bucket enrollments; undefined when the key is not one. */
export function parseEnrolledPeelKey(key: string): PeelId | undefined {
  return key.startsWith(ENROLLED_PEEL_PREFIX)
    ? parsePeelId(key.slice(ENROLLED_PEEL_PREFIX.length))
    : undefined;
}

/** The two halves of a return's key; undefined when it is not `<jid>.<peel>`. */
export function parseJobReturnKey(key: string): { readonly jid: Jid; readonly peel: PeelId } | undefined {
  const dot = key.indexOf('.');
  if (dot < 0) return undefined;
  const jid = parseJid(key.slice(0, dot));
  const peel = parsePeelId(key.slice(dot + 1));
  return jid === undefined || peel === undefined ? undefined : { jid, peel };
}

/** Whether NATS takes the text as a key: no wildcard, no blank, no empty token. */
export function isKey(text: string): boolean {
  return (
    text.length <= KEY_CHARS_MAX &&
    KEY_TEXT.test(text) &&
    !text.startsWith('.') &&
    !text.endsWith('.') &&
    !text.includes('..')
  );
}
