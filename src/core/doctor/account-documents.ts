/**
 * This check of `zester doctor` judges whether the NATS servers have the account documents that count, and whether these have the grants
 * of this program. A server with another document may let revoked peels in.
 */
import { count, fail, type Judgement, ok, unknown, warn } from './finding.ts';

export interface AccountDocumentFacts {
  /** Of this program. */
  readonly grantsVersion: number;
  /** Undefined when there is none. */
  readonly record:
    | { readonly grantsVersion: number; readonly revoked: number; readonly banned: number }
    | undefined;
  readonly servers: { readonly asked: number; readonly differing: number } | { readonly notAsked: string };
}

const UPGRADE =
  'run `zester auth upgrade` with the auth directory of a master, or start a master of this version';

export function judgeAccountDocuments({ grantsVersion, record, servers }: AccountDocumentFacts): Judgement {
  if (record === undefined)
    return warn(
      'there is no record of the account documents: no master of this version has reached the servers yet, and nobody puts them right',
      'start a master of this version, and this goes away within seconds; until then `zester auth upgrade` brings the servers to its grants',
    );
  const banned = record.banned === 0 ? '' : ` and ${count(record.banned, 'peel')} kept out for a while`;
  const what = `grants version ${record.grantsVersion}, ${count(record.revoked, 'revoked key')}${banned}`;
  if (record.grantsVersion < grantsVersion)
    return warn(
      `${what}; this program wants grants version ${grantsVersion}: what is new in it is refused`,
      UPGRADE,
    );
  if ('notAsked' in servers)
    return unknown(
      `${what}; whether servers have them is not known, because ${servers.notAsked}`,
      'run doctor with the auth directory of a master, which has sys.creds',
    );
  if (servers.differing > 0)
    return fail(
      `${what}; ${servers.differing} of ${count(servers.asked, 'server')} ${servers.differing === 1 ? 'has' : 'have'} other documents, which may let revoked peels in`,
      'masters put that right within 10 seconds: if it stays, look at their health check `accounts` and their logs',
    );
  return ok(`${what}, on ${count(servers.asked, 'server')}`);
}
