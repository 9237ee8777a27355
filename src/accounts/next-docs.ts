/**
 * `nextDocs` says what the record of account documents must say, from what it says now, what the tables want, and what the
 * servers were found to have. Nothing is stored or sent here, so whoever loses a compare-and-set reads again and asks again.
 *
 * Grants never go down: documents of a newer program keep theirs, and only get other revocations (decision 47). Without a
 * record, the newest of our own files and of what the servers have is the beginning, with the revocations of all of them.
 *
 * A server may have a document that is not in the record. One that was signed before ours is an old copy, and does not count.
 * One that was signed after ours, validly, says that the record has gone back in time (a restored store): then its
 * revocations are taken over, and ours is signed later than it, because servers believe the later one. A key that a ban
 * speaks of is not taken over: it may have been shut out only for a while.
 *
 * Documents by a newer generation of the operator's key than ours are left alone (`isForeign`): a server takes what an operator key that
 * has ended signed, and then lets nobody in. Those by an older one are signed anew.
 *
 * The keys that sign peels only go forward, too: a master that has not heard of a rotation yet, or of its end, changes nothing.
 */
import {
  desiredRevocations,
  type RevocationFacts,
  type RevocationMoment,
  type RevokedKeys,
} from '../core/accounts/desired-revocations.ts';
import {
  type AccountTexts,
  rekeyAgents,
  resignAccount,
  resignByOperator,
  withTheseGrants,
} from '../trust/accounts/accounts.ts';
import {
  type AccountBody,
  type AgentsKeys,
  agentsKeysOf,
  grantsVersionOf,
  type OperatorBody,
  operatorGenerationOf,
} from '../trust/accounts/claims.ts';
import { decodeJwt, type JwtClaims } from '../trust/accounts/jwt.ts';
import type { PublicTrust } from '../trust/accounts/topology.ts';
import type { SigningKey } from '../trust/nkeys.ts';
import { nanosFromMs } from '../wire/msgpack/time.ts';
import type { AccountDocs } from '../wire/records/enroll/account-docs.ts';

/** What a master signs accounts with, and the documents in its own files. */
export interface AccountAuthority {
  readonly public: PublicTrust;
  readonly operatorSigning: SigningKey;
  readonly systemSigning: SigningKey;
}

export type AccountRole = keyof AccountTexts;
/** In this order they are handed to servers: what is imported must be there before. */
export const ACCOUNT_ROLES: readonly AccountRole[] = ['control', 'agents', 'system'];

/** Texts that servers were found to have, each once. Anything may be among them. */
export type FoundTexts = Readonly<Record<AccountRole, readonly string[]>>;
export const NOTHING_FOUND: FoundTexts = { control: [], agents: [], system: [] };

/** What the tables say, and when: by the clock of the store. */
export type RevocationTablesRead = Pick<RevocationFacts, 'revoked' | 'bans'> & RevocationMoment;

export interface DocsWish {
  /** What the tables say; undefined when they were not read, which takes nobody off the list. */
  readonly tables: RevocationTablesRead | undefined;
  readonly found: FoundTexts;
  /** Which keys sign peels, as far as this master has heard; undefined: they stay. */
  readonly agentsKeys?: AgentsKeys | undefined;
  readonly by: string;
}

export interface NextDocs {
  /** The same object when nothing is to be changed. */
  readonly docs: AccountDocs;
  /** Our operator key has ended: nothing that we sign may be recorded or handed to a server. */
  readonly isForeign: boolean;
  /** Revocations that did not fit. */
  readonly leftOut: number;
}

type Doc = JwtClaims<AccountBody> & { readonly jwt: string };

export function nextDocs(
  authority: AccountAuthority,
  stored: AccountDocs | undefined,
  wish: DocsWish,
  nowMs: number,
): NextDocs {
  const found = signedByUs(authority, wish.found);
  const { operatorSigning, systemSigning } = authority;
  const generation = operatorGenerationOf(
    decodeJwt<OperatorBody>(authority.public.operatorJwt, 'operator').nats,
  );
  const isForeign = newestOperator(stored, wish.found) > generation;
  const first = stored ?? firstTexts(authority, found);
  const base = isForeign
    ? first
    : resignByOperator(first, { operatorSigning, systemSigning, generation }, nowMs);
  const granted = withKeys(
    withTheseGrants(base, systemSigning.publicKey, nowMs, operatorSigning),
    [
      ...(wish.agentsKeys === undefined ? [] : [wish.agentsKeys]),
      ...found.agents.map(({ nats }) => agentsKeysOf(nats)),
    ],
    nowMs,
    operatorSigning,
  );
  const laterS = (role: AccountRole) =>
    Math.max(0, ...found[role].filter(({ jwt }) => jwt !== granted[role]).map(({ iat }) => iat));
  const after = (role: AccountRole, revocations: RevokedKeys): string =>
    resignLater(granted[role], revocations, { laterS: laterS(role), nowMs }, operatorSigning);

  const own = bodyOf(granted.agents);
  const newer = found.agents.filter(({ iat }) => stored === undefined || iat >= own.iat);
  const wanted = desiredRevocations(
    {
      revoked: wish.tables?.revoked ?? [],
      bans: wish.tables?.bans ?? keptBans(stored, own.nats.revocations ?? {}),
      stored: union([own.nats.revocations ?? {}, ...newer.map((doc) => notBanned(doc, stored, wish))]),
      storedBans: stored?.bannedKeys ?? [],
    },
    wish.tables ?? { nowS: Math.floor(nowMs / 1000), mayForget: false },
  );
  const texts: AccountTexts = {
    control: after('control', bodyOf(granted.control).nats.revocations ?? {}),
    agents: after('agents', wanted.revocations),
    system: after('system', bodyOf(granted.system).nats.revocations ?? {}),
  };
  const isSame =
    stored !== undefined &&
    ACCOUNT_ROLES.every((role) => texts[role] === stored[role]) &&
    wanted.bannedKeys.join() === stored.bannedKeys.join();
  if (isSame) return { docs: stored, leftOut: wanted.leftOut, isForeign };
  const versions = ACCOUNT_ROLES.map((role) => grantsVersionOf(bodyOf(texts[role]).nats));
  return {
    docs: {
      ...texts,
      grantsVersion: Math.min(...versions),
      updatedAt: nanosFromMs(nowMs),
      updatedBy: wish.by,
      bannedKeys: wanted.bannedKeys,
    },
    leftOut: wanted.leftOut,
    isForeign,
  };
}

/** Of the record and of what servers have, whoever signed it. */
function newestOperator(stored: AccountDocs | undefined, found: FoundTexts): number {
  const texts = ACCOUNT_ROLES.flatMap((role) => [
    ...(stored === undefined ? [] : [stored[role]]),
    ...found[role],
  ]);
  const generations = texts.map((jwt) => {
    try {
      return operatorGenerationOf(bodyOf(jwt).nats);
    } catch {
      return 0;
    }
  });
  return Math.max(0, ...generations);
}

/** With the keys that are furthest: by generation, and then by the end of the overlap with the one before. */
function withKeys(
  texts: AccountTexts,
  told: readonly AgentsKeys[],
  nowMs: number,
  operatorSigning: SigningKey,
): AccountTexts {
  const own = agentsKeysOf(bodyOf(texts.agents).nats);
  const furthest = told.reduce((best, keys) => (rankOf(keys) > rankOf(best) ? keys : best), own);
  return { ...texts, agents: rekeyAgents(texts.agents, furthest, nowMs, operatorSigning) };
}

function rankOf({ generation, keys }: AgentsKeys): number {
  return generation * 2 - (keys.length > 1 ? 1 : 0);
}

/** The claims of a document; throws when it is none. */
export function bodyOf(jwt: string): Doc {
  return { ...decodeJwt<AccountBody>(jwt, 'account'), jwt };
}

/** Those that our operator signed, for our accounts. */
function signedByUs(
  { public: known, operatorSigning }: AccountAuthority,
  found: FoundTexts,
): Record<AccountRole, Doc[]> {
  const docs = (role: AccountRole) =>
    found[role].flatMap((jwt): Doc[] => {
      try {
        const doc = bodyOf(jwt);
        const isOurs = doc.iss === operatorSigning.publicKey && doc.sub === known[role].publicKey;
        return isOurs ? [doc] : [];
      } catch {
        // Servers check what they take: this one is of a server that we share with somebody, or damaged on its disk.
        return [];
      }
    });
  return { control: docs('control'), agents: docs('agents'), system: docs('system') };
}

function firstTexts({ public: known }: AccountAuthority, found: Record<AccountRole, Doc[]>): AccountTexts {
  const newest = (role: AccountRole): string =>
    [bodyOf(known[role].jwt), ...found[role]].reduce((best, doc) => (isNewer(doc, best) ? doc : best)).jwt;
  return { control: newest('control'), agents: newest('agents'), system: newest('system') };
}

function isNewer(doc: Doc, than: Doc): boolean {
  const [version, other] = [grantsVersionOf(doc.nats), grantsVersionOf(than.nats)];
  return version === other ? doc.iat > than.iat : version > other;
}

/** As it is, unless its revocations are others or a server has a later one. */
function resignLater(
  jwt: string,
  revocations: RevokedKeys,
  { laterS, nowMs }: { readonly laterS: number; readonly nowMs: number },
  operatorSigning: SigningKey,
): string {
  const { iat, nats } = bodyOf(jwt);
  if (laterS < iat && areSame(nats.revocations ?? {}, revocations)) return jwt;
  return resignAccount(jwt, revocations, Math.max(nowMs, (laterS + 1) * 1000), operatorSigning);
}

/** Where the tables were not read, the bans of the record go on for as long as they say. */
function keptBans(stored: AccountDocs | undefined, revocations: RevokedKeys) {
  return (stored?.bannedKeys ?? []).map((publicKey) => ({ publicKey, untilS: revocations[publicKey] ?? 0 }));
}

function notBanned({ nats }: Doc, stored: AccountDocs | undefined, { tables }: DocsWish): RevokedKeys {
  const banned = new Set([
    ...(stored?.bannedKeys ?? []),
    ...(tables?.bans ?? []).map(({ publicKey }) => publicKey),
  ]);
  return Object.fromEntries(Object.entries(nats.revocations ?? {}).filter(([key]) => !banned.has(key)));
}

function union(lists: readonly RevokedKeys[]): RevokedKeys {
  const all = new Map<string, number>();
  for (const [key, atS] of lists.flatMap((list) => Object.entries(list)))
    all.set(key, Math.max(atS, all.get(key) ?? 0));
  return Object.fromEntries(all);
}

function areSame(a: RevokedKeys, b: RevokedKeys): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
