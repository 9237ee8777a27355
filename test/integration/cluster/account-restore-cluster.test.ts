/**
 * Account documents in a cluster: a node that was down at the push gets them when it is back, and an older one goes from all. And a
 * peel that floods one node is kept out of every one.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_BYTES } from '../../../src/bus/connection.ts';
import { openTable } from '../../../src/bus/kv/table.ts';
import type { PeelId } from '../../../src/wire/names/ids.ts';
import type { EnrollAdminReply } from '../../../src/wire/records/enroll/enroll-admin.ts';
import { TABLES } from '../../../src/wire/records/tables.ts';
import { KeptAccounts } from '../../harness/kept-accounts.ts';
import { until } from '../../harness/until.ts';

const CLUSTER_TEST_MS = 90_000;
const RESTORED_MS_MAX = 10_000;
const FOUND_MS_MAX = 10_000;
const kept = new KeptAccounts();
const bad = kept.world.trust.creds('peel', 'web-66');

beforeAll(() => kept.start(3));
afterAll(() => kept.close());

it(
  'a peel that floods a node is found by the guard on another one, and is out on all three',
  async () => {
    const evil = kept.world.trust.creds('peel', 'evil');
    const live = [0, 1, 2].map((node) => kept.peel('evil', evil, node));
    await until(() => live.every((each) => each.status() === 'connected'), 'the connections');
    const table = openTable(kept.world.admin, TABLES.floodBans);
    const ban = async () => (await table.getLatest('evil' as PeelId)).is === 'found';
    await until(
      async () => {
        for (let i = 0; i < 2_000 && live[2]?.status() === 'connected'; i++)
          live[2].publish('zester.job.x.ack.evil', NO_BYTES);
        return await ban();
      },
      'the ban',
      FOUND_MS_MAX,
    );
    await until(() => live.every((each) => each.status() !== 'connected'), 'it to be out on all of them');
    await until(() => kept.isRestored(3), 'the documents on all of them');
    for (const each of live)
      expect(String(await until(() => each.failure(), 'a refusal'))).toContain(
        'does not accept the credentials',
      );
  },
  CLUSTER_TEST_MS,
);

it(
  'a node that was away at the revocation refuses the peel when it is back, and an older document goes from every node',
  async () => {
    const live = [kept.peel('web-66', bad, 0), kept.peel('web-66', bad, 1)];
    await until(() => live.every((each) => each.status() === 'connected'), 'the live connections');
    await kept.world.nodes[2]?.kill9();
    // The bucket may be without a leader for a moment.
    let reply: Partial<EnrollAdminReply> = {};
    const isRevoked = async () => {
      reply = await kept.revokeByName('web-66');
      return reply.record !== undefined;
    };
    await until(isRevoked, 'the revocation to be stored', 20_000);
    expect(reply).toMatchObject({ servers: 2, serversKnown: 3, record: { publicKey: bad.key.publicKey } });
    expect(reply.warning).toMatch(/^not every server keeps it out yet: 1 of 3 NATS servers did not answer/);
    await until(() => live.every((each) => each.status() !== 'connected'), 'them to be cut', 20_000);
    await until(() => kept.isRestored(2), 'the documents on those that are there', 20_000);
    await kept.world.nodes[2]?.restart();
    await until(() => kept.isRestored(3), 'the documents on the third', 20_000);
    expect(await kept.revokeByName('web-66')).toMatchObject({ servers: 3, serversKnown: 3, warning: '' });
    const late = kept.peel('web-66', bad, 2);

    const before = kept.restoredLines();
    await kept.servers.push(kept.world.trust.topology.public.agents.jwt);
    await until(() => kept.restoredLines() > before, 'the restoration', RESTORED_MS_MAX);
    await until(() => kept.isRestored(3), 'the right document everywhere', RESTORED_MS_MAX);
    await until(() => late.status() !== 'connected', 'the revoked peel to be out');
    expect(kept.world.masters[0]?.state().accountsProblem).toBe('');
  },
  CLUSTER_TEST_MS,
);
