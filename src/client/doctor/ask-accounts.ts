/**
 * `askAccounts` reads the record of account documents, and asks every NATS server what it has, in the system account. Needs sys.creds, which
 * masters have and admins need not; without them the record alone is judged.
 */
import { ACCOUNT_ROLES, bodyOf } from '../../accounts/next-docs.ts';
import { openAccountServers } from '../../bus/account-servers.ts';
import { openTable } from '../../bus/kv/table.ts';
import { lineUp } from '../../bus/line-up.ts';
import type { Bus } from '../../bus/port.ts';
import type { AccountDocumentFacts } from '../../core/doctor/account-documents.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { jsonLog } from '../../runtime/log.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { credsPath } from '../../trust/auth-dir.ts';
import { hasSecretFile } from '../../trust/key-files.ts';
import { GRANTS_VERSION } from '../../wire/names/grants.ts';
import { ACCOUNT_DOCS_KEY } from '../../wire/names/keys.ts';
import type { AccountDocs } from '../../wire/records/enroll/account-docs.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { connectFleet, type FleetAddress } from '../connect-fleet.ts';
import { unlessMissing } from '../unless-missing.ts';

export async function askAccounts(
  bus: Bus,
  address: FleetAddress,
  runtime: Runtime,
): Promise<AccountDocumentFacts> {
  const table = openTable(bus, TABLES.accountDocs);
  const read = await unlessMissing(table.getLatest(ACCOUNT_DOCS_KEY), undefined);
  if (read?.is !== 'found')
    return { grantsVersion: GRANTS_VERSION, record: undefined, servers: { notAsked: 'there is no record' } };
  const docs = read.value;
  const banned = docs.bannedKeys.length;
  const revoked = Object.keys(bodyOf(docs.agents).nats.revocations ?? {}).length - banned;
  return {
    grantsVersion: GRANTS_VERSION,
    record: { grantsVersion: docs.grantsVersion, revoked, banned },
    servers: await compareServers(docs, address, runtime),
  };
}

async function compareServers(
  docs: AccountDocs,
  address: FleetAddress,
  runtime: Runtime,
): Promise<AccountDocumentFacts['servers']> {
  const creds = credsPath(address.authDir, 'system');
  if (!hasSecretFile(creds)) return { notAsked: `there is no ${creds}` };
  const { clock } = runtime;
  const quiet = { ...runtime, log: jsonLog({ clock, write: () => undefined }) };
  const connection = connectFleet('system', address, quiet);
  try {
    await lineUp(connection);
    const servers = openAccountServers(connection, quiet);
    const told = await Promise.all(
      ACCOUNT_ROLES.map(async (role) => {
        const texts = await servers.lookup(bodyOf(docs[role]).sub);
        return { asked: texts.length, differing: texts.filter((jwt) => jwt !== docs[role]).length };
      }),
    );
    const asked = Math.max(...told.map((each) => each.asked));
    if (asked === 0) return { notAsked: 'no server answered in the system account' };
    return { asked, differing: Math.max(...told.map((each) => each.differing)) };
  } catch (error) {
    if (isZesterError(error, 'BUS_DENIED'))
      return { notAsked: `${creds} may not ask; an older Zester made it` };
    if (isZesterError(error)) return { notAsked: `${error.message} with ${creds}` };
    throw error;
  } finally {
    await connection.close();
  }
}
