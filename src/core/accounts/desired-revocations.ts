/**
 * `desiredRevocations` decides which user keys account AGENTS must shut out, from what the tables say. Whoever signs the document
 * calls it; the same tables give the same list on every master.
 *
 *   for good      the key of every revoked enrollment, unless an enrollment of the same key took its place; and what the
 *                 stored document has already, so that a record that got lost does not let anybody in again
 *   for a while   the key of every ban that is not over. It counts until the end of the ban, so that credentials that
 *                 are issued meanwhile are dead, too; when it is over, the key goes from the list
 *   forgotten     what is older than the longest life of credentials: whatever was issued up to then has expired. Not by a clock
 *                 that may be wrong: one that is far ahead would let everybody in
 *
 * Times are whole Unix seconds, as the server has them: credentials issued up to then are dead. A revocation counts at least
 * from the issue of the credentials it is about, so that the clocks of two masters need not agree.
 *
 * Bounds: `REVOCATIONS_MAX`, and of these `BANS_MAX` for a while, because a document must fit into one message. Beyond that the oldest ones are left out, and their
 * number is told: NATS lets these in again, masters still ignore them.
 */

/** User public key → Unix seconds. */
export type RevokedKeys = Readonly<Record<string, number>>;

export interface RevokedEnrollment {
  readonly publicKey: string;
  readonly decidedAtS: number;
  /** Of the newest credentials for it; 0 when there were none. */
  readonly issuedAtS: number;
}

export interface BannedKey {
  readonly publicKey: string;
  readonly untilS: number;
}

export interface RevocationFacts {
  readonly revoked: readonly RevokedEnrollment[];
  /** All that are known, also those that are over. */
  readonly bans: readonly BannedKey[];
  readonly stored: RevokedKeys;
  /** Which of `stored` are there only for a while. */
  readonly storedBans: readonly string[];
}

export interface DesiredRevocations {
  readonly revocations: RevokedKeys;
  /** Which of them are there only for a while, sorted. */
  readonly bannedKeys: readonly string[];
  /** How many did not fit. */
  readonly leftOut: number;
}

/** What time it is. */
export interface RevocationMoment {
  readonly nowS: number;
  /** Whether it is sure enough to forget anything. */
  readonly mayForget: boolean;
}

const DAY_S = 86_400;
/** No master gives peels credentials for longer. */
export const CREDENTIALS_DAYS_MAX = 400;
/** Clocks may be wrong by this much. */
const MARGIN_S = 2 * DAY_S;
/** About 100 bytes each in the signed document; a message of NATS has a million. */
export const REVOCATIONS_MAX = 8_000;
/** Their list in the record has room for a few more. */
export const BANS_MAX = 4_000;
const EVERYBODY = '*';

export function desiredRevocations(
  facts: RevocationFacts,
  { nowS, mayForget }: RevocationMoment,
): DesiredRevocations {
  const forgottenS = mayForget ? nowS - CREDENTIALS_DAYS_MAX * DAY_S - MARGIN_S : Number.NEGATIVE_INFINITY;
  const forGood = new Map<string, number>();
  const shutOut = (key: string, atS: number) => {
    if (atS > forgottenS) forGood.set(key, Math.max(atS, forGood.get(key) ?? 0));
  };
  for (const { publicKey, decidedAtS, issuedAtS } of facts.revoked)
    shutOut(publicKey, Math.max(decidedAtS, issuedAtS));
  const wereBans = new Set(facts.storedBans);
  for (const [key, atS] of Object.entries(facts.stored)) if (!wereBans.has(key)) shutOut(key, atS);

  const bans = new Map<string, number>();
  for (const { publicKey, untilS } of facts.bans) {
    if (untilS > nowS && untilS > (forGood.get(publicKey) ?? 0))
      bans.set(publicKey, Math.max(untilS, bans.get(publicKey) ?? 0));
  }
  const keptBans = newest(bans, BANS_MAX);
  const kept = newest(new Map([...forGood, ...keptBans]), REVOCATIONS_MAX);
  const isBanned = new Set(keptBans.map(([key]) => key));
  return {
    revocations: Object.fromEntries(kept),
    bannedKeys: kept.map(([key]) => key).filter((key) => isBanned.has(key)),
    leftOut: new Set([...forGood.keys(), ...bans.keys()]).size - kept.length,
  };
}

/** Sorted by key. The one that shuts everybody out is never left out. */
function newest(all: ReadonlyMap<string, number>, countMax: number): [string, number][] {
  const rank = ([key, atS]: readonly [string, number]) =>
    key === EVERYBODY ? Number.POSITIVE_INFINITY : atS;
  return [...all]
    .toSorted((a, b) => (rank(a) === rank(b) ? order(a[0], b[0]) : rank(b) > rank(a) ? 1 : -1))
    .slice(0, countMax)
    .toSorted(([a], [b]) => order(a, b));
}

function order(a: string, b: string): number {
  return a < b ? -1 : 1;
}
