/**
 * These functions make, list and revoke join tokens. The secret half of a token is made here and stays with whoever asked: masters get
 * its SHA-256. If we are stopped before a master answers, the token may be stored, and nobody has its text.
 */
import { openTable } from '../../bus/kv/table.ts';
import { assert } from '../../core/assert.ts';
import { unlessAborted } from '../../runtime/abortable-wait.ts';
import { digest } from '../../runtime/digest.ts';
import { newKsuid } from '../../runtime/ids.ts';
import type { UnixNanos } from '../../wire/msgpack/time.ts';
import { parseJoinTokenId } from '../../wire/names/ids.ts';
import type { JoinToken } from '../../wire/records/enroll/join-token.ts';
import { TABLES } from '../../wire/records/tables.ts';
import { QUESTIONS } from '../ask.ts';
import type { ClientContext, UnreadableRecord } from '../client-context.ts';
import { unlessMissing } from '../unless-missing.ts';
import { askDoor } from './ask-door.ts';

const SECRET_BYTES = 32;

export interface NewJoinToken {
  readonly uses: number;
  readonly expiresAt: UnixNanos;
  readonly peelPattern: string;
  readonly tags: Readonly<Record<string, string>>;
}

export interface MadeJoinToken {
  /** `tok-<KSUID>.<secret>`: whoever has it can join. */
  readonly text: string;
  /** As masters store it. */
  readonly token: JoinToken | undefined;
}

export async function createJoinToken(client: ClientContext, wanted: NewJoinToken): Promise<MadeJoinToken> {
  const { clock, random } = client.runtime;
  const id = parseJoinTokenId(`tok-${newKsuid(clock, random)}`);
  assert(id !== undefined, 'the id of a new token is one');
  const secret = Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url');
  const hash = Buffer.from(digest('sha256', Buffer.from(secret))).toString('hex');
  const request = { id, operator: client.user, hash, ...wanted };
  const { token } = await askDoor(client, QUESTIONS.tokenCreate, request, `join token ${id}`);
  return { text: `${id}.${secret}`, token };
}

/** The token as it stands then. */
export async function revokeJoinToken(client: ClientContext, id: string): Promise<JoinToken | undefined> {
  const request = {
    id,
    operator: client.user,
    hash: '',
    uses: 0,
    expiresAt: undefined,
    peelPattern: '',
    tags: {},
  };
  return (await askDoor(client, QUESTIONS.tokenRevoke, request, `join token ${id}`)).token;
}

export interface JoinTokenList {
  /** The newest first. */
  readonly tokens: readonly JoinToken[];
  readonly unreadable: readonly UnreadableRecord[];
}

export async function readJoinTokens({ bus, signal }: ClientContext): Promise<JoinTokenList> {
  const entries = await unlessAborted(unlessMissing(openTable(bus, TABLES.joinTokens).entries(), []), signal);
  const tokens = entries.flatMap((entry) => (entry.is === 'found' ? [entry.value] : []));
  return {
    tokens: tokens.sort((a, b) => (a.id < b.id ? 1 : -1)),
    unreadable: entries.flatMap((entry) =>
      entry.is === 'unreadable'
        ? [{ kind: 'join token' as const, key: entry.key, problem: entry.problem }]
        : [],
    ),
  };
}
