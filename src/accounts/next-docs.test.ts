/** What the record of account documents must say when keys were rotated: it goes forward, whoever asks, and never back. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { rekeyAgents, resignByOperator } from '../trust/accounts/accounts.ts';
import { agentsKeysOf, operatorClaims, operatorGenerationOf } from '../trust/accounts/claims.ts';
import { systemSigningKeyOf } from '../trust/accounts/system-signing-key.ts';
import { newTopology, signOperator } from '../trust/accounts/topology.ts';
import { newSigningKey } from '../trust/nkeys.ts';
import { type AccountAuthority, bodyOf, type DocsWish, NOTHING_FOUND, nextDocs } from './next-docs.ts';

const NOW_MS = Date.UTC(2026, 10, 18);
const random = seededRandom(1);
const topology = newTopology(random, NOW_MS);
const first = topology.agentsSigning.publicKey;
const [second, third] = [0, 1].map(() => newSigningKey('account', random).publicKey) as [string, string];
const TABLES = { revoked: [], bans: [], nowS: NOW_MS / 1_000, mayForget: true };
const WISH: DocsWish = { tables: TABLES, found: NOTHING_FOUND, by: 'm' };
const OVERLAP = { generation: 2, keys: [second, first] };
const FINAL = { generation: 2, keys: [second] };

const begun = nextDocs(topology, undefined, WISH, NOW_MS).docs;
const nextOf = (wish: Partial<DocsWish>, docs = begun, authority: AccountAuthority = topology) =>
  nextDocs(authority, docs, { ...WISH, ...wish }, NOW_MS + 60_000);
const keysIn = (docs: typeof begun) => agentsKeysOf(bodyOf(docs.agents).nats);

describe('the agents keys in the documents', () => {
  it('are those that the masters have heard of, each with the template that peels had', () => {
    expect(nextOf({}).docs).toBe(begun);
    const { docs } = nextOf({ agentsKeys: OVERLAP });
    expect(keysIn(docs)).toEqual(OVERLAP);
    const templates = (bodyOf(docs.agents).nats.signing_keys ?? []).map((each) => ({
      ...Object(each),
      key: '',
    }));
    expect(templates[0]).toEqual(templates[1]);
    expect(bodyOf(docs.agents).iat).toBeGreaterThan(bodyOf(begun.agents).iat);
    expect([docs.control, docs.system]).toEqual([begun.control, begun.system]);
  });

  it('never go back: not by a master that has not heard of the rotation, nor of its end', () => {
    const ended = nextOf({ agentsKeys: FINAL }, nextOf({ agentsKeys: OVERLAP }).docs).docs;
    expect(keysIn(ended)).toEqual(FINAL);
    for (const agentsKeys of [OVERLAP, { generation: 1, keys: [first] }, undefined])
      expect(nextOf({ agentsKeys }, ended).docs).toBe(ended);
    expect(keysIn(nextOf({ agentsKeys: { generation: 3, keys: [third] } }, ended).docs).keys).toEqual([
      third,
    ]);
  });

  it('are taken from a server where the record has gone back', () => {
    const ahead = rekeyAgents(begun.agents, FINAL, NOW_MS, topology.operatorSigning);
    const { docs } = nextOf({ found: { ...NOTHING_FOUND, agents: [ahead] } });
    expect(keysIn(docs)).toEqual(FINAL);
  });

  it('stay when a peel is revoked', () => {
    const { publicKey } = newSigningKey('user', random);
    const revoked = [{ publicKey, decidedAtS: NOW_MS / 1000, issuedAtS: 0 }];
    const { docs } = nextOf({ tables: { ...TABLES, revoked } }, nextOf({ agentsKeys: FINAL }).docs);
    expect(keysIn(docs)).toEqual(FINAL);
    expect(Object.keys(bodyOf(docs.agents).nats.revocations ?? {})).toEqual([publicKey]);
  });
});

describe('another generation of the operator key', () => {
  const operatorSigning = newSigningKey('operator', random);
  const systemSigning = systemSigningKeyOf(operatorSigning);
  const claims = operatorClaims(operatorSigning.publicKey, topology.public.system.publicKey, 2);
  const next = { operatorSigning, systemSigning, generation: 2 };
  const own = { control: begun.control, agents: begun.agents, system: begun.system };
  const texts = resignByOperator(own, next, NOW_MS);
  const signed = (role: keyof typeof texts) => ({
    publicKey: topology.public[role].publicKey,
    jwt: texts[role],
  });
  const rotated: AccountAuthority = {
    operatorSigning,
    systemSigning,
    public: {
      operatorJwt: signOperator(topology.operatorIdentity, claims, NOW_MS),
      control: signed('control'),
      agents: signed('agents'),
      system: signed('system'),
    },
  };

  it('signs what the record says anew, and names the system user’s new signer', () => {
    const { docs, isForeign } = nextOf({}, begun, rotated);
    expect(isForeign).toBe(false);
    for (const role of ['control', 'agents', 'system'] as const) {
      const { iss, nats } = bodyOf(docs[role]);
      expect([iss, operatorGenerationOf(nats)]).toEqual([operatorSigning.publicKey, 2]);
    }
    expect(bodyOf(docs.system).nats.signing_keys).toEqual([systemSigning.publicKey]);
    expect(nextOf({}, docs, rotated).docs).toBe(docs);
  });

  it('keeps a master with the old one from recording or handing out anything', () => {
    const { docs } = nextOf({}, begun, rotated);
    expect(nextOf({}, docs)).toMatchObject({ isForeign: true });
    expect(nextOf({ found: { ...NOTHING_FOUND, control: [docs.control] } })).toMatchObject({
      isForeign: true,
    });
  });
});
