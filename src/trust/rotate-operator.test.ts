import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../runtime/seeded-random.ts';
import { resignAccount } from './accounts/accounts.ts';
import type { AccountBody } from './accounts/claims.ts';
import { decodeJwt } from './accounts/jwt.ts';
import { initAuthDir, loadMasterTrust } from './auth-dir.ts';
import { newSigningKey } from './nkeys.ts';
import { rotateOperatorKey } from './rotate-operator.ts';

const NOW_MS = Date.UTC(2026, 10, 18);
const random = seededRandom(7);
const root = mkdtempSync(join(tmpdir(), 'zester-operator-'));
let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(root, 'auth-'));
  initAuthDir(dir, random, NOW_MS, { adminOperator: 'ann', force: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('a rotation of the operator key', () => {
  it('leaves a directory that fits, with another key and the same accounts, revocations and system user', () => {
    const before = loadMasterTrust(dir);
    const { publicKey } = newSigningKey('user', random);
    const revoked = resignAccount(
      before.public.agents.jwt,
      { [publicKey]: 7 },
      NOW_MS,
      before.operatorSigning,
    );
    writeFileSync(join(dir, 'agents.jwt'), revoked);
    const { generation, files } = rotateOperatorKey(dir, random, NOW_MS + 5_000);
    expect([generation, files]).toEqual([2, expect.arrayContaining(['operator.jwt', 'sys.creds'])]);
    const after = loadMasterTrust(dir);
    expect(after.operatorSigning.publicKey).not.toBe(before.operatorSigning.publicKey);
    for (const role of ['control', 'agents', 'system'] as const) {
      expect(after.public[role].publicKey).toBe(before.public[role].publicKey);
      const { iss, iat } = decodeJwt(after.public[role].jwt, 'account');
      expect(iss).toBe(after.operatorSigning.publicKey);
      expect(iat).toBeGreaterThan(decodeJwt(before.public[role].jwt, 'account').iat);
    }
    expect(decodeJwt<AccountBody>(after.public.agents.jwt, 'account').nats.revocations).toEqual({
      [publicKey]: 7,
    });
    const operators = [before, after].map(
      ({ public: known }) => decodeJwt(known.operatorJwt, 'operator').sub,
    );
    expect(operators[0]).toBe(operators[1]);
    expect(readFileSync(join(dir, 'resolver-preload.conf'), 'utf8')).toContain(after.public.operatorJwt);
    expect(rotateOperatorKey(dir, random, NOW_MS).generation).toBe(3);
  });

  it('that was interrupted between two files is finished by another one', () => {
    const old = readFileSync(join(dir, 'operator.jwt'), 'utf8');
    rotateOperatorKey(dir, random, NOW_MS);
    writeFileSync(join(dir, 'operator.jwt'), old);
    expect(() => loadMasterTrust(dir)).toThrow('does not fit');
    expect(rotateOperatorKey(dir, random, NOW_MS).generation).toBe(3);
    expect(() => loadMasterTrust(dir)).not.toThrow();
  });

  it('needs the identity of this operator: without it, or with another, nothing is written', () => {
    const before = loadMasterTrust(dir).operatorSigning.publicKey;
    const seed = join(dir, 'operator-identity.seed');
    writeFileSync(seed, `${newSigningKey('operator', random).exposeSeed()}\n`);
    expect(() => rotateOperatorKey(dir, random, NOW_MS)).toThrow('operator-identity.seed');
    rmSync(seed);
    expect(() => rotateOperatorKey(dir, random, NOW_MS)).toThrow('is not there');
    expect(loadMasterTrust(dir).operatorSigning.publicKey).toBe(before);
  });
});
