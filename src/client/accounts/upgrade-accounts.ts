/**
 * `upgradeAccounts` does what `zester auth upgrade` promises: it brings the auth directory of a master, the record of account documents and
 * every NATS server to the grants of this program. Masters do the same by themselves; this is for whoever wants it now, or whose
 * masters may not write the directory.
 *
 * Files first, because they need nobody. Where no server can be reached it ends there, and says so: servers get the documents when a
 * master or another `auth upgrade` reaches them, or from resolver-preload.conf. Doing it again finishes what was begun, and
 * changes nothing where nothing is old.
 */
import { bodyOf } from '../../accounts/next-docs.ts';
import { type AccountsReport, isSettled, settleAccounts } from '../../accounts/settle-accounts.ts';
import { openAccountServers } from '../../bus/account-servers.ts';
import { openBus } from '../../bus/bus.ts';
import { openTable } from '../../bus/kv/table.ts';
import { lineUp } from '../../bus/line-up.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { jsonLog } from '../../runtime/log.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { loadMasterTrust } from '../../trust/auth-dir.ts';
import {
  namesSystemSigner,
  olderCredentials,
  type UpgradedFile,
  upgradeAuthDir,
} from '../../trust/auth-upgrade.ts';
import { ACCOUNT_DOCS_KEY } from '../../wire/names/keys.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { connectFleet, type FleetAddress } from '../connect-fleet.ts';
import { unlessMissing } from '../unless-missing.ts';

export interface AccountsUpgrade {
  /** In the order they were written. */
  readonly files: readonly UpgradedFile[];
  /** Names of credentials that are still older than this program: the system user's, until every server can be told. */
  readonly older: readonly string[];
  /** Undefined when no server could be reached. */
  readonly servers: UpgradedServers | undefined;
  /** Why no server could be reached, or what is not done; empty when all is. */
  readonly trouble: string;
}

export interface UpgradedServers {
  readonly words: AccountsReport['words'];
  /** How many there are that answer, and have the documents. */
  readonly count: number;
  readonly taken: number;
  readonly grantsVersion: number;
  readonly revoked: number;
  /** The record was written anew. */
  readonly isRecordNew: boolean;
  /** False: there is no store for it yet; the first master makes it. */
  readonly isRecorded: boolean;
}

const BY = 'auth upgrade';

/** `address` undefined: only files. */
export async function upgradeAccounts(
  authDir: string,
  address: FleetAddress | undefined,
  runtime: Runtime,
): Promise<AccountsUpgrade> {
  const { clock } = runtime;
  const files = upgradeAuthDir(authDir, { nowMs: clock.nowMs(), systemToo: false });
  const alone = (trouble: string) => ({
    ...{ files, older: olderCredentials(authDir) },
    servers: undefined,
    trouble,
  });
  if (address === undefined) return alone('no NATS server was named');
  try {
    const first = await tellServers(address, runtime);
    if (!first.report.isIntroduced) return ended(files, first, authDir, clock.nowMs());
    // The system user of today may ask what servers have.
    const renewed = upgradeAuthDir(authDir, { nowMs: clock.nowMs(), systemToo: true });
    return ended([...files, ...renewed], await tellServers(address, runtime), authDir, clock.nowMs());
  } catch (error) {
    if (!isZesterError(error)) throw error;
    return alone(error.message);
  }
}

interface Told {
  readonly report: AccountsReport;
  readonly isRecorded: boolean;
}

function ended(files: readonly UpgradedFile[], told: Told, authDir: string, nowMs: number): AccountsUpgrade {
  const { report, isRecorded } = told;
  const { docs, words, heard, taken, leftOut } = report;
  const systemToo = isSettled(report) && namesSystemSigner(docs.system, loadMasterTrust(authDir));
  const written = isSettled(report) ? upgradeAuthDir(authDir, { nowMs, documents: docs, systemToo }) : [];
  const refused = words.find(({ isTaken }) => !isTaken);
  const problems = [
    report.trouble === '' && refused !== undefined ? `${refused.server}: ${refused.message}` : report.trouble,
    leftOut === 0 ? '' : `${leftOut} revoked keys do not fit into the account document; NATS lets them in`,
  ];
  return {
    files: [...files, ...written],
    older: olderCredentials(authDir),
    servers: {
      words,
      ...{ count: heard, taken },
      grantsVersion: docs.grantsVersion,
      revoked: Object.keys(bodyOf(docs.agents).nats.revocations ?? {}).length,
      isRecordNew: report.isNew,
      isRecorded,
    },
    trouble: problems.filter((problem) => problem !== '').join('; '),
  };
}

async function tellServers(address: FleetAddress, runtime: Runtime): Promise<Told> {
  const { clock } = runtime;
  // What is refused is part of the answer here, not something to log.
  const quiet = { ...runtime, log: jsonLog({ clock, write: () => undefined }) };
  const [system, store] = [connectFleet('system', address, quiet), connectFleet('master', address, quiet)];
  const bus = openBus(store, quiet);
  try {
    const servers = openAccountServers(system, quiet);
    await Promise.all([bus.connected(), lineUp(system)]);
    const table = openTable(bus, TABLES.accountDocs);
    const read = await unlessMissing(table.getLatest(ACCOUNT_DOCS_KEY), undefined);
    const ports = { servers, authority: loadMasterTrust(address.authDir), clock };
    const wish = { tables: undefined, by: BY, pushesBlindly: true };
    const isRecorded = read !== undefined;
    return {
      report: await settleAccounts({ ...ports, table: isRecorded ? table : undefined }, wish),
      isRecorded,
    };
  } finally {
    await Promise.all([bus.close(), system.close()]);
  }
}
