import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { ACCOUNTS, AGENT_EXPORTS, MASTER_GRANT, peelGrant } from '../../wire/names/grants.ts';
import { newSigningKey } from '../nkeys.ts';
import { resignAccount } from './accounts.ts';
import { type AccountBody, accountClaims, type OperatorBody, type UserBody } from './claims.ts';
import { decodeJwt } from './jwt.ts';
import { newTopology } from './topology.ts';
import { mintPeelUser, mintTrustedUser } from './users.ts';

const NOW_MS = Date.UTC(2026, 10, 15);
const random = seededRandom(41);
const topology = newTopology(random, NOW_MS);
const accounts = {
  control: decodeJwt<AccountBody>(topology.public.control.jwt, 'account'),
  agents: decodeJwt<AccountBody>(topology.public.agents.jwt, 'account'),
  system: decodeJwt<AccountBody>(topology.public.system.jwt, 'account'),
};

describe('newTopology', () => {
  it('has an operator that signs itself and accounts that its signing key signs', () => {
    const operator = decodeJwt<OperatorBody>(topology.public.operatorJwt, 'operator');
    expect(operator.iss).toBe(operator.sub);
    expect(operator.nats.signing_keys).toEqual([topology.operatorSigning.publicKey]);
    expect(operator.nats.system_account).toBe(topology.public.system.publicKey);
    expect(operator.sub).not.toBe(topology.operatorSigning.publicKey);
    for (const { iss } of Object.values(accounts)) expect(iss).toBe(topology.operatorSigning.publicKey);
  });

  it('calls the accounts as wire/ does', () => {
    expect(Object.entries(accounts).map(([key, { name }]) => [key, name])).toEqual(Object.entries(ACCOUNTS));
  });

  it('gives JetStream to ZESTER alone', () => {
    const jetstream = ({ nats }: { nats: AccountBody }) => [nats.limits.disk_storage, nats.limits.streams];
    expect(jetstream(accounts.control)).toEqual([-1, -1]);
    expect(jetstream(accounts.agents)).toEqual([0, 0]);
    expect(jetstream(accounts.system)).toEqual([0, 0]);
  });

  it('exports from ZESTER exactly what AGENTS imports, services with one answer each', () => {
    const shape = (items: readonly { subject: string; type: string }[] | undefined) =>
      items?.map(({ subject, type }) => `${type} ${subject}`);
    expect(shape(accounts.control.nats.exports)).toEqual(AGENT_EXPORTS.map((e) => `${e.kind} ${e.subject}`));
    expect(shape(accounts.agents.nats.imports)).toEqual(shape(accounts.control.nats.exports));
    for (const item of accounts.control.nats.exports ?? [])
      expect(item.response_type).toBe(item.type === 'service' ? 'Singleton' : undefined);
    for (const item of accounts.agents.nats.imports ?? [])
      expect(item.account).toBe(topology.control.publicKey);
  });

  it('lets users into AGENTS through one scoped key with the template of wire/', () => {
    const { pub, sub } = peelGrant('{{name()}}');
    const scope = {
      kind: 'user_scope',
      key: topology.agentsSigning.publicKey,
      template: { pub: { allow: pub }, sub: { allow: sub } },
    };
    expect(accounts.agents.nats.signing_keys).toMatchObject([scope]);
    expect(topology.agentsSigning.publicKey).not.toBe(accounts.agents.sub);
  });

  it('nowhere says resp, which would switch allow_responses on', () => {
    const user = mintTrustedUser(topology.control, {
      name: 'm',
      userPublicKey: newSigningKey('user', random).publicKey,
      permissions: MASTER_GRANT,
      nowMs: NOW_MS,
    });
    for (const jwt of [
      ...Object.values(topology.public).map((p) => (typeof p === 'string' ? p : p.jwt)),
      user,
    ])
      expect(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).not.toContain('"resp"');
  });

  it('is the same for the same randomness and moment', () => {
    expect(newTopology(seededRandom(7), NOW_MS).public).toEqual(newTopology(seededRandom(7), NOW_MS).public);
    expect(newTopology(seededRandom(8), NOW_MS).public).not.toEqual(
      newTopology(seededRandom(7), NOW_MS).public,
    );
  });
});

describe('resignAccount', () => {
  const revoked = newSigningKey('user', random).publicKey;
  const jwt = topology.public.agents.jwt;

  it('changes the revocations and nothing else', () => {
    const again = resignAccount(jwt, { [revoked]: 1_800_000_000 }, NOW_MS + 5_000, topology.operatorSigning);
    const claims = decodeJwt<AccountBody>(again, 'account');
    expect(claims.nats).toEqual({ ...accounts.agents.nats, revocations: { [revoked]: 1_800_000_000 } });
    const cleared = resignAccount(again, {}, NOW_MS + 9_000, topology.operatorSigning);
    expect(decodeJwt<AccountBody>(cleared, 'account').nats).toEqual(accounts.agents.nats);
  });

  it('is always issued later than what it replaces, whatever the clock says', () => {
    for (const atMs of [NOW_MS, NOW_MS - 3_600_000, NOW_MS + 60_000]) {
      const again = resignAccount(jwt, {}, atMs, topology.operatorSigning);
      expect(decodeJwt(again, 'account').iat).toBeGreaterThan(accounts.agents.iat);
    }
  });
});

describe('accountClaims', () => {
  it('does not depend on the order of the revocations', () => {
    const [a, b] = [newSigningKey('user', random).publicKey, newSigningKey('user', random).publicKey];
    const { limits } = accounts.control.nats;
    expect(JSON.stringify(accountClaims({ limits, revocations: { [a]: 1, [b]: 2 } }))).toBe(
      JSON.stringify(accountClaims({ limits, revocations: { [b]: 2, [a]: 1 } })),
    );
  });
});

describe('mintPeelUser', () => {
  const userPublicKey = newSigningKey('user', random).publicKey;
  const mint = (peelId: string) =>
    mintPeelUser(topology.agentsSigning, {
      agentsAccount: topology.public.agents.publicKey,
      peelId,
      userPublicKey,
      nowMs: NOW_MS,
      expiresAtMs: NOW_MS + 180 * 86_400_000,
    });

  it('makes a JWT with a name, an end, and no permission of its own', () => {
    const claims = decodeJwt<UserBody>(mint('web-01'), 'user');
    expect(claims).toMatchObject({
      name: 'web-01',
      sub: userPublicKey,
      iss: topology.agentsSigning.publicKey,
    });
    expect(claims.exp).toBe(NOW_MS / 1000 + 180 * 86_400);
    expect(claims.nats).toEqual({
      pub: {},
      sub: {},
      issuer_account: topology.public.agents.publicKey,
      type: 'user',
      version: 2,
    });
  });

  it('refuses every name that is not one safe token', () => {
    for (const name of [
      '',
      '*',
      '>',
      'web.01',
      'web.>',
      'a b',
      'a*b',
      '-a',
      '_a',
      'a\n',
      'a'.repeat(129),
      '{{name()}}',
    ])
      expect(() => mint(name), name).toThrow(/cannot be called/);
    fc.assert(
      fc.property(fc.string(), (name) => {
        if (/^[a-zA-Z0-9][a-zA-Z0-9_-]{0,127}$/.test(name) && !name.includes('\n')) return;
        expect(
          isZesterError(
            catchError(() => mint(name)),
            'TRUST_PEEL_ID_INVALID',
          ),
        ).toBe(true);
      }),
    );
  });

  it('refuses a key that is not a user key', () => {
    expect(() =>
      mintPeelUser(topology.agentsSigning, {
        agentsAccount: topology.public.agents.publicKey,
        peelId: 'web-01',
        userPublicKey: topology.control.publicKey,
        nowMs: NOW_MS,
        expiresAtMs: NOW_MS + 1,
      }),
    ).toThrow(/user public key/);
  });
});

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
