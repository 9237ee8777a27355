/**
 * The memory accounts are what the memory server knows of account documents: it takes them, tells them, and says whom they
 * shut out, in the words of a real server. Whoever starts the server says how a document is read, because signatures are
 * none of the bus's business.
 *
 * As on the real one, a document that is older than the one it has is taken as well, and so is one that somebody else than
 * the operator signed: it is believed by nobody, so that no user of the account can log in until the right one is back.
 */
import type { Clock } from '../../runtime/clock.ts';
import { formatRfc3339, nanosFromMs } from '../../wire/msgpack/time.ts';
import {
  accountLookupSubject,
  accountUpdateSubject,
  CLAIMS_UPDATE_SUBJECT,
  SERVER_SETTINGS_SUBJECT,
} from '../../wire/names/jetstream.ts';
import { ANY, subjectMatches } from '../../wire/names/subjects.ts';
import type { ServerFacts } from '../port.ts';
import type { MemoryUser } from './memory-server.ts';

export interface MemoryAccount {
  readonly publicKey: string;
  readonly name: string;
  /** False: its signature is good, and not of the operator. A server takes it all the same, and then lets nobody in. */
  readonly isTrusted: boolean;
  /** User key → Unix seconds; users whose credentials were issued up to then are shut out. */
  readonly revocations: Readonly<Record<string, number>>;
  /** Whatever changes when the template of its users does. */
  readonly template: string;
}

/** Undefined: it is no account document. */
export type ReadMemoryAccount = (jwt: string) => MemoryAccount | undefined;

export interface AccountChange {
  readonly isTemplateNew: boolean;
}

export interface AccountAnswer {
  readonly reply: Uint8Array;
  readonly changed?: AccountChange;
}

const EVERYBODY = '*';
const LOOKUP_ACCOUNT_TOKEN = 3;
const UPDATES = [CLAIMS_UPDATE_SUBJECT, accountUpdateSubject(ANY)];

export class MemoryAccounts {
  private readonly facts: ServerFacts;
  private readonly clock: Clock;
  private readonly read: ReadMemoryAccount;
  private readonly documents = new Map<string, { readonly jwt: string; readonly account: MemoryAccount }>();

  constructor(
    facts: ServerFacts,
    options: { readonly clock: Clock; readonly readAccount?: ReadMemoryAccount },
  ) {
    this.facts = facts;
    this.clock = options.clock;
    this.read = options.readAccount ?? (() => undefined);
  }

  preload(jwt: string): void {
    const account = this.read(jwt);
    if (account !== undefined && !this.documents.has(account.publicKey))
      this.documents.set(account.publicKey, { jwt, account });
  }

  /** Whether the user may log in; `account`: the name of his. */
  isShutOut(user: MemoryUser, account: string): boolean {
    return this.isRevoked(user) || this.of(account)?.isTrusted === false;
  }

  /** Who is in is cut off. */
  isRevoked(user: MemoryUser): boolean {
    for (const { account } of this.documents.values())
      if (account.isTrusted && isRevokedIn(account, user)) return true;
    return false;
  }

  private of(name: string): MemoryAccount | undefined {
    for (const { account } of this.documents.values()) if (account.name === name) return account;
    return undefined;
  }

  /** What the server says to a question in the system account; undefined when it is none of its. */
  answer(subject: string, text: string): AccountAnswer | undefined {
    if (UPDATES.some((update) => subjectMatches(update, subject))) return this.update(text);
    if (subjectMatches(accountLookupSubject(ANY), subject)) {
      const account = subject.split('.')[LOOKUP_ACCOUNT_TOKEN] ?? '';
      return { reply: Buffer.from(this.documents.get(account)?.jwt ?? '') };
    }
    return subject === SERVER_SETTINGS_SUBJECT
      ? { reply: this.said({ data: { jetstream: JETSTREAM } }) }
      : undefined;
  }

  private update(jwt: string): AccountAnswer {
    const account = this.read(jwt);
    if (account === undefined) {
      const description = 'jwt update resulted in error - expected 3 chunks';
      return { reply: this.said({ error: { account: 'n/a', code: 500, description } }) };
    }
    const before = this.documents.get(account.publicKey)?.account;
    this.documents.set(account.publicKey, { jwt, account });
    const reply = this.said({ data: { account: account.publicKey, code: 200, message: 'jwt updated' } });
    // Who is in stays in when the document cannot be believed.
    if (!account.isTrusted) return { reply };
    return {
      reply,
      changed: { isTemplateNew: before?.isTrusted === true && before.template !== account.template },
    };
  }

  private said(answer: object): Uint8Array {
    const { name, version } = this.facts;
    const server = { name, ver: version, time: formatRfc3339(nanosFromMs(this.clock.nowMs())) };
    return Buffer.from(JSON.stringify({ ...answer, server }));
  }
}

const JETSTREAM = { config: { sync_always: true } };

function isRevokedIn({ revocations }: MemoryAccount, { key, issuedAtS = 0 }: MemoryUser): boolean {
  if (key === undefined) return false;
  return Math.max(revocations[key] ?? -1, revocations[EVERYBODY] ?? -1) >= issuedAtS;
}
