/** This check of `zester doctor` judges whether keys and credentials on this machine are out of others' reach. */
import { count, fail, type Judgement, nameSome, ok, unknown, warn } from './finding.ts';

export type FileModeFacts =
  | {
      readonly directory: string;
      readonly files: readonly FileMode[];
      /** Who runs doctor. */
      readonly uid: number;
    }
  | { readonly notRead: string };

export interface FileMode {
  readonly path: string;
  readonly kind: 'directory' | 'secret' | 'public';
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
}

const ROOT = 0;
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

export function judgeFileModes(facts: FileModeFacts): Judgement {
  if ('notRead' in facts)
    return unknown(facts.notRead, 'name the auth directory with --auth-dir, and run doctor as its owner');
  const { directory, files, uid } = facts;
  const secrets = files.filter(({ kind }) => kind === 'secret');
  const readable = secrets.filter(({ mode }) => (mode & OTHERS) !== 0);
  const writable = files.filter(({ mode }) => (mode & OTHERS_WRITE) !== 0);
  const exposed = [...new Set([...readable, ...writable])];
  if (exposed.length > 0)
    return fail(
      `others have access: ${nameSome(exposed.map(({ path, mode }) => `${path} (${octal(mode)})`))}`,
      `chmod 600 each secret file and 700 each directory; if somebody may have read a key, make new ones`,
    );
  const foreign = files.filter((file) => file.uid !== uid && file.uid !== ROOT);
  if (foreign.length > 0)
    return warn(
      `owned by another user (${[...new Set(foreign.map((file) => file.uid))].join(', ')}): ${nameSome(foreign.map(({ path }) => path))}`,
      'give these files to the user that runs Zester (chown)',
    );
  return ok(`${count(secrets.length, 'secret file')} in ${directory}, for their owner only`);
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, '0');
}
