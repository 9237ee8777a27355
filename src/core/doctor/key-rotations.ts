/**
 * This check of `zester doctor` says which generations of the fleet key and the agents key there are, and how far a rotation is: since
 * when, who has not confirmed, when it ends. A rotation ends by itself; one that has not ended when it should have is stuck.
 */
import type { UnixNanos } from '../../wire/msgpack/time.ts';
import type { FleetKeyReply } from '../../wire/records/fleet-key/fleet-key-admin.ts';
import { timeText } from '../time-text.ts';
import { count, type Judgement, nameSome, ok, warn } from './finding.ts';

type KeyStanding = Pick<
  FleetKeyReply,
  | 'generations'
  | 'isOverlap'
  | 'endsEarliest'
  | 'endsLatest'
  | 'peelsOnline'
  | 'peelsConfirmed'
  | 'peelsMissing'
  | 'mastersMissing'
  | 'sealedOld'
>;

export interface KeyRotationFacts {
  readonly fleet: KeyStanding;
  readonly agents: KeyStanding;
  readonly now: UnixNanos;
}

/** Masters look every two seconds; clocks of a fleet differ less than this. */
const GRACE_NANOS = 120n * 1_000_000_000n;

export function judgeKeyRotations({ fleet, agents, now }: KeyRotationFacts): Judgement {
  const keys = [
    { name: 'fleet key', standing: fleet },
    { name: 'agents key', standing: agents },
  ];
  const found = keys.map(({ name, standing }) => describe(name, standing)).join('; ');
  const stuck = keys.find(({ standing }) => isStuck(standing, now));
  if (stuck !== undefined)
    return warn(
      `the rotation of the ${stuck.name} should have ended: ${found}`,
      'a master ends it: look at the logs of the masters for `rotation` and at their health checks `accounts` and `store`',
    );
  const behind = keys.find(({ standing }) => !standing.isOverlap && standing.mastersMissing.length > 0);
  if (behind !== undefined)
    return warn(
      `masters without the newest ${behind.name}: ${nameSome(behind.standing.mastersMissing)}; ${found}`,
      'upgrade masters of an older version; otherwise see their logs',
    );
  return ok(found);
}

function isStuck({ isOverlap, endsLatest }: KeyStanding, now: UnixNanos): boolean {
  return isOverlap && endsLatest !== undefined && now > endsLatest + GRACE_NANOS;
}

function describe(name: string, standing: KeyStanding): string {
  const [newest] = standing.generations;
  const generation = `${name} generation ${newest?.generation ?? 1}`;
  if (!standing.isOverlap) return generation;
  const { peelsOnline, peelsConfirmed, peelsMissing, mastersMissing, sealedOld } = standing;
  const { endsEarliest, endsLatest } = standing;
  const missing = peelsMissing.length === 0 ? '' : `, not ${nameSome(peelsMissing)}`;
  const parts = [
    `${generation} is being rotated in${newest?.created === undefined ? '' : ` since ${timeText(newest.created)}`}`,
    `${peelsConfirmed} of ${count(peelsOnline, 'online peel')} confirmed${missing}`,
  ];
  if (mastersMissing.length > 0) parts.push(`masters that have not: ${nameSome(mastersMissing)}`);
  if (sealedOld > 0) parts.push(`${count(sealedOld, 'record')} sealed under an older one`);
  if (endsEarliest !== undefined && endsLatest !== undefined)
    parts.push(`it ends between ${timeText(endsEarliest)} and ${timeText(endsLatest)}`);
  return parts.join(', ');
}
