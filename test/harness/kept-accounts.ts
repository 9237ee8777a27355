/**
 * `KeptAccounts` is masters on real servers that keep account documents, a peel whose enrollment can be revoked, and the
 * operator's end: what servers have, and who pushes what to them.
 */
import { type AccountServers, openAccountServers } from '../../src/bus/account-servers.ts';
import type { Connection } from '../../src/bus/connection.ts';
import { openTable } from '../../src/bus/kv/table.ts';
import { newKsuid } from '../../src/runtime/ids.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import type { Creds } from '../../src/trust/creds.ts';
import { nanosFromMs } from '../../src/wire/msgpack/time.ts';
import type { EnrollmentId, PeelId } from '../../src/wire/names/ids.ts';
import { ACCOUNT_DOCS_KEY, ACCOUNTS_LEASE_KEY } from '../../src/wire/names/keys.ts';
import { ENROLL_REVOKE_SUBJECT } from '../../src/wire/names/subjects.ts';
import {
  type EnrollAdminReply,
  enrollAdminReplyCodec,
  enrollAdminRequestCodec,
} from '../../src/wire/records/enroll/enroll-admin.ts';
import { enrollmentCodec } from '../../src/wire/records/enroll/enrollment.ts';
import { TABLES } from '../../src/wire/records/tables.ts';
import { JobsWorld } from './jobs-world.ts';
import { testRuntime } from './servers/trusted-nats.ts';
import { until } from './until.ts';

export class KeptAccounts {
  readonly world = new JobsWorld();
  /** Of somebody else who may push. */
  servers: AccountServers = undefined as never;
  private readonly open: Connection[] = [];

  async start(nodes: 1 | 3): Promise<void> {
    const { world } = this;
    if (nodes === 1) await world.open(0);
    else await world.openCluster(0);
    this.servers = openAccountServers(this.system(), testRuntime);
    const urls = world.nodes.map(({ url }) => url);
    const accounts = {
      servers: openAccountServers(this.system(), testRuntime),
      authority: world.trust.topology,
    };
    const master = world.master('keeper', {}, urls[0], { accounts });
    await master.ready;
    await until(() => master.state().leases.includes(ACCOUNTS_LEASE_KEY), 'the lease');
    await until(async () => (await this.record()) !== undefined, 'the record');
  }

  async close(): Promise<void> {
    await Promise.all(this.open.map((connection) => connection.close()));
    await this.world.close();
  }

  /** A peel on this node, which tries to be connected for ever. */
  peel(name: string, creds: Pick<Creds, 'jwt' | 'key'>, node = 0): Connection {
    const { trust, nodes } = this.world;
    const connection = trust.connect([nodes[node]?.url ?? ''], 'peel', name, creds);
    this.open.push(connection);
    return connection;
  }

  /** What the masters answer to an operator who revokes the peel by its name. */
  async revokeByName(peelId: string): Promise<EnrollAdminReply> {
    const request = enrollAdminRequestCodec.create({ id: '', peelId, operator: 'alice' });
    const data = enrollAdminRequestCodec.encode(request);
    const answer = await this.world.admin.request(ENROLL_REVOKE_SUBJECT, data, { timeoutMs: 20_000 });
    return enrollAdminReplyCodec.decode(answer.data);
  }

  /** As a master does when an operator revokes it. */
  async revoke(name: string, { key }: Pick<Creds, 'key'>): Promise<void> {
    const now = nanosFromMs(systemClock.nowMs());
    const id = `enr-${newKsuid(testRuntime.clock, testRuntime.random)}` as EnrollmentId;
    const record = enrollmentCodec.create({
      id,
      peelId: name as PeelId,
      publicKey: key.publicKey,
      curvePublicKey: 'X',
      state: 'revoked',
      createdAt: now,
      updatedAt: now,
      decidedAt: now,
    });
    await openTable(this.world.admin, TABLES.enrollments).put(id, record);
  }

  async record() {
    const read = await openTable(this.world.admin, TABLES.accountDocs).getLatest(ACCOUNT_DOCS_KEY);
    return read.is === 'found' ? read.value : undefined;
  }

  /** Whether every server that answers has what the record says, and it is another one than `than`. */
  async isRestored(count: number): Promise<boolean> {
    const told = await this.servers.lookup(this.world.trust.topology.public.agents.publicKey);
    const docs = await this.record();
    return told.length === count && told.every((jwt) => jwt === docs?.agents);
  }

  restoredLines(): number {
    return this.world.masterLines.filter(({ msg }) => msg.includes('had another account document')).length;
  }

  private system(): Connection {
    const { trust, nodes } = this.world;
    const connection = trust.connect(
      nodes.map(({ url }) => url),
      'sys',
      'sys',
    );
    this.open.push(connection);
    return connection;
  }
}
