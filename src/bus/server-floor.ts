/**
 * The server floor is the oldest nats-server that is new enough. Older ones silently ignore settings that we rely on,
 * so they are refused.
 */
import { zesterError } from '../core/errors/zester-error.ts';
import { compareVersions } from '../core/version-order.ts';

/** Below this, several stream and consumer settings are silently ignored (several filters, republish details …). */
export const SERVER_FLOOR = '2.10.0';

export function checkServerVersion(version: string): void {
  if (!isVersionEnough(version))
    throw zesterError('BUS_SERVER_TOO_OLD', { version: version || 'unknown', floor: SERVER_FLOOR });
}

/** Compares the three numbers; a pre-release (2.10.0-RC.1) counts as its release. */
export function isVersionEnough(version: string, floor: string = SERVER_FLOOR): boolean {
  return compareVersions(version, floor) >= 0;
}
