/**
 * The secret watch looks for secrets wherever bytes go: into messages, onto disks, into logs. A value may be in exactly
 * two places: in the settings source of a master, and in the file that a state deploys it to, on a peel that may have it.
 * What is sealed cannot be read and so is not found. Of the sealed records themselves it sees who is given what, and that
 * a record is neither written again for nothing nor replaced by an older one.
 */
import { TEMPORARY_NAME } from '../../system/files.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { type SealedSecrets, sealedSecretsCodec } from '../../wire/records/secrets.ts';
import { canariesIn, findCanary } from './canaries.ts';
import { mayHave } from './site-meaning.ts';
import { VAULT } from './site-trees.ts';
import { SOURCE_DIRS } from './source-disk.ts';

const NO_LEAK = 'no secret is outside its seals';
const SEALED = /^ENC\[nkey,[A-Za-z0-9+/=_-]+\]$/;
/** So long a request to publish everything again, or to seal it, may be under way, and may come twice. */
const FORCED_MS = { publish: 180_000, seal: 900_000 };
/** What a settings file has in the place of a secret, as a state would deploy it. */
const PLACEHOLDER = Buffer.from('__ZESTER_SECRET:');

export interface DiskWrite {
  readonly node: string;
  /** Where it is, asked only when it matters. */
  readonly path: () => string;
  readonly bytes: Uint8Array;
}

export class SecretWatch {
  private readonly broke: (rule: string, text: string) => void;
  private records = new Map<PeelId, SealedSecrets>();
  private readonly nowMs: () => number;
  /** Up to when it may be that an operator asked for it. */
  private forcedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(broke: (rule: string, text: string) => void, nowMs: () => number) {
    this.broke = broke;
    this.nowMs = nowMs;
  }

  message(by: string, subject: string, data: Uint8Array, headers: ReadonlyMap<string, string>): void {
    const form = findCanary(data) ?? findCanary(Buffer.from([subject, ...headers.values()].join('\n')));
    if (form !== undefined) this.broke(NO_LEAK, `${by} sends one ${form} on ${subject}`);
  }

  logged(by: string, line: string): void {
    const form = findCanary(Buffer.from(line));
    if (form !== undefined) this.broke(NO_LEAK, `${by} logs one ${form}: ${line}`);
  }

  masterWrites({ node, path, bytes }: DiskWrite): void {
    const form = findCanary(bytes);
    if (form !== undefined && !path().startsWith(`${SOURCE_DIRS.settings}/`))
      this.broke(NO_LEAK, `${node} writes one ${form} to ${path()}`);
  }

  peelWrites({ node, path, bytes }: DiskWrite): void {
    const text = Buffer.from(bytes);
    if (text.includes(PLACEHOLDER) && path().startsWith(`${VAULT}/`))
      this.broke('no state runs with a secret missing', `${node} writes a placeholder to ${path()}`);
    const form = findCanary(bytes);
    if (form === undefined) return;
    const place = path();
    const isOwn = canariesIn(text.toString()).every(
      ({ secret }) => mayHave(node, secret) && isTargetOf(secret, place),
    );
    if (form !== 'as it is' || !isOwn) this.broke(NO_LEAK, `${node} writes one ${form} to ${place}`);
  }

  /** `data` undefined: the record is gone. */
  sealed(peel: PeelId, data: Uint8Array | undefined): void {
    const before = this.records.get(peel);
    if (data === undefined) {
      this.records.delete(peel);
      return;
    }
    const record = sealedSecretsCodec.decode(data);
    this.records.set(peel, record);
    for (const [path, value] of Object.entries(record.sealed)) {
      if (!mayHave(peel, path)) this.broke(NO_LEAK, `${path} is sealed to ${peel}, which may not have it`);
      if (!SEALED.test(value)) this.broke(NO_LEAK, `${path} of ${peel} is stored as it is`);
    }
    if (before === undefined) return;
    if (record.settingsRevision < before.settingsRevision)
      this.broke(
        'sealed secrets are never replaced by older ones',
        `${peel}: ${before.settingsRevision} by ${record.settingsRevision}`,
      );
    const isSame = record.fingerprint === before.fingerprint && record.generation === before.generation;
    if (isSame && this.nowMs() > this.forcedUntilMs)
      this.broke('what has not changed is not sealed again', `${peel}: revision ${record.settingsRevision}`);
  }

  /** An operator asks that everything be written again. */
  force(what: keyof typeof FORCED_MS): void {
    this.forcedUntilMs = Math.max(this.forcedUntilMs, this.nowMs() + FORCED_MS[what]);
  }

  snapshot(): () => void {
    const records = new Map(this.records);
    return () => {
      this.records = new Map(records);
    };
  }
}

/** Also the file beside it that is renamed into its place. */
function isTargetOf(secret: string, path: string): boolean {
  if (!path.startsWith(`${VAULT}/`)) return false;
  const name = path.slice(VAULT.length + 1);
  return name === secret || TEMPORARY_NAME.test(name);
}
