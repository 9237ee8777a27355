/** `zester files status` prints who publishes files, what is published, and what each peel has of it. */
import type { FilesSetStatus, FilesStatus, PeelFilesStatus } from '../../client/files/files-status.ts';
import { readFilesStatus } from '../../client/files/files-status.ts';
import type { ExitCode } from '../../core/errors/error-spec.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { isTroubleState } from '../../core/files/set-state.ts';
import { timeText } from '../../core/time-text.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { lookWithClient } from '../connect/with-client.ts';
import type { Command } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { ageText } from '../terminal/age-text.ts';
import { formatData } from '../terminal/format-data.ts';
import { displayName } from '../terminal/peel-names.ts';
import { table } from '../terminal/table.ts';
import { unreadableText } from '../terminal/unreadable-text.ts';
import { notesText, publisherText } from './set-text.ts';

export const filesStatusCommand: Command = {
  words: ['files', 'status'],
  summary: 'show who publishes files, what is published, and which peels have it',
  examples: ['zester files status', 'zester files status --format json'],
  detail: [
    'Of a set: its published REVISION, how many files, since when, how it stands in the directory of the publisher.',
    'Of a peel, by its last heartbeat: current; behind (it has another revision); problem (it says why); offline (it gets the',
    'rest when it is back). Exit codes: 0 every peel that is online is current, 1 nobody publishes, 2 a set or a peel has a',
    'problem, 3 a peel that is online is behind, 4 both.',
  ].join('\n'),
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithClient(context, given, 'the publisher and the peels', async (client) => {
      const status = await readFilesStatus(client);
      for (const record of status.unreadable) context.say(`zester: ${unreadableText(record)}\n`);
      const format = formatOf(given);
      context.out(
        format === 'text'
          ? statusText(status, context.runtime.clock.nowMs())
          : await formatData(statusRecord(status), format),
      );
      if (isZesterError(status.publisher)) throw status.publisher;
      return statusExitCode(status);
    }),
};

/** A peel that is offline is not asked for anything here, and counts as neither. */
export function statusExitCode({ sets, peels }: Pick<FilesStatus, 'sets' | 'peels'>): ExitCode {
  const failed =
    sets.some(({ published, report }) => published === 'torn' || isTroubleState(report?.state ?? '')) ||
    peels.some(({ state }) => state === 'problem' || state === 'unreadable');
  const silent = peels.some(({ state }) => state === 'behind');
  if (failed && silent) return 4;
  return failed ? 2 : silent ? 3 : 0;
}

const SET_HEAD = ['SET', 'REVISION', 'FILES', 'PUBLISHED', 'STATE', 'DIRECTORY'];
const PEEL_HEAD = ['PEEL', 'FILES', 'STATES', 'SETTINGS', 'SECRETS', 'PROBLEM'];

export function statusText(status: FilesStatus, nowMs: number): string {
  const { publisher, sets, peels } = status;
  const notes = sets.map(({ set, problem, report }) => ({ set, note: problem || (report?.note ?? '') }));
  return [
    isZesterError(publisher) ? 'No master publishes.\n' : publisherText(publisher),
    table(
      SET_HEAD,
      sets.map((set) => setRow(set, nowMs)),
    ),
    notesText(notes),
    '\n',
    peels.length === 0 ? 'No peels found.\n' : table(PEEL_HEAD, peels.map(peelRow)),
  ].join('');
}

function setRow(
  { set, published, revision, files, writtenMs, report }: FilesSetStatus,
  nowMs: number,
): readonly string[] {
  const isEmpty = published === 'empty';
  return [
    set,
    revision === undefined ? '-' : String(revision),
    published === 'whole' ? String(files) : '-',
    writtenMs === undefined ? (isEmpty ? 'never' : '-') : ageText(nowMs - writtenMs),
    published === 'torn' ? published : report?.state || '-',
    report?.directory || '-',
  ];
}

function peelRow({ id, state, beat, sealedRevision }: PeelFilesStatus): readonly string[] {
  const revision = (number: number | undefined) => (number ? String(number) : '-');
  return [
    displayName(id),
    state,
    revision(beat?.statesRevision),
    revision(beat?.settingsRevision),
    secretsText(beat?.secretsRevision, sealedRevision),
    beat?.filesProblem || '-',
  ];
}

/** Their revision means nothing to people. */
function secretsText(has: number | undefined, sealed: number | undefined): string {
  if (has === undefined || sealed === undefined) return '-';
  return has === sealed ? 'yes' : 'behind';
}

function statusRecord({ publisher, sets, peels }: FilesStatus): object {
  return {
    publisher: isZesterError(publisher)
      ? null
      : {
          master_id: publisher.master,
          host: publisher.host,
          ...(publisher.since === undefined ? {} : { since: timeText(publisher.since) }),
        },
    sets: sets.map(({ set, published, revision, files, writtenMs, problem, report }) => ({
      set,
      published,
      revision: revision ?? null,
      files,
      ...(writtenMs === undefined ? {} : { published_at: timeText(nanosFromMs(writtenMs)) }),
      ...(problem === '' ? {} : { problem }),
      ...(report === undefined
        ? {}
        : { state: report.state, directory: report.directory, note: report.note }),
    })),
    peels: peels.map(({ id, state, beat, heartbeatAgeMs, sealedRevision }) => ({
      peel_id: id,
      state,
      ...(heartbeatAgeMs === undefined ? {} : { heartbeat_age_ms: Math.round(heartbeatAgeMs) }),
      ...(beat === undefined
        ? {}
        : {
            states_revision: beat.statesRevision,
            settings_revision: beat.settingsRevision,
            secrets_revision: beat.secretsRevision,
            problem: beat.filesProblem,
          }),
      ...(sealedRevision === undefined ? {} : { sealed_revision: sealedRevision }),
    })),
  };
}
