/**
 * `settleIdentity` finds out as whom and where a peel connects before it starts: by the options that it was given, or by the auth
 * directory that `zester-peel join` left. With an enrollment that was begun and has no credentials yet it waits, as long as it
 * takes, until somebody has decided; credentials that have expired are asked for anew with the same key.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { isExpired } from '../../trust/accounts/jwt.ts';
import { loadCreds } from '../../trust/auth-dir.ts';
import { hasSecretFile } from '../../trust/key-files.ts';
import type { PeelOptions } from '../peel-options.ts';
import type { JoinLine } from './doors.ts';
import { goOnJoining } from './join-machine.ts';
import { natsCaPath, peelCredsPath, readEnrollment, readPinnedName } from './peel-auth-dir.ts';

export interface PeelPlaces {
  readonly credsFile: string;
  readonly natsUrls: readonly string[];
  readonly caFile: string;
  /** A join left it, so that the masters' doors can be asked. */
  readonly isJoined: boolean;
}

export async function settleIdentity(
  options: Pick<PeelOptions, 'creds' | 'natsUrls' | 'ca' | 'authDir'>,
  line: Omit<JoinLine, 'reachMs'>,
): Promise<PeelPlaces> {
  const { creds, ca, authDir: dir } = options;
  if (creds !== undefined)
    return { credsFile: creds, natsUrls: options.natsUrls ?? [], caFile: ca ?? '', isJoined: false };
  const enrollment = readEnrollment(dir);
  const peelId = enrollment?.peelId ?? readPinnedName(dir);
  if (enrollment === undefined || peelId === undefined) throw zesterError('PEEL_NOT_JOINED', { dir });
  const credsFile = peelCredsPath(dir, peelId);
  const hasCreds = hasSecretFile(credsFile);
  if (!hasCreds || isExpired(loadCreds(credsFile).claims, line.clock.nowMs()))
    await goOnJoining(dir, enrollment, hasCreds, line);
  // A new request may have learned of other servers.
  const { natsUrls: known } = readEnrollment(dir) ?? enrollment;
  const natsUrls = options.natsUrls ?? known;
  if (natsUrls.length === 0)
    throw zesterError('PEEL_USAGE', { problem: 'it needs --nats-url: the masters name no NATS server' });
  return { credsFile, natsUrls, caFile: ca ?? natsCaPath(dir), isJoined: true };
}
