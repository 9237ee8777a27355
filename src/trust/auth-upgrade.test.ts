import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changedAccount } from '../../test/harness/accounts.ts';
import { oldDeployment } from '../../test/harness/old-deployment.ts';
import { seededRandom } from '../runtime/seeded-random.ts';
import { GRANTS_VERSION } from '../wire/names/grants.ts';
import type { AccountBody } from './accounts/claims.ts';
import { grantsVersionOf } from './accounts/claims.ts';
import { decodeJwt } from './accounts/jwt.ts';
import { credsPath, initAuthDir, loadCreds, loadMasterTrust } from './auth-dir.ts';
import { namesSystemSigner, upgradeAuthDir } from './auth-upgrade.ts';
import { writeKeyFiles } from './key-files.ts';

const NOW_MS = Date.UTC(2026, 10, 15);
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'zester-upgrade-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const body = (jwt: string) => decodeJwt<AccountBody>(jwt, 'account');
const versionsIn = () => {
  const { control, agents, system } = loadMasterTrust(dir).public;
  const documents = [control, agents, system].map(({ jwt }) => grantsVersionOf(body(jwt).nats));
  const creds = (['master', 'admin', 'system'] as const).map((role) =>
    grantsVersionOf(loadCreds(credsPath(dir, role)).claims.nats),
  );
  return { documents, creds };
};

describe('upgradeAuthDir', () => {
  it('brings a directory of version 1 to this one; the system user follows when servers know its signer', () => {
    oldDeployment(NOW_MS).writeAuthDir(dir);
    const before = loadMasterTrust(dir);
    const users = (['master', 'admin', 'system'] as const).map(
      (role) => loadCreds(credsPath(dir, role)).claims.sub,
    );
    expect(versionsIn()).toEqual({ documents: [1, 1, 1], creds: [1, 1, 1] });

    const files = upgradeAuthDir(dir, { nowMs: NOW_MS + 5_000, systemToo: false });
    expect(files.map(({ path }) => path)).toEqual([
      'account.jwt',
      'agents.jwt',
      'sys.jwt',
      'resolver-preload.conf',
      'master.creds',
      'admin.creds',
    ]);
    expect(files.every(({ from, to }) => from === 1 && to === GRANTS_VERSION)).toBe(true);
    const now = GRANTS_VERSION;
    expect(versionsIn()).toEqual({ documents: [now, now, now], creds: [now, now, 1] });

    const after = loadMasterTrust(dir);
    expect(namesSystemSigner(after.public.system.jwt, after)).toBe(true);
    expect(body(after.public.agents.jwt).nats.signing_keys).toMatchObject([
      { key: before.agentsSigning.publicKey },
    ]);
    expect(readFileSync(join(dir, 'resolver-preload.conf'), 'utf8')).toContain(after.public.agents.jwt);
    expect(upgradeAuthDir(dir, { nowMs: NOW_MS + 9_000, systemToo: true }).map(({ path }) => path)).toEqual([
      'sys.creds',
    ]);
    expect(versionsIn().creds).toEqual([now, now, now]);
    expect(
      (['master', 'admin', 'system'] as const).map((role) => loadCreds(credsPath(dir, role)).claims.sub),
    ).toEqual(users);
    expect(upgradeAuthDir(dir, { nowMs: NOW_MS + 9_000, systemToo: true })).toEqual([]);
  });

  it('signs without servers only a second later than before, so that a document with revocations stays the later one', () => {
    oldDeployment(NOW_MS).writeAuthDir(dir);
    upgradeAuthDir(dir, { nowMs: NOW_MS + 1e9, systemToo: false });
    expect(body(loadMasterTrust(dir).public.agents.jwt).iat).toBe(NOW_MS / 1_000 + 1);
  });

  it('leaves a directory that works wherever it dies between two files', () => {
    oldDeployment(NOW_MS).writeAuthDir(dir);
    const copy = () => readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'utf8')] as const);
    const old = copy();
    const written = upgradeAuthDir(dir, { nowMs: NOW_MS, systemToo: true }).map(({ path }) => path);
    const renewed = new Map(copy());
    expect(written).toHaveLength(7);
    for (let done = 0; done <= written.length; done++) {
      const texts = old.map(([name, text]) =>
        written.slice(0, done).includes(name)
          ? ([name, renewed.get(name) ?? ''] as const)
          : ([name, text] as const),
      );
      writeKeyFiles(
        dir,
        texts.map(([path, text]) => ({ path, text, mode: 0o600 as const })),
        { force: true },
      );
      expect(() => loadMasterTrust(dir), `after ${done}`).not.toThrow();
      upgradeAuthDir(dir, { nowMs: NOW_MS, systemToo: true });
      expect(versionsIn().creds).toEqual([GRANTS_VERSION, GRANTS_VERSION, GRANTS_VERSION]);
    }
  });

  it('takes the documents that servers have, writes nothing twice, and nothing that it lacks', () => {
    initAuthDir(dir, seededRandom(1), NOW_MS, { adminOperator: 'ana', force: false });
    rmSync(join(dir, 'admin.creds'));
    rmSync(join(dir, 'resolver-preload.conf'));
    const { public: own, operatorSigning } = loadMasterTrust(dir);
    const agents = changedAccount(own.agents.jwt, operatorSigning, (b) => ({
      ...b,
      tags: ['zester-grants:99'],
    }));
    const documents = { control: own.control.jwt, agents, system: own.system.jwt };
    const files = upgradeAuthDir(dir, { nowMs: NOW_MS, documents, systemToo: true });
    expect(files).toEqual([{ path: 'agents.jwt', from: GRANTS_VERSION, to: 99 }]);
    expect(upgradeAuthDir(dir, { nowMs: NOW_MS, documents, systemToo: true })).toEqual([]);
    expect(upgradeAuthDir(dir, { nowMs: NOW_MS, systemToo: true }), 'newer than we are').toEqual([]);
    expect(existsSync(join(dir, 'admin.creds'))).toBe(false);
  });
});
