import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isZesterError } from '../core/errors/zester-error.ts';
import { seededRandom } from '../runtime/seeded-random.ts';
import { agentsAccount, signAccount } from './accounts/accounts.ts';
import {
  credsPath,
  initAuthDir,
  loadCreds,
  loadMasterTrust,
  loadOperatorKey,
  loadPublicTrust,
} from './auth-dir.ts';
import { AUTH_FILES } from './auth-files.ts';
import { authInit } from './auth-init.ts';
import { CertificateVerdicts } from './certificate-verdicts.ts';
import { commandKeyOf } from './command-key.ts';
import { readSecretFile, writeKeyFiles } from './key-files.ts';
import { newSigningKey } from './nkeys.ts';
import { checkOperatorCertificate } from './operator-key.ts';
import { spkiPin } from './x509/ca.ts';
import { initCaDir, loadCa, loadRoot } from './x509/ca-dir.ts';

const NOW_MS = Date.UTC(2026, 10, 15);
const OPTIONS = { adminOperator: 'admin', force: false };
let folder: string;
let auth: string;

beforeEach(() => {
  folder = mkdtempSync(`${tmpdir()}/zester-auth-`);
  auth = `${folder}/auth`;
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('authInit', () => {
  it('gives the same files for the same randomness and moment', () => {
    expect(authInit(seededRandom(1), NOW_MS, OPTIONS)).toEqual(authInit(seededRandom(1), NOW_MS, OPTIONS));
  });

  it('keeps no seed of AGENTS or of SYS', () => {
    const { files, summary } = authInit(seededRandom(1), NOW_MS, OPTIONS);
    const text = files.map((file) => file.text).join('\n');
    const seeds = text.match(/^S[OA][A-Z2-7]{56}$/gm) ?? [];
    expect(seeds.map((seed) => seed.slice(0, 2)).toSorted()).toEqual(['SA', 'SA', 'SO', 'SO']);
    expect(JSON.stringify(summary)).not.toMatch(/S[OAU][A-Z2-7]{56}/);
  });

  it('puts no secret into a file that others may read', () => {
    const { files } = authInit(seededRandom(1), NOW_MS, OPTIONS);
    for (const { mode, text } of files)
      if (mode !== 0o600) expect(text).not.toMatch(/\bS[OAU][A-Z2-7]{56}\b/);
    expect(files.map(({ path }) => path).toSorted()).toEqual(
      Object.values(AUTH_FILES)
        .map(({ path }) => path)
        .toSorted(),
    );
  });
});

describe('initAuthDir', () => {
  it('writes a directory for its owner alone, secrets 0600, public files 0644, whatever the umask', () => {
    const before = process.umask(0o077);
    try {
      initAuthDir(auth, seededRandom(1), NOW_MS, OPTIONS);
    } finally {
      process.umask(before);
    }
    expect(statSync(auth).mode & 0o777).toBe(0o700);
    for (const { path, mode } of Object.values(AUTH_FILES))
      expect(statSync(`${auth}/${path}`).mode & 0o777).toBe(mode);
    expect(readdirSync(auth)).toHaveLength(Object.keys(AUTH_FILES).length);
  });

  it('is read back by every role', () => {
    const summary = initAuthDir(auth, seededRandom(1), NOW_MS, OPTIONS);
    const master = loadMasterTrust(auth);
    expect(master.public).toEqual(loadPublicTrust(auth));
    expect(master.control.publicKey).toBe(summary.control);
    expect(loadCreds(credsPath(auth, 'master')).claims).toMatchObject({
      name: 'zester-master',
      iss: summary.control,
    });
    expect(loadCreds(credsPath(auth, 'admin')).claims).toMatchObject({
      name: 'zester-admin',
      iss: summary.control,
    });
    expect(loadCreds(credsPath(auth, 'system')).claims).toMatchObject({
      iss: master.systemSigning.publicKey,
      nats: { issuer_account: summary.system },
    });
    const { certificate } = loadOperatorKey(auth);
    expect(certificate.name).toBe('admin');
    expect(
      checkOperatorCertificate(certificate, {
        commandKeys: [commandKeyOf(master.control).publicKey],
        certificates: new CertificateVerdicts(),
        now: 0n,
      }),
    ).toBeUndefined();
  });

  it('overwrites nothing, whichever file is there, and leaves no trace of trying', () => {
    for (const { path } of Object.values(AUTH_FILES)) {
      mkdirSync(auth, { mode: 0o700 });
      writeFileSync(`${auth}/${path}`, 'precious');
      expect(codeOf(() => initAuthDir(auth, seededRandom(1), NOW_MS, OPTIONS))).toBe('TRUST_FILE_EXISTS');
      expect(readdirSync(auth)).toEqual([path]);
      expect(readFileSync(`${auth}/${path}`, 'utf8')).toBe('precious');
      rmSync(auth, { recursive: true });
    }
  });

  it('does not write through a dangling link', () => {
    mkdirSync(auth, { mode: 0o700 });
    symlinkSync(`${folder}/elsewhere`, `${auth}/account.seed`);
    expect(codeOf(() => initAuthDir(auth, seededRandom(1), NOW_MS, OPTIONS))).toBe('TRUST_FILE_EXISTS');
    initAuthDir(auth, seededRandom(1), NOW_MS, { ...OPTIONS, force: true });
    expect(existsSync(`${folder}/elsewhere`)).toBe(false);
    loadMasterTrust(auth);
  });

  it('replaces everything with force', () => {
    const old = initAuthDir(auth, seededRandom(1), NOW_MS, OPTIONS);
    const fresh = initAuthDir(auth, seededRandom(2), NOW_MS, { ...OPTIONS, force: true });
    expect(fresh.control).not.toBe(old.control);
    expect(loadMasterTrust(auth).control.publicKey).toBe(fresh.control);
    expect(readdirSync(auth)).toHaveLength(Object.keys(AUTH_FILES).length);
  });

  it('refuses a directory that others may write to', () => {
    mkdirSync(auth);
    chmodSync(auth, 0o770);
    expect(codeOf(() => initAuthDir(auth, seededRandom(1), NOW_MS, OPTIONS))).toBe('TRUST_DIRECTORY_EXPOSED');
  });
});

describe('writeKeyFiles', () => {
  const file = (path: string, text = 'x') => ({ path, mode: 0o600 as const, text });

  it('takes its own files away again when another program was first with one of them', () => {
    // The rival's file appears between the check and the taking of names: reading `text` is such a moment.
    const rival = {
      path: 'b',
      mode: 0o600 as const,
      get text() {
        writeFileSync(`${auth}/b`, 'rival');
        return 'x';
      },
    };
    expect(codeOf(() => writeKeyFiles(auth, [file('a'), rival], { force: false }))).toBe('TRUST_FILE_EXISTS');
    expect(readdirSync(auth)).toEqual(['b']);
    expect(readFileSync(`${auth}/b`, 'utf8')).toBe('rival');
  });

  it('changes nothing when one of the files cannot be written', () => {
    writeKeyFiles(auth, [file('a', 'old'), file('b', 'old')], { force: false });
    const broken = {
      path: 'b',
      mode: 0o600 as const,
      get text(): string {
        throw new Error('disk full');
      },
    };
    expect(codeOf(() => writeKeyFiles(auth, [file('a', 'new'), broken], { force: true }))).toBe(
      'TRUST_FILE_UNWRITABLE',
    );
    expect(readFileSync(`${auth}/a`, 'utf8')).toBe('old');
    expect(readdirSync(auth)).toEqual(['a', 'b']);
  });

  it('says which file is in the way when a folder has its name', () => {
    mkdirSync(`${auth}/a`, { recursive: true, mode: 0o700 });
    expect(codeOf(() => writeKeyFiles(auth, [file('a')], { force: true }))).toBe('TRUST_FILE_UNWRITABLE');
  });
});

describe('loading', () => {
  beforeEach(() => {
    initAuthDir(auth, seededRandom(1), NOW_MS, OPTIONS);
  });

  it('names the file that is missing', () => {
    for (const name of [
      'operator.jwt',
      'agents.jwt',
      'account.seed',
      'agents-signing.seed',
      'master.creds',
      'sys.creds',
    ]) {
      const text = readFileSync(`${auth}/${name}`);
      rmSync(`${auth}/${name}`);
      const error = errorOf(() => loadMasterTrust(auth));
      expect(isZesterError(error, 'TRUST_FILE_MISSING')).toBe(true);
      expect(String(error)).toContain(`${auth}/${name}`);
      writeFileSync(`${auth}/${name}`, text, { mode: 0o600 });
    }
    loadMasterTrust(auth);
  });

  it('refuses a secret that others can read, and tells how to mend it', () => {
    for (const mode of [0o640, 0o604, 0o660, 0o644]) {
      chmodSync(`${auth}/account.seed`, mode);
      const error = errorOf(() => loadMasterTrust(auth));
      expect(isZesterError(error, 'TRUST_FILE_EXPOSED')).toBe(true);
      expect(isZesterError(error) && error.hint).toContain(`chmod 600 ${auth}/account.seed`);
    }
    chmodSync(`${auth}/account.seed`, 0o400);
    loadMasterTrust(auth);
    chmodSync(`${auth}/admin.creds`, 0o644);
    expect(codeOf(() => loadCreds(credsPath(auth, 'admin')))).toBe('TRUST_FILE_EXPOSED');
  });

  it('names the file that is damaged, and shows nothing of it', () => {
    const seed = readFileSync(`${auth}/account.seed`, 'utf8');
    writeFileSync(`${auth}/account.seed`, seed.slice(0, 40));
    const error = errorOf(() => loadMasterTrust(auth)) as Error;
    expect(isZesterError(error, 'TRUST_FILE_INVALID')).toBe(true);
    expect(`${error.message} ${String(error.cause)}`).not.toContain(seed.slice(5, 40));
    expect(error.message).toContain('account.seed');
  });

  it('refuses files of two deployments, whichever file is the stranger', () => {
    const other = `${folder}/other`;
    initAuthDir(other, seededRandom(2), NOW_MS, OPTIONS);
    const needed = [
      'operator.jwt',
      'account.jwt',
      'agents.jwt',
      'sys.jwt',
      'account.seed',
      'operator-signing.seed',
    ];
    for (const name of [...needed, 'agents-signing.seed', 'master.creds', 'sys.creds']) {
      const own = readFileSync(`${auth}/${name}`);
      writeFileSync(`${auth}/${name}`, readFileSync(`${other}/${name}`));
      expect(
        codeOf(() => loadMasterTrust(auth)),
        name,
      ).toBe('TRUST_FILES_DISAGREE');
      writeFileSync(`${auth}/${name}`, own);
    }
  });

  it('refuses an AGENTS account that imports from another account than ZESTER', () => {
    const { operatorSigning, agentsSigning, public: own } = loadMasterTrust(auth);
    const body = agentsAccount(newSigningKey('account', seededRandom(3)).publicKey, [
      agentsSigning.publicKey,
    ]);
    const account = { name: 'AGENTS' as const, publicKey: own.agents.publicKey, body };
    writeFileSync(`${auth}/agents.jwt`, signAccount(account, NOW_MS, operatorSigning));
    expect(codeOf(() => loadPublicTrust(auth))).toBe('TRUST_FILES_DISAGREE');
  });

  it('refuses what is far too large to be a key', () => {
    writeFileSync(`${auth}/big`, Buffer.alloc(1_048_577), { mode: 0o600 });
    expect(codeOf(() => readSecretFile(`${auth}/big`))).toBe('TRUST_FILE_UNREADABLE');
    expect(codeOf(() => readSecretFile(folder))).toBe('TRUST_FILE_UNREADABLE');
  });
});

describe('the CA on disk', () => {
  it('is written beside the keys, read back, and not overwritten', () => {
    const made = initCaDir(auth, seededRandom(1), NOW_MS, { force: false });
    expect(spkiPin(loadCa(auth).root)).toBe(spkiPin(made.root));
    expect(readdirSync(`${auth}/ca`).toSorted()).toEqual([
      'intermediate.crt',
      'intermediate.key',
      'root.crt',
      'root.key',
    ]);
    expect(statSync(`${auth}/ca`).mode & 0o777).toBe(0o700);
    expect(statSync(`${auth}/ca/intermediate.key`).mode & 0o777).toBe(0o600);
    expect(codeOf(() => initCaDir(auth, seededRandom(2), NOW_MS, { force: false }))).toBe(
      'TRUST_FILE_EXISTS',
    );
    const forced = initCaDir(auth, seededRandom(2), NOW_MS, { force: true });
    expect(spkiPin(forced.root)).not.toBe(spkiPin(made.root));
    expect(loadRoot(auth).pem).toContain('BEGIN CERTIFICATE');
  });

  it('issues leaves without the key of the root', () => {
    initCaDir(auth, seededRandom(1), NOW_MS, { force: false });
    rmSync(`${auth}/ca/root.key`);
    loadCa(auth);
    chmodSync(`${auth}/ca/intermediate.key`, 0o640);
    expect(codeOf(() => loadCa(auth))).toBe('TRUST_FILE_EXPOSED');
  });
});

function errorOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
}

function codeOf(run: () => unknown): unknown {
  const error = errorOf(run);
  return isZesterError(error) ? error.code : error;
}

describe('a place that takes no directories', () => {
  it('is an error with its name, not a wait without end', () => {
    expect(() =>
      initAuthDir('/proc/zester/auth', seededRandom(1), 0, { adminOperator: 'a', force: false }),
    ).toThrow(expect.objectContaining({ code: 'TRUST_FILE_UNWRITABLE' }));
  });
});
