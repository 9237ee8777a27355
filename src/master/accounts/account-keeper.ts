/**
 * The account keeper sees to it that every NATS server has the account documents that the record says, and that the record says what
 * the tables say: grants of the newest program, revoked peels and banned ones shut out (decision 47).
 *
 * On every master, for whoever asks (`settle`), because compare-and-set is the fence; on its own, every `LOOK_MS` and as soon as it
 * hears that anybody pushed a document, on the master that holds the lease accounts. The others look a moment after they heard of a document
 * that they do not know: the lease of a master that died goes on for a while. So an older document that was pushed is
 * replaced within `LOOK_MS` and a push, and told (log, metric, event): it had let revoked peels in again.
 *
 * `settle` resolves after a look that began when it was called or later, so that what was written before counts. If we die in
 * between, the next holder of the lease looks. Bound: one look at a time; whoever asks meanwhile shares the next one.
 */

import { bodyOf } from '../../accounts/next-docs.ts';
import {
  type AccountsReport,
  isSettled,
  type Stray,
  settleAccounts,
} from '../../accounts/settle-accounts.ts';
import { openTable } from '../../bus/kv/table.ts';
import type { Subscription } from '../../bus/port.ts';
import { clusterShape, serverCount, serversAway } from '../../core/cluster-shape.ts';
import type { Timer } from '../../runtime/clock.ts';
import { type Periodic, periodic } from '../../runtime/periodic.ts';
import { jitter } from '../../runtime/random.ts';
import { agentsKeysOf } from '../../trust/accounts/claims.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import { ACCOUNT_RESTORED_TAG } from '../../wire/names/event-subjects.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { ACCOUNT_DOCS_KEY } from '../../wire/names/keys.ts';
import type { AccountDocs } from '../../wire/records/enroll/account-docs.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { MasterContext } from '../master-context.ts';
import { appendMasterEvent } from '../master-events.ts';
import type { AccountPorts } from '../master-ports.ts';
import { connectedUsers } from './connected-users.ts';
import { RevocationTables } from './revocation-tables.ts';

/** Well below the ten seconds within which an older document must be gone. */
const LOOK_MS = 3_000;
/** Whoever does not lead looks now and then: the leader may be the one that cannot reach the system account. */
const OTHERS_LOOK_TURNS = 10;
/** And at a document that it does not know after this: the leader has put it right by then, unless it died. */
const OTHERS_WAIT_MS = 2_000;
/** Where servers may not be asked what they have, they are handed everything again this often. */
const BLIND_PUSH_MS = 60_000;
const SPREAD = 0.1;

/** The servers of the cluster, by their own word. */
export interface ServersThere {
  /** Those that are away included; 0 when nobody answers. */
  readonly count: number;
  /** Names of those that are away, as far as the others know them. */
  readonly away: readonly string[];
}

export interface AccountKeeper {
  /** Makes record and servers match what the tables say now. Rejects when the store does not answer. */
  settle(): Promise<AccountsReport>;
  whoIsThere(): Promise<ServersThere>;
  /** The user keys under which the peel is connected at this moment, by the word of the servers. */
  keysOf(peel: PeelId): Promise<readonly string[]>;
  /** What a person should know; empty when all is well, or nobody here keeps accounts. */
  problem(): string;
  /** Of the record, as far as it was seen. */
  grantsVersion(): number | undefined;
  start(isLeader: () => boolean): void;
  /** The lease was gained or lost: who leads looks at once, so that a master of a new version has brought its grants a moment after it started. */
  leaseChanged(): void;
  /** Told whenever a server was found with a document that let in who is shut out, after it was put right. */
  onLetIn(listener: () => void): void;
  /** Resolves when nothing is being pushed any more. */
  stop(): Promise<void>;
}

type Ground = Pick<
  MasterContext,
  'bus' | 'runtime' | 'identity' | 'metrics' | 'life' | 'keys' | 'agentsKeys' | 'agreedTime' | 'now'
>;

export function accountKeeper(context: Ground, ports: AccountPorts): AccountKeeper {
  const { runtime, identity, metrics, life } = context;
  const { clock, log } = runtime;
  const { servers, authority, onSettled, onIntroduced } = ports;
  const table = openTable(context.bus, TABLES.accountDocs);
  const tables = new RevocationTables(context);
  let latest: AccountsReport | undefined;
  let failure = '';
  let blindPushMs = Number.NEGATIVE_INFINITY;
  let turns = 0;
  let running: Promise<AccountsReport> | undefined;
  let next: Promise<AccountsReport> | undefined;
  let timer: Periodic | undefined;
  let hints: Subscription | undefined;
  let doubt: Timer | undefined;
  let leads = (): boolean => false;
  let letIn = (): void => undefined;

  async function look(): Promise<AccountsReport> {
    try {
      const report = await settleNow();
      failure = '';
      note(report);
      return report;
    } catch (error) {
      failure = (error as Error).message;
      throw error;
    }
  }

  async function settleNow(): Promise<AccountsReport> {
    const nowMs = clock.monotonicMs();
    const pushesBlindly = nowMs - blindPushMs >= BLIND_PUSH_MS;
    const agentsKeys = context.agentsKeys.wanted();
    const wish = { tables: await tables.read(), agentsKeys, by: identity.masterId, pushesBlindly };
    const report = await settleAccounts({ table, servers, authority, clock }, wish);
    if (pushesBlindly && report.words.length > 0) blindPushMs = nowMs;
    return report;
  }

  function note(report: AccountsReport): void {
    const { docs, words, trouble } = report;
    if (report.isNew)
      log.info('account documents signed', { grants: docs.grantsVersion, revoked: revokedIn(docs.agents) });
    for (const { role, jwt } of latest === undefined ? [] : toldStrays(report, latest.docs)) {
      metrics.accountRestored();
      const had = describeStray(jwt, docs[role]);
      log.warn('a NATS server had another account document than the one that counts; it was put right', {
        account: role,
        ...had,
      });
      void tell({ account: role, ...had }).catch((error: unknown) =>
        log.warn('that an account document was restored could not be told', { error }),
      );
    }
    const hadLetIn = (jwt: string) => (letInBy(jwt, docs.agents) ?? 0) > 0;
    if (report.strays.some(({ role, jwt }) => role === 'agents' && hadLetIn(jwt))) letIn();
    const refused = words.filter(({ isTaken }) => !isTaken);
    if (refused.length > 0) log.warn('NATS servers refused an account document', { refused });
    if (trouble !== '' && trouble !== latest?.trouble)
      log.warn('the account documents of the NATS servers cannot be looked after for the moment', {
        reason: trouble,
      });
    latest = report;
    if (isSettled(report)) {
      context.agentsKeys.settled(agentsKeysOf(bodyOf(docs.agents).nats));
      onSettled?.(docs);
    } else if (report.isIntroduced) onIntroduced?.();
  }

  /** `_master/accounts/restored`, for the reactor. Told once; a store that is away misses it, the log and the metric do not. */
  async function tell(data: WireMap): Promise<void> {
    const timestamp = context.now();
    const id = `restored.${identity.masterId}.${timestamp}.${String(data.account)}`;
    const told = { ...data, by: identity.masterId };
    await appendMasterEvent(context, { id, tag: ACCOUNT_RESTORED_TAG, data: told, timestamp });
  }

  /** Whoever asks while one runs gets the one after it: the running one may have read before he wrote. */
  function settle(): Promise<AccountsReport> {
    if (running === undefined) return begin();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  }

  function begin(): Promise<AccountsReport> {
    const work = look().finally(() => {
      if (running === work) running = undefined;
    });
    running = work;
    return work;
  }

  const lookAgain = async () => {
    turns += 1;
    if ((leads() || turns % OTHERS_LOOK_TURNS === 0) && !life.aborted) await settle();
  };
  const lookNow = () => {
    doubt = undefined;
    if (!life.aborted)
      settle().catch((error: unknown) => log.debug('account documents not looked at', { error }));
  };
  const strangePush = () => {
    if (leads()) lookNow();
    else doubt ??= clock.after(jitter(runtime.random, OTHERS_WAIT_MS, SPREAD), lookNow);
  };

  return {
    settle,
    async whoIsThere() {
      const told = await servers.settings();
      const shape = clusterShape(told);
      const count = told.length === 0 ? 0 : Math.max(told.length, serverCount(shape));
      return { count, away: serversAway(shape) };
    },
    async keysOf(peel) {
      const users = await connectedUsers(servers, authority.public.agents.publicKey);
      return [...new Set(users.flatMap((user) => (user.peel === peel ? [user.publicKey] : [])))];
    },
    problem() {
      if (failure !== '') return failure;
      const reason = servers.status() === 'connected' ? undefined : servers.failure();
      return reason === undefined
        ? settlingProblem(latest)
        : `the system account cannot be reached: ${reason.message}`;
    },
    grantsVersion: () => latest?.docs.grantsVersion,
    start(isLeader) {
      leads = isLeader;
      hints = servers.onPush((jwt) => {
        const known = latest?.docs;
        if (known === undefined || !Object.values(known).includes(jwt)) strangePush();
      });
      timer = periodic(runtime, { what: 'account documents', everyMs: LOOK_MS, spread: SPREAD }, lookAgain);
    },
    leaseChanged() {
      if (leads()) lookNow();
    },
    onLetIn(listener) {
      letIn = listener;
    },
    async stop() {
      leads = () => false;
      hints?.unsubscribe();
      timer?.stop();
      doubt?.cancel();
      await running?.catch((error: unknown) =>
        log.debug('a look at account documents was stopped', { error }),
      );
    },
  };
}

/** Where a master was given no way to the system account: nobody is pushed anything, and it says so. */
export function noAccountKeeper(context: Ground): AccountKeeper {
  const table = openTable(context.bus, TABLES.accountDocs);
  const none = { isNew: false, words: [], heard: 0, taken: 0, strays: [], leftOut: 0, isIntroduced: false };
  return {
    async settle() {
      const read = await table.getLatest(ACCOUNT_DOCS_KEY);
      const docs = read.is === 'found' ? read.value : NO_DOCS;
      return { ...none, docs, trouble: 'this master has no way to the system account' };
    },
    whoIsThere: () => Promise.resolve({ count: 0, away: [] }),
    keysOf: () => Promise.resolve([]),
    problem: () => '',
    grantsVersion: () => undefined,
    start: () => undefined,
    leaseChanged: () => undefined,
    onLetIn: () => undefined,
    stop: () => Promise.resolve(),
  };
}

const NO_DOCS: AccountDocs = {
  grantsVersion: 0,
  control: '',
  agents: '',
  system: '',
  updatedAt: 0n as AccountDocs['updatedAt'],
  updatedBy: '',
  bannedKeys: [],
};

/** What is not as it should be after a look, for people; empty: every server that was asked has everything. */
export function settlingProblem(report: AccountsReport | undefined): string {
  if (report === undefined) return '';
  const { trouble, words, leftOut, heard, taken } = report;
  if (trouble !== '') return trouble;
  const refused = words.find(({ isTaken }) => !isTaken);
  if (refused !== undefined)
    return `NATS server ${refused.server} refuses an account document: ${refused.message}`;
  if (taken < heard) return `${heard - taken} of ${heard} NATS servers did not confirm an account document`;
  return leftOut === 0
    ? ''
    : `${leftOut} revoked peels do not fit into the account document; NATS lets them in`;
}

/** When the record is another than the one we knew, servers may only not have heard of it yet. */
function toldStrays({ docs, strays }: AccountsReport, known: AccountDocs): readonly Stray[] {
  return strays.filter(({ role, jwt }) => docs[role] === known[role] || jwt !== known[role]);
}

function revokedIn(jwt: string): number {
  return Object.keys(bodyOf(jwt).nats.revocations ?? {}).length;
}

/** What a person wants to know of it: how old it was, and how many it had let in again. */
function describeStray(jwt: string, ours: string): WireMap {
  if (jwt === '') return { had: 'none' };
  const letIn = letInBy(jwt, ours);
  if (letIn === undefined) return { had: 'no account document' };
  return { signed: formatRfc3339(nanosFromMs(bodyOf(jwt).iat * 1_000)), letIn };
}

/** How many keys this document lets in that ours shuts out; undefined when it is none. */
function letInBy(jwt: string, ours: string): number | undefined {
  try {
    const { nats } = bodyOf(jwt);
    const wanted = Object.entries(bodyOf(ours).nats.revocations ?? {});
    return wanted.filter(([key, atS]) => (nats.revocations?.[key] ?? 0) < atS).length;
  } catch {
    return undefined;
  }
}
