/**
 * The own credentials of a master are those in its auth directory, with the grants of this program: where a file has older ones, the
 * same user is signed anew, in the file where we may write it, otherwise in memory only (doctor names the file).
 *
 * For masters that is at once. The system user is renewed when servers know the key that signs it (trust/auth-upgrade.ts): `settled`
 * is told the documents that every server has, keeps the files at them, and says whether the system connection should log in
 * again; `introduced` the same where servers could be told no more than that. A directory that cannot be written is told of once.
 */
import type { Runtime } from '../../runtime/runtime.ts';
import type { AccountTexts } from '../../trust/accounts/accounts.ts';
import type { CredsRole } from '../../trust/accounts/trusted-roles.ts';
import { credsPath, loadCreds, type MasterTrust } from '../../trust/auth-dir.ts';
import {
  namesSystemSigner,
  renewedCreds,
  type UpgradedFile,
  upgradeAuthDir,
} from '../../trust/auth-upgrade.ts';
import { type Creds, parseCreds } from '../../trust/creds.ts';

export class OwnCredentials {
  private readonly authDir: string;
  private readonly trust: MasterTrust;
  private readonly runtime: Runtime;
  /** Signed here because their files are older. */
  private readonly renewed = new Map<CredsRole, Creds>();
  private written: AccountTexts | undefined;
  private isSystemKnown = false;
  private isUnwritableTold = false;

  constructor(authDir: string, trust: MasterTrust, runtime: Runtime) {
    this.authDir = authDir;
    this.trust = trust;
    this.runtime = runtime;
    this.upgrade({ systemToo: false });
  }

  /** Read anew at each attempt to connect. */
  of(role: 'master' | 'system'): Creds {
    const inFile = loadCreds(credsPath(this.authDir, role));
    if (role === 'system' && !this.isSystemKnown) return inFile;
    const text = renewedCreds(role, inFile, this.trust, this.runtime.clock.nowMs());
    if (text === undefined) return inFile;
    const known = this.renewed.get(role);
    if (known?.claims.sub === inFile.claims.sub) return known;
    const creds = parseCreds(text, role);
    this.renewed.set(role, creds);
    return creds;
  }

  /** True when the system user has other rights from now on. */
  settled(documents: AccountTexts): boolean {
    const { written } = this;
    const isSame =
      written !== undefined &&
      written.control === documents.control &&
      written.agents === documents.agents &&
      written.system === documents.system;
    if (isSame) return false;
    this.written = documents;
    const before = this.of('system').jwt;
    this.isSystemKnown = namesSystemSigner(documents.system, this.trust);
    this.upgrade({ documents, systemToo: this.isSystemKnown });
    return this.of('system').jwt !== before;
  }

  /** Servers know the key that signs system users. True when ours has other rights from now on. */
  introduced(): boolean {
    const before = this.of('system').jwt;
    this.isSystemKnown = true;
    this.upgrade({ systemToo: true });
    return this.of('system').jwt !== before;
  }

  private upgrade(options: { readonly documents?: AccountTexts; readonly systemToo: boolean }): void {
    const { clock, log } = this.runtime;
    try {
      const files = upgradeAuthDir(this.authDir, { ...options, nowMs: clock.nowMs() });
      const newer = files.filter(({ from, to }) => from !== to).map(describe);
      if (newer.length > 0) log.info('files in the auth directory have new grants', { files: newer });
    } catch (error) {
      if (this.isUnwritableTold) return;
      this.isUnwritableTold = true;
      log.warn('the auth directory cannot be kept up to date', {
        error,
        hint: 'run `zester auth upgrade` as the owner of the directory',
      });
    }
  }
}

function describe({ path, from, to }: UpgradedFile): string {
  return `${path} ${from} → ${to}`;
}
