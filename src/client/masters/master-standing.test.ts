import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { MasterId } from '../../wire/names/ids.ts';
import { masterHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import { masterStandings } from './master-standing.ts';
import type { MastersSeen } from './read-masters.ts';

const NOW_MS = 1_000_000;

function seen(id: string, agoMs: number, given: { sinceMs?: number; leaving?: boolean; jobs?: number } = {}) {
  const { sinceMs = 0, leaving = false, jobs = 0 } = given;
  const beat = masterHeartbeatCodec.create({
    masterId: id as MasterId,
    host: 'here',
    pid: 7,
    version: '1.0.0',
    leaving,
    jobs,
    since: nanosFromMs(sinceMs),
  });
  return { id, beat, writtenMs: NOW_MS - agoMs };
}

const nobody: MastersSeen = { beats: [], leases: [], openJobs: [], nowMs: NOW_MS };
const states = (given: Partial<MastersSeen>) =>
  masterStandings({ ...nobody, ...given }).map(({ id, state }) => [id, state]);

describe('masterStandings', () => {
  it('tells living, leaving, stale and gone ones apart, the living first, the oldest first', () => {
    const beats = [
      seen('old-beat', 15_001, { sinceMs: 1 }),
      seen('young', 5_000, { sinceMs: 30 }),
      seen('going', 1_000, { sinceMs: 1, leaving: true }),
      seen('elder', 15_000, { sinceMs: 20 }),
    ];
    expect(states({ beats, openJobs: [{ jid: 'j', owner: 'dead' }] })).toEqual([
      ['elder', 'alive'],
      ['young', 'alive'],
      ['going', 'leaving'],
      ['old-beat', 'stale'],
      ['dead', 'gone'],
    ]);
  });

  it('a heartbeat that makes no sense is a sign of life all the same', () => {
    const [master] = masterStandings({ ...nobody, beats: [{ id: 'm', beat: undefined, writtenMs: NOW_MS }] });
    expect(master).toEqual({
      id: 'm',
      state: 'alive',
      host: '',
      pid: undefined,
      version: '',
      since: undefined,
      jobs: 0,
      leases: [],
      heartbeatAgeMs: 0,
      problem: '',
    });
  });

  it('gives each its leases, and its jobs by the index: what a heartbeat says of them is old', () => {
    const standings = masterStandings({
      ...nobody,
      beats: [seen('a', 0, { jobs: 5 })],
      leases: [
        { name: 'publisher', holder: 'a' },
        { name: 'facts-secrets', holder: 'a' },
        { name: 'reconciler', holder: 'b' },
      ],
      openJobs: [
        { jid: 'j1', owner: 'a' },
        { jid: 'j2', owner: 'b' },
        { jid: 'j3', owner: 'b' },
        { jid: 'j4', owner: '' },
      ],
    });
    expect(standings.map(({ id, jobs, leases }) => [id, jobs, leases])).toEqual([
      ['a', 1, ['facts-secrets', 'publisher']],
      ['b', 2, ['reconciler']],
    ]);
  });

  it('names everyone once, in the same order whatever the order of reading', () => {
    const anyBeats = fc.uniqueArray(
      fc.tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.nat(30_000), fc.nat(3)),
      { selector: ([id]) => id },
    );
    fc.assert(
      fc.property(anyBeats, fc.array(fc.string({ minLength: 1, maxLength: 3 })), (made, owners) => {
        const beats = made.map(([id, agoMs, sinceMs]) => seen(id, agoMs, { sinceMs }));
        const openJobs = owners.map((owner, i) => ({ jid: String(i), owner }));
        const one = masterStandings({ ...nobody, beats, openJobs });
        const other = masterStandings({
          ...nobody,
          beats: [...beats].reverse(),
          openJobs: [...openJobs].reverse(),
        });
        expect(other).toEqual(one);
        expect(new Set(one.map(({ id }) => id)).size).toBe(one.length);
      }),
    );
  });
});
