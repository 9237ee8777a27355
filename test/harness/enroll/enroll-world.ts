/** `EnrollWorld` is masters on one memory server, machines that want to join them, and an operator who decides. */
import { createHash } from 'node:crypto';
import { openTable } from '../../../src/bus/kv/table.ts';
import type { Bus } from '../../../src/bus/port.ts';
import type { EnrollmentDesk } from '../../../src/master/enroll/enrollment-desk.ts';
import { newKsuid } from '../../../src/runtime/ids.ts';
import { nanosFromMs } from '../../../src/wire/msgpack/time.ts';
import { BUCKETS } from '../../../src/wire/names/buckets.ts';
import type { EnrollmentId, JoinTokenId, PeelId } from '../../../src/wire/names/ids.ts';
import { ENROLLED_PEELS_PATTERN } from '../../../src/wire/names/keys.ts';
import { STREAMS } from '../../../src/wire/names/streams.ts';
import {
  ENROLL_APPROVE_SUBJECT,
  ENROLL_REJECT_SUBJECT,
  ENROLL_REVOKE_SUBJECT,
  JOIN_TOKEN_CREATE_SUBJECT,
} from '../../../src/wire/names/subjects.ts';
import {
  type EnrollAdminReply,
  type EnrollAdminRequest,
  enrollAdminReplyCodec,
  enrollAdminRequestCodec,
  type JoinTokenReply,
  type JoinTokenRequest,
  joinTokenReplyCodec,
  joinTokenRequestCodec,
} from '../../../src/wire/records/enroll/enroll-admin.ts';
import type { Enrollment } from '../../../src/wire/records/enroll/enrollment.ts';
import type { JoinToken } from '../../../src/wire/records/enroll/join-token.ts';
import { eventCodec } from '../../../src/wire/records/event.ts';
import { TABLES } from '../../../src/wire/records/tables.ts';
import { TEST_CA_PIN } from '../master/bare-machine.ts';
import { MasterWorld } from '../master/master-world.ts';
import { type MachineWords, NewMachine } from './new-machine.ts';

const VERBS = {
  approve: ENROLL_APPROVE_SUBJECT,
  reject: ENROLL_REJECT_SUBJECT,
  revoke: ENROLL_REVOKE_SUBJECT,
};
const HOUR_MS = 3_600_000;

export class EnrollWorld extends MasterWorld {
  machine(peel: string): NewMachine {
    return new NewMachine(peel, this.random);
  }

  async desk(bus?: Bus): Promise<EnrollmentDesk> {
    return (await (bus === undefined ? this.master() : this.master({}, bus))).master.desk;
  }

  /** The whole request: a challenge, and its answer. */
  async submit(desk: EnrollmentDesk, machine: NewMachine, words: MachineWords = {}): Promise<Enrollment> {
    const joined = async () => {
      const challenge = await desk.challenge(machine.peelId, machine.publicKey);
      return (await desk.submit(machine.request(challenge, words), '192.0.2.7')).record;
    };
    return this.settled(joined(), 'an answer to a request to join');
  }

  /** Approved, with its credentials. */
  async join(desk: EnrollmentDesk, machine: NewMachine): Promise<EnrollmentId> {
    const { id } = await this.submit(desk, machine, { pin: TEST_CA_PIN });
    await this.decide('approve', id);
    await this.settled(desk.issue(id, machine.proof(id)), 'credentials');
    return id;
  }

  async decide(
    verb: keyof typeof VERBS,
    id: string,
    given: Partial<EnrollAdminRequest> = {},
  ): Promise<EnrollAdminReply> {
    const request = enrollAdminRequestCodec.encode(
      enrollAdminRequestCodec.create({ id, operator: 'alice', ...given }),
    );
    const answer = await this.settled(
      this.admin.request(VERBS[verb], request, { timeoutMs: 10_000 }),
      `an answer to ${verb}`,
    );
    return enrollAdminReplyCodec.decode(answer.data);
  }

  /** A token as text, and what the masters said to it. */
  async token(given: Partial<JoinTokenRequest> = {}): Promise<{ text: string; reply: JoinTokenReply }> {
    const id = `tok-${newKsuid(this.clock, this.random)}`;
    const secret = Buffer.from(this.random.bytes(32)).toString('base64url');
    const hash = createHash('sha256').update(secret).digest('hex');
    const expiresAt = this.now() + nanosFromMs(HOUR_MS);
    const request = { id, operator: 'alice', hash, uses: 1, expiresAt, peelPattern: 'web-*', ...given };
    const data = joinTokenRequestCodec.encode(joinTokenRequestCodec.create(request));
    const answer = await this.settled(
      this.admin.request(JOIN_TOKEN_CREATE_SUBJECT, data, { timeoutMs: 10_000 }),
      'an answer about a token',
    );
    return { text: `${id}.${secret}`, reply: joinTokenReplyCodec.decode(answer.data) };
  }

  async storedToken(text: string): Promise<JoinToken> {
    const id = text.split('.')[0] as JoinTokenId;
    const read = await this.settled(openTable(this.admin, TABLES.joinTokens).getLatest(id), 'a token');
    if (read.is !== 'found') throw new Error(`token ${id} is ${read.is}`);
    return read.value;
  }

  async enrollments(): Promise<Enrollment[]> {
    const entries = await this.settled(openTable(this.admin, TABLES.enrollments).entries(), 'enrollments');
    return entries.map((entry) => {
      if (entry.is !== 'found') throw new Error(entry.problem);
      return entry.value;
    });
  }

  /** Which enrollment holds which peel id. */
  async holders(): Promise<Record<string, string>> {
    const bucket = this.admin.bucket(BUCKETS.enrollments.name);
    const entries = await this.settled(bucket.entries(ENROLLED_PEELS_PATTERN), 'the index');
    return Object.fromEntries(
      entries.map(({ key, value }) => [key.slice('peel.'.length), Buffer.from(value).toString()]),
    );
  }

  /** Tags and data of the events that masters told. */
  async events(): Promise<{ readonly tag: string; readonly data: unknown }[]> {
    const told: { tag: string; data: unknown }[] = [];
    const note = (data: Uint8Array) => {
      const event = eventCodec.decode(data);
      told.push({ tag: event.tag, data: { ...event.data } });
    };
    for (const { name, subjects } of Object.values(STREAMS).filter((stream) =>
      stream.name.includes('events'),
    ))
      for (const filter of subjects.filter((subject) => subject.startsWith('zester.event')))
        await this.settled(
          this.admin.stream(name).replay({ filter }, (message) => note(message.data)),
          'events',
        );
    return told;
  }

  async keysOf(peel: PeelId): Promise<string[]> {
    const buckets = [BUCKETS.facts, BUCKETS.secrets, BUCKETS.peelHeartbeat, BUCKETS.basket, BUCKETS.peelTags];
    const found: string[] = [];
    for (const { name } of buckets) {
      const keys = await this.settled(this.admin.bucket(name).keys(), `keys of ${name}`);
      found.push(...keys.filter((key) => key.split('.')[0] === peel).map((key) => `${name}/${key}`));
    }
    return found;
  }
}
