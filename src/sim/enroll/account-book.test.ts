import { describe, expect, it } from 'vitest';
import type { Stored } from '../../bus/memory/memory-jetstream.ts';
import { seededRandom } from '../../runtime/seeded-random.ts';
import { resignAccount } from '../../trust/accounts/accounts.ts';
import { newTopology } from '../../trust/accounts/topology.ts';
import { newSigningKey } from '../../trust/nkeys.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { BUCKETS } from '../../wire/names/buckets.ts';
import { ACCOUNT_DOCS_KEY } from '../../wire/names/keys.ts';
import { kvSubject } from '../../wire/names/store-subjects.ts';
import { accountDocsCodec } from '../../wire/records/enroll/account-docs.ts';
import { AccountBook } from './account-book.ts';

describe('the book of account documents', () => {
  it('keeps the older ones and says when somebody who was shut out is not any more', () => {
    const topology = newTopology(seededRandom(1), 1_000_000);
    const random = seededRandom(2);
    const [one, two] = [newSigningKey('user', random).publicKey, newSigningKey('user', random).publicKey];
    const broken: string[] = [];
    const book = new AccountBook({ topology, broke: (rule) => broken.push(rule) });
    const write = (revocations: Record<string, number>) => {
      const { control, agents, system } = topology.public;
      const jwt = resignAccount(agents.jwt, revocations, 2_000_000, topology.operatorSigning);
      const docs = { control: control.jwt, agents: jwt, system: system.jwt, updatedAt: nanosFromMs(0) };
      const data = accountDocsCodec.encode(
        accountDocsCodec.create({ ...docs, grantsVersion: 2, updatedBy: 'm', bannedKeys: [] }),
      );
      book.stored({ subject: kvSubject(BUCKETS.accountDocs.name, ACCOUNT_DOCS_KEY), data } as Stored);
    };
    write({ [one]: 5 });
    write({ [one]: 5, [two]: 6 });
    write({ [one]: 7, [two]: 6 });
    expect([broken, book.agents.length, book.revocations]).toEqual([[], 4, { [one]: 7, [two]: 6 }]);
    write({ [two]: 6 });
    expect(broken).toEqual(['who was shut out stays shut out']);
    const restore = book.snapshot();
    restore();
    write({});
    expect(broken).toHaveLength(1);
  });
});
