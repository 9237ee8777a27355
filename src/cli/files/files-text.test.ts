import { describe, expect, it } from 'vitest';
import type { FilesSetStatus, FilesStatus, PeelFilesStatus } from '../../client/files/files-status.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import type { MasterId } from '../../wire/names/ids.ts';
import { filesDifferenceCodec, filesReplyCodec, filesSetReportCodec } from '../../wire/records/fileserver.ts';
import { peelHeartbeatCodec } from '../../wire/records/heartbeat.ts';
import { answerText } from './files-diff.ts';
import { replyText } from './files-publish.ts';
import { statusExitCode, statusText } from './files-status.ts';

const NOW_MS = 1_763_251_200_000;
const MASTER = 'master-1' as MasterId;
const report = (set: string, state: string, note = '') =>
  filesSetReportCodec.create({
    set,
    state,
    note,
    directory: `/srv/${set}`,
    revision: 3,
    files: 2,
    changed: 1,
  });
const set = (given: Partial<FilesSetStatus>): FilesSetStatus => ({
  set: 'states',
  published: 'whole',
  revision: 3,
  files: 2,
  writtenMs: NOW_MS - 5_000,
  problem: '',
  report: report('states', 'unchanged'),
  ...given,
});
const peel = (
  id: string,
  state: PeelFilesStatus['state'],
  given: Partial<PeelFilesStatus> = {},
): PeelFilesStatus => ({
  id,
  state,
  beat: peelHeartbeatCodec.create({ statesRevision: 3, settingsRevision: 0, secretsRevision: 9 }),
  heartbeatAgeMs: 1_000,
  sealedRevision: 9,
  ...given,
});
const publisher = filesReplyCodec.create({
  master: MASTER,
  host: 'ctl-1',
  since: nanosFromMs(NOW_MS - 60_000),
});
const status = (given: Partial<FilesStatus>): FilesStatus => ({
  publisher,
  sets: [set({})],
  peels: [],
  unreadable: [],
  ...given,
});

describe('the status of files, as text', () => {
  it('tells the publisher, the sets with what is to be said of them, and the peels', () => {
    const text = statusText(
      status({
        sets: [
          set({}),
          set({ set: 'settings', report: report('settings', 'conflict', 'edited here\nnext: do it') }),
          set({
            set: 'reactor',
            published: 'empty',
            revision: undefined,
            writtenMs: undefined,
            report: undefined,
          }),
        ],
        peels: [
          peel('db_1', 'offline', { beat: undefined, sealedRevision: undefined }),
          peel('web-01', 'current'),
          peel('web-02', 'problem', {
            beat: peelHeartbeatCodec.create({ statesRevision: 2, filesProblem: 'torn' }),
            sealedRevision: 9,
          }),
        ],
      }),
      NOW_MS,
    );
    expect(text).toBe(
      [
        'Published by master-1 on ctl-1, since 2025-11-15T23:59:00Z.',
        'SET       REVISION  FILES  PUBLISHED  STATE      DIRECTORY',
        'states    3         2      5s ago     unchanged  /srv/states',
        'settings  3         2      5s ago     conflict   /srv/settings',
        'reactor   -         -      never      -          -',
        'settings: edited here',
        '  next: do it',
        '',
        'PEEL    FILES    STATES  SETTINGS  SECRETS  PROBLEM',
        'db.1    offline  -       -         -        -',
        'web-01  current  3       -         yes      -',
        'web-02  problem  2       -         behind   torn',
        '',
      ].join('\n'),
    );
  });

  it('says that nobody publishes, and what is torn', () => {
    const text = statusText(
      status({
        publisher: zesterError('FILES_NO_PUBLISHER', { why: 'x' }),
        sets: [set({ published: 'torn', revision: undefined, writtenMs: undefined, problem: 'no manifest' })],
      }),
      NOW_MS,
    );
    expect(text).toContain('No master publishes.\n');
    expect(text).toContain('states  -         -      -          torn');
    expect(text).toContain('\nstates: no manifest\n');
    expect(text).toContain('No peels found.');
  });

  it.each<[number, string, Partial<FilesStatus>]>([
    [0, 'all is well, whoever is offline', { peels: [peel('a', 'current'), peel('b', 'offline')] }],
    [2, 'a set is in conflict', { sets: [set({ report: report('states', 'conflict') })] }],
    [2, 'a set is torn', { sets: [set({ published: 'torn' })] }],
    [0, 'a set is in a state of a newer version', { sets: [set({ report: report('states', 'resting') })] }],
    [2, 'a peel says what is wrong', { peels: [peel('a', 'problem')] }],
    [2, 'a heartbeat makes no sense', { peels: [peel('a', 'unreadable')] }],
    [3, 'a peel is behind', { peels: [peel('a', 'behind')] }],
    [4, 'both', { peels: [peel('a', 'behind'), peel('b', 'problem')] }],
  ])('ends with %d when %s', (code, _, given) => {
    expect(statusExitCode(status(given))).toBe(code);
  });
});

describe('what was published, as text', () => {
  it('has a line for each set, and what there is to say below', () => {
    const sets = [report('settings', 'published'), report('states', 'broken', 'web/init.zy: too large')];
    expect(replyText({ ...publisher, sets })).toBe(
      [
        'Published by master-1 on ctl-1, since 2025-11-15T23:59:00Z.',
        'SET       REVISION  FILES  CHANGED  STATE      DIRECTORY',
        'settings  3         2      1        published  /srv/settings',
        'states    3         2      1        broken     /srv/states',
        'states: web/init.zy: too large',
        '',
      ].join('\n'),
    );
  });
});

describe('a difference, as text', () => {
  const states = filesDifferenceCodec.create({
    set: 'states',
    directory: '/srv/states',
    revision: 12,
    added: ['new.zy'],
    changed: ['web/init.zy'],
    removed: ['old\nforged: line'],
    omitted: 3,
  });

  it('of the publisher names its directory and every file', () => {
    const sets = [states, filesDifferenceCodec.create({ set: 'reactor', note: 'no directory' })];
    expect(answerText({ of: { master: MASTER, host: 'ctl-1' }, sets })).toBe(
      [
        'states: master-1 on ctl-1 /srv/states, published is revision 12',
        '  + new.zy',
        '  ~ web/init.zy',
        '  - old forged: line',
        '  and 3 more',
        'reactor: master-1 on ctl-1, nothing is published',
        '  note: no directory',
        '',
      ].join('\n'),
    );
  });

  it('of a peel tells the revision it has', () => {
    const same = filesDifferenceCodec.create({ set: 'states', revision: 12, mirrored: 12 });
    const sets = [{ ...states, mirrored: 11, added: [], removed: [], omitted: 0 }, same];
    expect(answerText({ of: { peel: 'web_01' }, sets })).toBe(
      [
        'states: web.01 /srv/states has revision 11, published is revision 12',
        '  ~ web/init.zy',
        'states: web.01 has revision 12, published is revision 12; no difference',
        '',
      ].join('\n'),
    );
  });
});
