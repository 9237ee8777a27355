/**
 * The suite of the account servers: what a server in the system account says to documents, and what it does. The adapter of real
 * servers and the memory server pass it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountServers, openAccountServers } from '../../../src/bus/account-servers.ts';
import type { Connection } from '../../../src/bus/connection.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { systemRandom } from '../../../src/runtime/system-random.ts';
import type { Topology } from '../../../src/trust/accounts/topology.ts';
import { newSigningKey, type SigningKey } from '../../../src/trust/nkeys.ts';
import { changedAccount } from '../../harness/accounts.ts';
import { until } from '../../harness/until.ts';

export interface AccountServersFixture {
  readonly topology: Topology;
  system(): Connection;
  /** A peel with credentials issued now for this key. It comes back by itself whenever it may. */
  peel(name: string, key: SigningKey): Connection;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export function describeAccountServers(name: string, make: () => Promise<AccountServersFixture>): void {
  describe(name, () => {
    let fixture: AccountServersFixture;
    let servers: AccountServers;
    const open: Connection[] = [];

    beforeAll(async () => {
      fixture = await make();
      const connection = fixture.system();
      open.push(connection);
      servers = openAccountServers(connection, { clock: systemClock });
      await connected(connection);
    });
    afterAll(async () => {
      await Promise.all(open.map((connection) => connection.close()));
      await fixture.close();
    });

    async function connected(connection: Connection): Promise<Connection> {
      await until(() => connection.status() === 'connected', 'a connection');
      return connection;
    }

    async function peel(id: string): Promise<{ connection: Connection; key: SigningKey }> {
      const key = newSigningKey('user', systemRandom);
      const connection = fixture.peel(id, key);
      open.push(connection);
      return { connection: await connected(connection), key };
    }

    const agents = () => fixture.topology.public.agents;
    const revoking = (keys: readonly SigningKey[], laterS: number) =>
      changedAccount(
        agents().jwt,
        fixture.topology.operatorSigning,
        (body) => ({
          ...body,
          revocations: Object.fromEntries(
            keys.map(({ publicKey }) => [publicKey, Math.ceil(systemClock.nowMs() / 1_000)]),
          ),
        }),
        laterS,
      );

    it('tells what it has, and nothing of an account that it does not know', async () => {
      expect(await servers.lookup(agents().publicKey)).toEqual([agents().jwt]);
      expect(await servers.lookup(newSigningKey('account', systemRandom).publicKey)).toEqual(['']);
    });

    it('answers questions that are asked at the same time each for itself', async () => {
      const { control, system } = fixture.topology.public;
      const all = [control, agents(), system];
      const told = await Promise.all(all.map(({ publicKey }) => servers.lookup(publicKey)));
      expect(told).toEqual(all.map(({ jwt }) => [jwt]));
      expect(await servers.settings()).toHaveLength(1);
    });

    it('takes a document, names itself, and tells whoever listens', async () => {
      const heard: string[] = [];
      const hints = servers.onPush((jwt) => heard.push(jwt));
      const jwt = revoking([], 1);
      await until(async () => {
        const words = await servers.push(jwt);
        expect(words).toMatchObject([{ isTaken: true, message: 'jwt updated' }]);
        expect(words[0]?.server).not.toBe('unknown');
        return heard.includes(jwt);
      }, 'the hint');
      hints.unsubscribe();
      expect(await servers.lookup(agents().publicKey)).toEqual([jwt]);
    });

    it('refuses what is no document, and keeps what it has', async () => {
      const before = await servers.lookup(agents().publicKey);
      for (const text of ['', 'garbage']) {
        const [word, ...more] = await servers.push(text);
        expect(more).toEqual([]);
        expect(word?.isTaken, text).toBe(false);
      }
      expect(await servers.lookup(agents().publicKey)).toEqual(before);
    });

    it('takes one that a stranger signed, and then lets nobody in until the right one is back', async () => {
      const inside = await peel('web-64');
      const stranger = newSigningKey('operator', systemRandom);
      const forged = changedAccount(agents().jwt, stranger, (body) => body, 2);
      expect(await servers.push(forged)).toMatchObject([{ isTaken: true }]);
      expect(await servers.lookup(agents().publicKey)).toEqual([forged]);
      const shutOut = fixture.peel('web-65', newSigningKey('user', systemRandom));
      open.push(shutOut);
      await inside.connection.flush();
      expect(shutOut.status()).not.toBe('connected');
      await servers.push(revoking([], 2));
      await connected(shutOut);
      await inside.connection.flush();
    });

    it('cuts a revoked peel off at once and keeps it out, also after a restart; others stay', async () => {
      const [bad, good] = [await peel('web-66'), await peel('web-67')];
      const statuses: string[] = [];
      good.connection.onStatus((status) => statuses.push(status));
      await servers.push(revoking([bad.key], 3));
      await until(() => bad.connection.status() !== 'connected', 'the revoked peel to be cut off');
      const again = fixture.peel('web-66', bad.key);
      open.push(again);
      await good.connection.flush();
      expect(statuses).toEqual([]);
      await fixture.restart();
      await Promise.all([connected(good.connection), until(() => servers.status() === 'connected', 'SYS')]);
      await (await peel('web-68')).connection.flush();
      expect([again.status(), bad.connection.status()]).not.toContain('connected');
    });

    it('takes an older document over a newer one, which lets the revoked in again: masters must watch', async () => {
      const bad = await peel('web-69');
      await servers.push(revoking([bad.key], 20));
      await until(() => bad.connection.status() !== 'connected', 'the revoked peel to be cut off');
      expect(await servers.push(revoking([], 10))).toMatchObject([{ isTaken: true }]);
      await until(() => bad.connection.status() === 'connected', 'the revoked peel to be back');
    });

    it('makes peels log in again when their template has changed, and not for anything else', async () => {
      const { connection } = await peel('web-70');
      const statuses: string[] = [];
      connection.onStatus((status) => statuses.push(status));
      const { operatorSigning } = fixture.topology;
      await servers.push(
        changedAccount(agents().jwt, operatorSigning, (b) => ({ ...b, tags: ['other'] }), 30),
      );
      await connection.flush();
      expect(statuses).toEqual([]);
      const template = changedAccount(
        agents().jwt,
        operatorSigning,
        ({ signing_keys: keys = [], ...rest }) => ({
          ...rest,
          signing_keys: keys.map((key) =>
            typeof key === 'string' ? key : { ...key, template: { ...key.template, subs: 999 } },
          ),
        }),
        31,
      );
      await servers.push(template);
      await until(() => statuses.includes('connected'), 'the peel to be back');
      expect(statuses).toEqual(['disconnected', 'connected']);
    });

    it('takes the account that it is spoken to in', async () => {
      const { system } = fixture.topology.public;
      const jwt = changedAccount(system.jwt, fixture.topology.operatorSigning, (body) => body, 5);
      expect(await servers.push(jwt)).toMatchObject([{ isTaken: true }]);
      expect(await servers.lookup(system.publicKey)).toEqual([jwt]);
    });
  });
}
