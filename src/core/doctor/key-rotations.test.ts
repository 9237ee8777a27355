import { describe, expect, it } from 'vitest';
import type { UnixNanos } from '../../wire/msgpack/time.ts';
import { fleetKeyReplyCodec } from '../../wire/records/fleet-key/fleet-key-admin.ts';
import { judgeKeyRotations } from './key-rotations.ts';

const MINUTE = 60n * 1_000_000_000n;
const BEGAN: UnixNanos = 1_795_010_400n * 1_000_000_000n;
const generation = (number: number) => ({
  ...{ generation: number, isGood: true, createdBy: 'ann', ended: undefined },
  created: number === 1 ? undefined : BEGAN,
});
const QUIET = fleetKeyReplyCodec.create({ generations: [generation(1)], peelsOnline: 3, peelsConfirmed: 3 });
const ROTATING = fleetKeyReplyCodec.create({
  generations: [generation(2), generation(1)],
  isOverlap: true,
  endsEarliest: BEGAN + 10n * MINUTE,
  endsLatest: BEGAN + 60n * MINUTE,
  peelsOnline: 3,
  peelsConfirmed: 2,
  peelsMissing: ['web-03'],
});

describe('rotations of keys', () => {
  it('where none is under way the generations are told', () => {
    expect(judgeKeyRotations({ fleet: QUIET, agents: QUIET, now: BEGAN })).toEqual({
      verdict: 'ok',
      found: 'fleet key generation 1; agents key generation 1',
      fix: '',
    });
  });

  it('one that goes on is told with its beginning, its end and who has not confirmed', () => {
    const { verdict, found } = judgeKeyRotations({
      fleet: QUIET,
      agents: ROTATING,
      now: BEGAN + 30n * MINUTE,
    });
    expect(verdict).toBe('ok');
    expect(found).toBe(
      'fleet key generation 1; agents key generation 2 is being rotated in since 2026-11-18T14:00:00Z, ' +
        '2 of 3 online peels confirmed, not web-03, it ends between 2026-11-18T14:10:00Z and 2026-11-18T15:00:00Z',
    );
  });

  it('one that should have ended is stuck', () => {
    const now = BEGAN + 63n * MINUTE;
    const { verdict, found, fix } = judgeKeyRotations({ fleet: ROTATING, agents: QUIET, now });
    expect(verdict).toBe('warn');
    expect(found).toMatch(/^the rotation of the fleet key should have ended: .*not web-03/);
    expect(fix).toContain('logs of the masters');
  });

  it('a master that does not have the newest is named', () => {
    const agents = { ...QUIET, mastersMissing: ['master-a'] };
    expect(judgeKeyRotations({ fleet: QUIET, agents, now: BEGAN })).toMatchObject({
      verdict: 'warn',
      found: expect.stringContaining('masters without the newest agents key: master-a'),
    });
  });
});
