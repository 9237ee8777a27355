/** This check of `zester doctor` judges whether credentials on this machine have the grants of this program: they carry their own. */
import { type Judgement, nameSome, ok, unknown, warn } from './finding.ts';

export interface CredentialsFacts {
  readonly grantsVersion: number;
  readonly files: readonly CredentialsFile[];
  /** Whether the keys that sign new ones are here. */
  readonly canRenew: boolean;
}

export type CredentialsFile =
  | { readonly path: string; readonly grantsVersion: number }
  | { readonly path: string; readonly problem: string };

export function judgeCredentials({ grantsVersion, files, canRenew }: CredentialsFacts): Judgement {
  if (files.length === 0)
    return unknown(
      'no credentials of a master or an admin are here',
      'name the auth directory with --auth-dir',
    );
  const damaged = files.flatMap((file) => ('problem' in file ? [`${file.path} (${file.problem})`] : []));
  if (damaged.length > 0)
    return unknown(`cannot be used: ${nameSome(damaged)}`, 'run doctor as the owner of the auth directory');
  const old = files.filter((file) => 'grantsVersion' in file && file.grantsVersion < grantsVersion);
  if (old.length === 0)
    return ok(`${nameSome(files.map(({ path }) => path))} have grants version ${grantsVersion} or newer`);
  return warn(
    `older than this program, which has grants version ${grantsVersion}: ${nameSome(old.map(({ path }) => path))}`,
    canRenew
      ? 'run `zester auth upgrade`'
      : 'run `zester auth upgrade` where a master’s auth directory is, and copy the file from there',
  );
}
