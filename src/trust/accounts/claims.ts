/**
 * The claims are what the operator, account and user JWTs say: the `nats` part, in the spelling of the NATS server.
 * Plain data in, plain data out, nothing signed here: an account can be built again from the same data plus its
 * revocations and be signed anew (decision 23a: account updates are serialized by whoever holds the lease, not here).
 *
 * Accounts, and users with permissions of their own, name the grants that they were made from in a tag (decision 47). None:
 * they are from before there were versions, which is version 1.
 *
 * `resp` appears nowhere: any form of it, also an empty one, switches allow_responses on, and then every message a
 * peel receives lets it publish once on whatever reply subject that message named.
 */
import { assert } from '../../core/assert.ts';
import { GRANTS_VERSION, type Permissions } from '../../wire/names/grants.ts';
import { isPublicKey } from '../nkeys.ts';

/** The server's word for "as much as you like". */
export const NO_LIMIT = -1;

export interface OperatorBody {
  readonly signing_keys: readonly string[];
  readonly system_account: string;
  readonly tags?: readonly string[];
  readonly type: 'operator';
  readonly version: 2;
}

export interface PermissionSet {
  readonly allow: readonly string[];
}

export interface UserBody {
  readonly pub: PermissionSet | Record<string, never>;
  readonly sub: PermissionSet | Record<string, never>;
  readonly subs?: number;
  readonly data?: number;
  readonly payload?: number;
  /** The account, when a signing key and not the account itself is the issuer. */
  readonly issuer_account?: string;
  readonly tags?: readonly string[];
  readonly type: 'user';
  readonly version: 2;
}

export interface AccountLimits {
  readonly subs: number;
  readonly data: number;
  readonly payload: number;
  readonly imports: number;
  readonly exports: number;
  readonly wildcards: boolean;
  readonly conn: number;
  readonly leaf: number;
  readonly mem_storage: number;
  readonly disk_storage: number;
  readonly streams: number;
  readonly consumer: number;
}

export interface ExportClaim {
  readonly name: string;
  readonly subject: string;
  readonly type: 'service' | 'stream';
  readonly response_type?: 'Singleton';
}

export interface AccountImport {
  readonly name: string;
  readonly subject: string;
  readonly account: string;
  readonly type: 'service' | 'stream';
}

/** Users signed by `key` get exactly this template, whatever their own JWT says (and it may say nothing). */
export interface ScopedSigningKey {
  readonly kind: 'user_scope';
  readonly key: string;
  readonly role: string;
  readonly template: {
    readonly pub: PermissionSet;
    readonly sub: PermissionSet;
    readonly subs: number;
    readonly data: number;
    readonly payload: number;
    readonly allowed_connection_types: readonly 'STANDARD'[];
  };
}

/** User public key → Unix seconds; user JWTs issued up to then are dead. */
export type Revocations = Readonly<Record<string, number>>;

export interface AccountBody {
  readonly limits: AccountLimits;
  readonly exports?: readonly ExportClaim[];
  readonly imports?: readonly AccountImport[];
  /** A bare key signs users that bring their own permissions. */
  readonly signing_keys?: readonly (ScopedSigningKey | string)[];
  readonly revocations?: Revocations;
  readonly tags?: readonly string[];
  readonly default_permissions: { readonly pub: Record<string, never>; readonly sub: Record<string, never> };
  readonly type: 'account';
  readonly version: 2;
}

/** Which keys sign the users of AGENTS, and which generation the newest is of (decision 46). */
export interface AgentsKeys {
  readonly generation: number;
  /** The newest first. */
  readonly keys: readonly string[];
}

export interface AccountSpec {
  readonly limits: AccountLimits;
  readonly exports?: readonly ExportClaim[];
  readonly imports?: readonly AccountImport[];
  readonly signingKeys?: readonly (ScopedSigningKey | string)[];
  readonly revocations?: Revocations;
}

const AGENTS_KEY_TAG = 'zester-agents-key:';
const OPERATOR_KEY_TAG = 'zester-operator-key:';
const FIRST_GENERATION = 1;
const GRANTS_TAG = 'zester-grants:';
/** Of documents and credentials without a tag. */
const FIRST_VERSION = 1;
const THESE_GRANTS: readonly string[] = [`${GRANTS_TAG}${GRANTS_VERSION}`];

/** Which version of the grants an account or a user was made from. A tag that makes no sense is none. */
export function grantsVersionOf({ tags = [] }: { readonly tags?: readonly string[] }): number {
  return highestTag(tags, GRANTS_TAG, FIRST_VERSION);
}

function highestTag(tags: readonly string[], name: string, first: number): number {
  const numbers = tags
    .filter((tag) => tag.startsWith(name))
    .map((tag) => Number(tag.slice(name.length)))
    .filter((number) => Number.isSafeInteger(number) && number >= first);
  return Math.max(first, ...numbers);
}

/** By the document of AGENTS; without a tag nobody has rotated them. */
export function agentsKeysOf({ tags = [], signing_keys: keys = [] }: AccountBody): AgentsKeys {
  return {
    generation: highestTag(tags, AGENTS_KEY_TAG, FIRST_GENERATION),
    keys: keys.map((each) => (typeof each === 'string' ? each : each.key)),
  };
}

/** The same account with other keys: each gets the template that the first one has, of whatever version that is. */
export function withAgentsKeys(body: AccountBody, { generation, keys }: AgentsKeys): AccountBody {
  const [template] = (body.signing_keys ?? []).filter((each) => typeof each !== 'string');
  assert(template !== undefined, 'the document of AGENTS has a scoped key');
  const tags = (body.tags ?? []).filter((tag) => !tag.startsWith(AGENTS_KEY_TAG));
  return {
    ...body,
    signing_keys: keys.map((key) => ({ ...template, key })),
    tags: [...tags, `${AGENTS_KEY_TAG}${generation}`],
  };
}

/** `generation`: of its signing key; the first one is not named. */
export function operatorClaims(
  signingKey: string,
  systemAccount: string,
  generation = FIRST_GENERATION,
): OperatorBody {
  const body: OperatorBody = {
    signing_keys: [signingKey],
    system_account: systemAccount,
    type: 'operator',
    version: 2,
  };
  return generation === FIRST_GENERATION ? body : withOperatorGeneration(body, generation);
}

/** Which generation of the operator's signing key an operator or account JWT names. */
export function operatorGenerationOf({ tags = [] }: { readonly tags?: readonly string[] }): number {
  return highestTag(tags, OPERATOR_KEY_TAG, FIRST_GENERATION);
}

export function withOperatorGeneration<Body extends { readonly tags?: readonly string[] }>(
  body: Body,
  generation: number,
): Body {
  const tags = (body.tags ?? []).filter((tag) => !tag.startsWith(OPERATOR_KEY_TAG));
  return { ...body, tags: [...tags, `${OPERATOR_KEY_TAG}${generation}`] };
}

/** What a document says of generations, taken over into one that is made anew. */
export function withKeyTagsOf(body: AccountBody, { tags = [] }: AccountBody): AccountBody {
  const kept = tags.filter((tag) => tag.startsWith(AGENTS_KEY_TAG) || tag.startsWith(OPERATOR_KEY_TAG));
  return kept.length === 0 ? body : { ...body, tags: [...(body.tags ?? []), ...kept] };
}

/** The same spec gives the same claims, byte for byte: revocations are sorted, empty parts are left out. */
export function accountClaims(spec: AccountSpec): AccountBody {
  return {
    limits: spec.limits,
    ...(spec.exports?.length ? { exports: spec.exports } : {}),
    ...(spec.imports?.length ? { imports: spec.imports } : {}),
    ...(spec.signingKeys?.length ? { signing_keys: spec.signingKeys } : {}),
    ...revocationsPart(spec.revocations ?? {}),
    tags: THESE_GRANTS,
    default_permissions: { pub: {}, sub: {} },
    type: 'account',
    version: 2,
  };
}

/** The same account with other revocations. Whatever else it says stays, also what only a newer Zester understands. */
export function withRevocations(body: AccountBody, revocations: Revocations): AccountBody {
  const { revocations: _, ...rest } = body;
  return { ...rest, ...revocationsPart(revocations) };
}

function revocationsPart(revocations: Revocations): Pick<AccountBody, 'revocations'> {
  const sorted = Object.entries(revocations).toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [user, atS] of sorted) {
    // "*" revokes everybody at once; the server knows it too.
    assert(user === '*' || isPublicKey(user, 'user'), 'only users can be revoked');
    assert(Number.isSafeInteger(atS) && atS > 0, 'a revocation counts in whole seconds');
  }
  return sorted.length === 0 ? {} : { revocations: Object.fromEntries(sorted) };
}

/** A user whose permissions stand in its own JWT: masters, admins, the system user. */
export function userClaims(permissions: Permissions, issuerAccount?: string): UserBody {
  return {
    pub: { allow: permissions.pub },
    sub: { allow: permissions.sub },
    subs: NO_LIMIT,
    data: NO_LIMIT,
    payload: NO_LIMIT,
    ...(issuerAccount === undefined ? {} : { issuer_account: issuerAccount }),
    tags: THESE_GRANTS,
    type: 'user',
    version: 2,
  };
}

/** A user of a scoped signing key. The server refuses it if it carries any permission or limit of its own. */
export function scopedUserClaims(account: string): UserBody {
  return { pub: {}, sub: {}, issuer_account: account, type: 'user', version: 2 };
}

export function scopedSigningKey(
  key: string,
  role: string,
  permissions: Permissions,
  limits: Pick<ScopedSigningKey['template'], 'subs' | 'payload'>,
): ScopedSigningKey {
  return {
    kind: 'user_scope',
    key,
    role,
    template: {
      pub: { allow: permissions.pub },
      sub: { allow: permissions.sub },
      subs: limits.subs,
      data: NO_LIMIT,
      payload: limits.payload,
      allowed_connection_types: ['STANDARD'],
    },
  };
}
