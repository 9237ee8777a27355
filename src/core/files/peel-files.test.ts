import { describe, expect, it } from 'vitest';
import { peelHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import { peelFiles } from './peel-files.ts';

const beat = (has: { states?: number; settings?: number; secrets?: number; problem?: string } = {}) =>
  peelHeartbeatCodec.create({
    statesRevision: has.states ?? 12,
    settingsRevision: has.settings ?? 4,
    secretsRevision: has.secrets ?? 70,
    filesProblem: has.problem ?? '',
  });
const published = { states: 12, settings: 4, secrets: 70 };

describe('the files of a peel', () => {
  it.each([
    ['current', 'has all revisions', beat(), published],
    ['behind', 'has older states', beat({ states: 11 }), published],
    ['behind', 'has no settings', beat({ settings: 0 }), published],
    ['behind', 'has older secrets', beat({ secrets: 69 }), published],
    ['behind', 'has a revision that the store has lost', beat({ states: 13 }), published],
    ['problem', 'says what is wrong', beat({ states: 11, problem: 'torn' }), published],
    ['problem', 'says what is wrong and has all', beat({ problem: 'torn' }), published],
    ['offline', 'has no heartbeat', undefined, published],
    ['unreadable', 'has a heartbeat of nonsense', 'unreadable', published],
  ] as const)('are %s when it %s', (state, _, heartbeat, revisions) => {
    expect(peelFiles(heartbeat, revisions)).toBe(state);
  });

  it('are compared with what is published only', () => {
    const nothing = { states: undefined, settings: undefined, secrets: undefined };
    expect(peelFiles(beat({ states: 0, settings: 0, secrets: 0 }), nothing)).toBe('current');
    // A mirror keeps what it has when nothing is published any more.
    expect(peelFiles(beat(), nothing)).toBe('current');
  });
});
