import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ADMIN_GRANT,
  GRANTS_VERSION,
  MASTER_GRANT,
  type Permissions,
  SYS_GRANT,
} from '../../wire/names/grants.ts';
import { subjectMatches } from '../../wire/names/subjects.ts';
import { agentsAccount, controlAccount, systemAccount } from './accounts.ts';
import { type AccountBody, grantsVersionOf, type UserBody, userClaims } from './claims.ts';

/**
 * Digests of everything that documents and credentials grant, by version. A change of the grants is another version: a
 * deployment that has this number already would never get it. While a version has not been released, its digest is replaced here.
 */
const DIGESTS: Readonly<Record<number, string>> = {
  1: '37ba9b22ce774955e3cb37206452a7c7',
  2: 'ead3e1c958ba81a7ab81b699912d2195',
};
const RELEASED = [1];

/** What a deployment of version 1 had, without keys. */
const FIRST = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/deployments/v1.json', import.meta.url), 'utf8'),
) as {
  readonly accounts: Readonly<Record<'control' | 'agents' | 'system', { readonly nats: AccountBody }>>;
  readonly users: Readonly<Record<'master' | 'admin' | 'system', { readonly nats: UserBody }>>;
};

const NOW = {
  control: controlAccount(),
  agents: agentsAccount('@control', ['@agentsSigning']),
  system: systemAccount('@systemSigning'),
  users: {
    master: userClaims(MASTER_GRANT),
    admin: userClaims(ADMIN_GRANT),
    system: userClaims(SYS_GRANT),
  },
};

describe('the version of the grants', () => {
  it('is another one for every change of them', () => {
    const first = { ...mapped(FIRST.accounts), users: mapped(FIRST.users) };
    expect({ version: 1, digest: digestOf(first) }).toEqual({ version: 1, digest: DIGESTS[1] });
    expect(
      { version: GRANTS_VERSION, digest: digestOf(NOW) },
      RELEASED.includes(GRANTS_VERSION)
        ? 'the grants have changed: raise GRANTS_VERSION, and add its digest here'
        : 'the grants have changed: replace the digest of this version, which nobody has yet',
    ).toEqual({ version: GRANTS_VERSION, digest: DIGESTS[GRANTS_VERSION] });
    expect(Object.keys(DIGESTS)).toHaveLength(GRANTS_VERSION);
  });

  it('is in every document and in the credentials of trusted users, and 1 where there is none', () => {
    const tagged = [NOW.control, NOW.agents, NOW.system, ...Object.values(NOW.users)];
    expect(tagged.map(grantsVersionOf)).toEqual(tagged.map(() => GRANTS_VERSION));
    const untagged = [FIRST.accounts.control, FIRST.accounts.agents, FIRST.users.master];
    expect(untagged.map(({ nats }) => grantsVersionOf(nats))).toEqual([1, 1, 1]);
    expect(grantsVersionOf({ tags: ['zester-grants:x', 'else', 'zester-grants:-3'] })).toBe(1);
  });

  it('only adds: whoever has the first one keeps everything', () => {
    const grantOf = (body: UserBody): Permissions => ({
      pub: 'allow' in body.pub ? body.pub.allow : [],
      sub: 'allow' in body.sub ? body.sub.allow : [],
    });
    const missing = (before: Permissions, after: Permissions) => [
      ...before.pub.filter((subject) => !covers(after.pub, subject)),
      ...before.sub.filter((subject) => !covers(after.sub, subject)),
    ];
    for (const role of ['master', 'admin', 'system'] as const)
      expect(missing(grantOf(FIRST.users[role].nats), grantOf(NOW.users[role])), role).toEqual([]);
    expect(missing(templateOf(FIRST.accounts.agents.nats), templateOf(NOW.agents)), 'peel').toEqual([]);
    const subjects = (items: AccountBody['exports'] | AccountBody['imports']) =>
      items?.map(({ type, subject }) => `${type} ${subject}`) ?? [];
    expect(subjects(NOW.control.exports)).toEqual(
      expect.arrayContaining(subjects(FIRST.accounts.control.nats.exports)),
    );
    expect(subjects(NOW.agents.imports)).toEqual(
      expect.arrayContaining(subjects(FIRST.accounts.agents.nats.imports)),
    );
  });
});

function templateOf({ signing_keys: [scope] = [] }: AccountBody): Permissions {
  if (scope === undefined || typeof scope === 'string') throw new Error('no scoped key');
  return { pub: scope.template.pub.allow, sub: scope.template.sub.allow };
}

function covers(allowed: readonly string[], subject: string): boolean {
  return allowed.includes(subject) || allowed.some((pattern) => subjectMatches(pattern, subject));
}

function mapped<Key extends string, T>(named: Readonly<Record<Key, { readonly nats: T }>>): Record<Key, T> {
  const entries = Object.entries(named) as [Key, { readonly nats: T }][];
  return Object.fromEntries(entries.map(([key, { nats }]) => [key, nats])) as Record<Key, T>;
}

/** Without the tags, and whatever the order of keys. */
function digestOf(value: unknown): string {
  const text = JSON.stringify(value, (key, part: unknown) => {
    if (key === 'tags') return undefined;
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
