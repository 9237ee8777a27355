/**
 * `settleAccounts` makes the record of account documents say what it must, and the NATS servers have what the record says. Masters call
 * it every few seconds and whenever somebody is revoked; `zester auth upgrade` calls it once.
 *
 * Safety: the record changes by compare-and-set only, and what is pushed is what the record says after it was read or
 * written; who loses a write reads again. Of two masters that settle at once both push; if the slower one pushes what was true
 * a moment before, the next look finds it and pushes again. A server that refuses, or is away, is in the report.
 * Where there is no record and servers cannot be asked, nothing is recorded (`introduce`).
 * If we die between record and push: the next look, of whoever holds the lease, finds servers that differ.
 * Twice or late: pushing the same document again changes nothing.
 */
import type { AccountServers, ServerWord } from '../bus/account-servers.ts';
import type { Table } from '../bus/kv/table.ts';
import { isZesterError, zesterError } from '../core/errors/zester-error.ts';
import type { Clock } from '../runtime/clock.ts';
import { ACCOUNT_DOCS_KEY } from '../wire/names/keys.ts';
import type { AccountDocs } from '../wire/records/enroll/account-docs.ts';
import {
  ACCOUNT_ROLES,
  type AccountAuthority,
  type AccountRole,
  type DocsWish,
  type FoundTexts,
  type NextDocs,
  NOTHING_FOUND,
  nextDocs,
} from './next-docs.ts';

export interface SettlePorts {
  /** Undefined: there is no store, and what servers and files say must do. */
  readonly table: Table<typeof ACCOUNT_DOCS_KEY, AccountDocs> | undefined;
  readonly servers: AccountServers;
  readonly authority: AccountAuthority;
  readonly clock: Clock;
}

/** One document that a server had and that was not in the record. */
export interface Stray {
  readonly role: AccountRole;
  readonly jwt: string;
}

export interface AccountsReport {
  readonly docs: AccountDocs;
  /** The record is another than before. */
  readonly isNew: boolean;
  /** What each server said to the last document it was handed; empty when all had everything. */
  readonly words: readonly ServerWord[];
  /** Servers that were asked what they have, and answered. */
  readonly heard: number;
  /** Servers that have all of it, by their own word. */
  readonly taken: number;
  /** What servers had instead; what is older than the record may let the revoked in. */
  readonly strays: readonly Stray[];
  /** Revocations that did not fit into the document. */
  readonly leftOut: number;
  /** Why the servers could not be asked, or told; empty when they could. */
  readonly trouble: string;
  /** Nothing was recorded, because our credentials may not ask; but servers know now who signs those that may. */
  readonly isIntroduced: boolean;
}

/** A server would take what such a master signs, and then let nobody in. */
const OPERATOR_ENDED =
  'the operator key was rotated, and this master has one that has ended: copy the auth directory from where it was rotated, and restart it';

/** Each round means that somebody else wrote between our read and our write. */
const ROUNDS_MAX = 8;

export interface SettleWish extends Omit<DocsWish, 'found'> {
  /** Where servers may not be asked what they have: whether they are handed documents that are not new, too. */
  readonly pushesBlindly: boolean;
}

export async function settleAccounts(ports: SettlePorts, wish: SettleWish): Promise<AccountsReport> {
  const { found, heard, trouble, isDenied } = await lookAround(ports);
  if (found === undefined && (await isNothingRecorded(ports)))
    return await introduce(ports, wish, { trouble, isDenied });
  const recorded = await record(ports, { ...wish, found: found ?? NOTHING_FOUND });
  const { docs, before } = recorded;
  if (recorded.isForeign)
    return {
      ...{ docs, isNew: false, words: [], heard, taken: 0, strays: [], leftOut: 0, isIntroduced: false },
      trouble: OPERATOR_ENDED,
    };
  const strays = ACCOUNT_ROLES.flatMap((role) =>
    (found?.[role] ?? []).filter((jwt) => jwt !== docs[role]).map((jwt) => ({ role, jwt })),
  );
  const isDue = (role: AccountRole) =>
    found === undefined
      ? wish.pushesBlindly || before?.[role] !== docs[role]
      : strays.some((stray) => stray.role === role);
  const due = ACCOUNT_ROLES.filter(isDue);
  const told = await pushAll(ports.servers, docs, due);
  return {
    docs,
    isNew: before !== docs,
    words: told.words,
    heard: Math.max(heard, told.words.length),
    taken: due.length === 0 ? heard : told.trouble === '' ? takers(told.words) : 0,
    strays,
    leftOut: recorded.leftOut,
    trouble: told.trouble === '' ? trouble : told.trouble,
    isIntroduced: false,
  };
}

/**
 * Nobody knows what the servers have, and there is no record: to begin one from our own files could lose revocations. But where
 * only our credentials are too old to ask, servers can be told who signs newer ones.
 */
async function introduce(
  { authority, servers, clock }: SettlePorts,
  wish: SettleWish,
  { trouble, isDenied }: Pick<Around, 'trouble' | 'isDenied'>,
): Promise<AccountsReport> {
  const { docs, leftOut } = nextDocs(authority, undefined, { ...wish, found: NOTHING_FOUND }, clock.nowMs());
  const told = isDenied ? await pushAll(servers, docs, ['system']) : { words: [], trouble };
  const isIntroduced =
    told.words.length > 0 && told.trouble === '' && told.words.every(({ isTaken }) => isTaken);
  const report = { docs, isNew: false, words: told.words, heard: told.words.length, strays: [], leftOut };
  return { ...report, taken: 0, trouble, isIntroduced };
}

async function isNothingRecorded({ table }: SettlePorts): Promise<boolean> {
  return table === undefined || (await table.getLatest(ACCOUNT_DOCS_KEY)).is === 'absent';
}

/** Whether every server that answered has everything. */
export function isSettled({ trouble, heard, taken, leftOut }: AccountsReport): boolean {
  return trouble === '' && heard > 0 && leftOut === 0 && taken === heard;
}

function takers(words: readonly ServerWord[]): number {
  return words.filter(({ isTaken }) => isTaken).length;
}

interface Around {
  /** Undefined when nobody could be asked, or it is not allowed. */
  readonly found: FoundTexts | undefined;
  readonly heard: number;
  readonly trouble: string;
  readonly isDenied: boolean;
}

async function lookAround({ servers, authority }: SettlePorts): Promise<Around> {
  try {
    const [control = [], agents = [], system = []] = await Promise.all(
      ACCOUNT_ROLES.map((role) => servers.lookup(authority.public[role].publicKey)),
    );
    const heard = Math.min(control.length, agents.length, system.length);
    const found = { control: each(control), agents: each(agents), system: each(system) };
    return heard === 0
      ? { found: undefined, heard, trouble: 'no server answered in the system account', isDenied: false }
      : { found, heard, trouble: '', isDenied: false };
  } catch (error) {
    const isDenied = isZesterError(error, 'BUS_DENIED');
    return { found: undefined, heard: 0, trouble: troubleOf(error), isDenied };
  }
}

function each(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

async function record(
  { table, authority, clock }: SettlePorts,
  wish: DocsWish,
): Promise<NextDocs & { before: AccountDocs | undefined }> {
  if (table === undefined)
    return { ...nextDocs(authority, undefined, wish, clock.nowMs()), before: undefined };
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const read = await table.getLatest(ACCOUNT_DOCS_KEY);
    // What is no record is begun anew: files, servers and tables have everything that it could say.
    const before = read.is === 'found' ? read.value : undefined;
    const next = nextDocs(authority, before, wish, clock.nowMs());
    const { docs } = next;
    if (docs === before || next.isForeign) return { ...next, docs: before ?? docs, before };
    const outcome =
      read.is === 'absent'
        ? await table.createOrRead(ACCOUNT_DOCS_KEY, docs)
        : await table.updateOrRead(ACCOUNT_DOCS_KEY, docs, read.revision);
    if (outcome.isOurs) return { ...next, before };
  }
  throw zesterError('BUS_STORE_UNAVAILABLE', {
    what: ACCOUNT_DOCS_KEY,
    reason: 'it changes faster than it can be read',
  });
}

/** One after the other: servers look for what an account imports when they take it. */
async function pushAll(
  servers: AccountServers,
  docs: AccountDocs,
  roles: readonly AccountRole[],
): Promise<{ words: ServerWord[]; trouble: string }> {
  const last = new Map<string, ServerWord>();
  try {
    for (const role of roles) {
      const words = await servers.push(docs[role]);
      if (words.length === 0) return { words: [...last.values()], trouble: 'no server took a document' };
      for (const word of words) if (last.get(word.server)?.isTaken !== false) last.set(word.server, word);
    }
    return { words: [...last.values()], trouble: '' };
  } catch (error) {
    return { words: [...last.values()], trouble: troubleOf(error) };
  }
}

/** What is a bug goes on as one. */
function troubleOf(error: unknown): string {
  if (!isZesterError(error)) throw error;
  return error.code === 'BUS_DENIED'
    ? 'sys.creds may not ask servers for account documents; an older Zester made it'
    : error.message;
}
