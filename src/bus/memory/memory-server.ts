/**
 * The memory server is a NATS server in memory, for simulation and unit tests: two accounts with exports and imports,
 * grants, queue groups, no-responders, and JetStream in the control account. It passes the same conformance suite as
 * the real one.
 *
 * In the system account it takes account documents and obeys them, as far as they shut peels out (memory-accounts.ts).
 *
 * What makes it worth its lines: it refuses what the real one refuses (wire/names/grants.ts) and has the real one's
 * hole, that reply subjects are not checked, so that what a hostile peel can do is the same here.
 *
 * Everything is delivered later, in the order of sending for each receiver, by `schedule`; the simulator replaces that
 * to delay, lose, double and reorder.
 */
import { LruMap } from '../../core/lru-map.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import {
  ACCOUNTS,
  ADMIN_GRANT,
  AGENT_EXPORTS,
  MASTER_GRANT,
  type Permissions,
  peelGrant,
  SYS_GRANT,
} from '../../wire/names/grants.ts';
import { STATUS } from '../../wire/names/jetstream.ts';
import { inboxPrefix } from '../../wire/names/store-subjects.ts';
import { NO_BYTES, NO_HEADERS, type RawMessage } from '../connection.ts';
import type { Headers, ServerFacts } from '../port.ts';
import { filterCovers } from '../subject.ts';
import { type AccountChange, MemoryAccounts, type ReadMemoryAccount } from './memory-accounts.ts';
import { MemoryConnection } from './memory-connection.ts';
import { MemoryJetStream, type Stored, type VoiceExtra } from './memory-jetstream.ts';
import { SubjectTree } from './subject-tree.ts';

export type MemoryUser = {
  readonly role: 'master' | 'admin' | 'peel' | 'system';
  readonly name: string;
  /** Of a peel that can be revoked: its user key, and when its credentials were issued. Both may change while it is away. */
  readonly key?: string;
  readonly issuedAtS?: number;
};

export interface MemoryServerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Runs a delivery some time later; by default as soon as the current code has returned. */
  readonly schedule?: (run: () => void) => void;
  readonly payloadBytesMax?: number;
  /** Sees what happens, as it happens: for invariants. */
  readonly observer?: ServerObserver;
  /** Understands account documents; without it none is taken. */
  readonly readAccount?: ReadMemoryAccount;
}

export interface ServerObserver {
  /** A client's message that its grant allows; before it goes anywhere. */
  published(by: MemoryUser, message: { subject: string; data: Uint8Array; headers: Headers }): void;
  /** A stream took it in; `by` is who published it. */
  stored(by: MemoryUser, stored: Stored): void;
}

/** What the server knows of a client. */
export interface Client {
  readonly user: MemoryUser;
  readonly inbox: string;
  deliver(interest: Interest, message: RawMessage): void;
  denied(operation: 'publish' | 'subscription', subject: string): void;
  cut(): void;
  restored(): void;
}

export interface Interest {
  readonly client: Client;
  readonly subject: string;
  readonly queue: string | undefined;
}

interface Granted {
  readonly pub: SubjectTree<true>;
  readonly sub: readonly string[];
}

type AccountName = (typeof ACCOUNTS)[keyof typeof ACCOUNTS];

const PAYLOAD_BYTES_DEFAULT = 1_048_576;
const REPLY_PREFIX = '_R_';
/** Questions across accounts whose answer never came are forgotten in the order they were asked. */
const OPEN_REPLIES_MAX = 10_000;

export class MemoryServer {
  readonly facts: ServerFacts;
  private readonly options: MemoryServerOptions;
  private readonly jetStream: MemoryJetStream;
  private readonly clients = new Set<Client>();
  private readonly accounts: MemoryAccounts;
  private readonly interests: Readonly<Record<AccountName, SubjectTree<Interest>>> = {
    ZESTER: new SubjectTree(),
    AGENTS: new SubjectTree(),
    SYS: new SubjectTree(),
  };
  private readonly byClient = new Map<Client, Set<Interest>>();
  private readonly grants = new Map<string, Granted>();
  private readonly openReplies = new LruMap<string, string>(OPEN_REPLIES_MAX);
  private replyCounter = 0;
  private up = true;
  /** Whose message is being worked on. */
  private publisher: MemoryUser | undefined;

  constructor(options: MemoryServerOptions) {
    this.options = options;
    const payloadBytesMax = options.payloadBytesMax ?? PAYLOAD_BYTES_DEFAULT;
    this.facts = { name: 'memory', version: '2.10.99', payloadBytesMax };
    const send = (subject: string, data: Uint8Array, extra: VoiceExtra) => {
      this.route(ACCOUNTS.control, subject, data, extra);
    };
    this.accounts = new MemoryAccounts(this.facts, options);
    this.jetStream = new MemoryJetStream(options.clock, { send }, (stored) => {
      if (this.publisher !== undefined) options.observer?.stored(this.publisher, stored);
    });
  }

  /** With the inbox of an earlier connection it is the same client, back again. */
  connect(user: MemoryUser, inbox = this.newInbox(user)): MemoryConnection {
    const connection = new MemoryConnection(this, user, inbox);
    this.clients.add(connection.client);
    if (this.admits(user)) this.later(() => connection.client.restored());
    return connection;
  }

  /** The returned function brings back what is stored now: a server that forgot its last writes. */
  snapshot(): () => void {
    return this.jetStream.snapshot();
  }

  /** As kill -9: every client is cut off; what is stored stays. */
  stop(): void {
    this.up = false;
    for (const client of this.clients) this.disconnect(client);
  }

  start(): void {
    if (this.up) return;
    this.up = true;
    for (const client of this.clients) if (this.admits(client.user)) this.later(() => client.restored());
  }

  /** As an account in the configuration: what is there already stays. */
  preload(jwt: string): void {
    this.accounts.preload(jwt);
  }

  leave(client: Client): void {
    this.disconnect(client);
    this.clients.delete(client);
    this.byClient.delete(client);
  }

  admits(user: MemoryUser): boolean {
    return this.up && !this.accounts.isShutOut(user, accountOf(user));
  }

  /** Whether whoever is in may stay. */
  serves(user: MemoryUser): boolean {
    return this.up && !this.accounts.isRevoked(user);
  }

  later(run: () => void): void {
    (this.options.schedule ?? queueMicrotask)(run);
  }

  subscribe(interest: Interest): boolean {
    const { client, subject } = interest;
    const allowed = this.grantOf(client.user).sub.some((grant) => filterCovers(grant, subject));
    if (allowed) this.note(interest);
    else this.later(() => client.denied('subscription', subject));
    return allowed;
  }

  unsubscribe(interest: Interest): void {
    this.interests[accountOf(interest.client.user)].delete(interest.subject, interest);
    this.byClient.get(interest.client)?.delete(interest);
  }

  /** A client publishes: its grant is checked, its reply subject is not, as in the real server. */
  publish(
    client: Client,
    subject: string,
    data: Uint8Array,
    headers: Headers,
    reply: string | undefined,
  ): void {
    const allowed = this.grantOf(client.user).pub.has(subject);
    if (!allowed) {
      this.later(() => client.denied('publish', subject));
      return;
    }
    this.options.observer?.published(client.user, { subject, data, headers });
    this.publisher = client.user;
    const account = accountOf(client.user);
    const extra = { headers, ...(reply === undefined ? {} : { reply }) };
    const answered =
      account === ACCOUNTS.agents
        ? this.fromAgents(subject, data, headers, reply)
        : account === ACCOUNTS.control
          ? this.inControl(subject, data, extra)
          : this.inSystem(subject, data, extra);
    if (!answered && reply !== undefined) {
      this.route(account, reply, NO_BYTES, { status: STATUS.noResponders, statusText: 'No Responders' });
    }
  }

  private note(interest: Interest): void {
    this.interests[accountOf(interest.client.user)].add(interest.subject, interest);
    const own = this.byClient.get(interest.client) ?? new Set();
    this.byClient.set(interest.client, own);
    own.add(interest);
  }

  private grantOf(user: MemoryUser): Granted {
    const key = user.role === 'peel' ? user.name : user.role;
    const known = this.grants.get(key);
    if (known !== undefined) return known;
    const { pub, sub } = permissionsOf(user);
    const granted: Granted = { pub: new SubjectTree(), sub };
    for (const pattern of pub) granted.pub.add(pattern, true);
    this.grants.set(key, granted);
    return granted;
  }

  private newInbox(user: MemoryUser): string {
    const random = Buffer.from(this.options.random.bytes(16)).toString('hex');
    return `${inboxPrefix(user.role === 'peel' ? user.name : user.role)}.${random}`;
  }

  private disconnect(client: Client): void {
    for (const interest of this.byClient.get(client) ?? []) this.unsubscribe(interest);
    this.jetStream.dropPulls((reply) => reply.startsWith(client.inbox));
    this.later(() => client.cut());
  }

  /** In the agents' account: to its own subscribers, and into the control account where a service is imported. */
  private fromAgents(
    subject: string,
    data: Uint8Array,
    headers: Headers,
    reply: string | undefined,
  ): boolean {
    const heard = this.route(ACCOUNTS.agents, subject, data, {
      headers,
      ...(reply === undefined ? {} : { reply }),
    });
    if (!IMPORTED.has(subject)) return heard;
    const extra = { headers, ...(reply === undefined ? {} : { reply: this.replyAcross(reply) }) };
    return this.inControl(subject, data, extra) || heard;
  }

  private inSystem(subject: string, data: Uint8Array, extra: VoiceExtra): boolean {
    const heard = this.route(ACCOUNTS.system, subject, data, extra);
    const outcome = this.accounts.answer(subject, Buffer.from(data).toString('utf8'));
    if (outcome === undefined) return heard;
    if (outcome.changed !== undefined) this.obey(outcome.changed);
    if (extra.reply !== undefined) this.route(ACCOUNTS.system, extra.reply, outcome.reply, {});
    return true;
  }

  /** As the real one: the revoked are cut off, all peels when their template is another, and who may come back does. */
  private obey(change: AccountChange): void {
    for (const client of this.clients) {
      const { user } = client;
      if (user.role !== 'peel') continue;
      if (change.isTemplateNew || !this.serves(user)) this.disconnect(client);
      if (this.admits(user)) this.later(() => client.restored());
    }
  }

  private inControl(subject: string, data: Uint8Array, extra: VoiceExtra): boolean {
    const served = this.jetStream.serves(subject);
    if (served) this.jetStream.receive(subject, data, extra.headers ?? NO_HEADERS, extra.reply);
    return this.route(ACCOUNTS.control, subject, data, extra) || served;
  }

  /** To the subscribers of an account, one of each queue group, and on to the agents where a stream is exported. */
  private route(account: AccountName, subject: string, data: Uint8Array, extra: VoiceExtra): boolean {
    if (account === ACCOUNTS.control && subject.startsWith(`${REPLY_PREFIX}.`))
      return this.answerAcross(subject, data, extra);
    const chosen = this.choose(account, subject);
    const message: RawMessage = {
      subject: extra.shownSubject ?? subject,
      data,
      reply: extra.reply,
      headers: extra.headers ?? NO_HEADERS,
      status: extra.status,
      statusText: extra.statusText ?? '',
    };
    for (const interest of chosen) this.later(() => interest.client.deliver(interest, message));
    const across =
      account === ACCOUNTS.control &&
      EXPORTED.has(subject) &&
      this.route(ACCOUNTS.agents, subject, data, extra);
    return chosen.length > 0 || across;
  }

  private choose(account: AccountName, subject: string): Interest[] {
    const found = this.interests[account].match(subject);
    if (found.every(({ queue }) => queue === undefined)) return found;
    const plain: Interest[] = [];
    const groups = new Map<string, Interest[]>();
    for (const interest of found) {
      if (interest.queue === undefined) plain.push(interest);
      else groups.set(interest.queue, [...(groups.get(interest.queue) ?? []), interest]);
    }
    for (const members of groups.values()) {
      const one = members[Math.floor(this.options.random.fraction() * members.length)];
      if (one !== undefined) plain.push(one);
    }
    return plain;
  }

  /** The control account sees a reply subject of the server's own; one answer to it goes back to the asker. */
  private replyAcross(reply: string): string {
    const token = `${REPLY_PREFIX}.${(this.replyCounter++).toString(36)}`;
    this.openReplies.set(token, reply);
    return token;
  }

  private answerAcross(token: string, data: Uint8Array, extra: VoiceExtra): boolean {
    const reply = this.openReplies.get(token);
    if (reply === undefined) return false;
    this.openReplies.delete(token);
    return this.route(ACCOUNTS.agents, reply, data, extra);
  }
}

/** What agents may call in the control account, and what they hear from it. */
const IMPORTED = exportsOf('service');
const EXPORTED = exportsOf('stream');

function exportsOf(kind: (typeof AGENT_EXPORTS)[number]['kind']): SubjectTree<true> {
  const tree = new SubjectTree<true>();
  for (const each of AGENT_EXPORTS) if (each.kind === kind) tree.add(each.subject, true);
  return tree;
}

function accountOf({ role }: MemoryUser): AccountName {
  if (role === 'system') return ACCOUNTS.system;
  return role === 'peel' ? ACCOUNTS.agents : ACCOUNTS.control;
}

function permissionsOf(user: MemoryUser): Permissions {
  if (user.role === 'master') return MASTER_GRANT;
  if (user.role === 'system') return SYS_GRANT;
  return user.role === 'admin' ? ADMIN_GRANT : peelGrant(user.name);
}
