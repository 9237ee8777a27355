/** `zester files publish` has the publisher look at its directories now, and prints what came of it. */

import { publishFiles } from '../../client/files/ask-publisher.ts';
import { isUnpublished } from '../../core/files/set-state.ts';
import { timeText } from '../../core/time-text.ts';
import type { FilesReply, FilesSetReport } from '../../wire/records/fileserver.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { withClient } from '../connect/with-client.ts';
import type { Command, OptionSpec } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { table } from '../terminal/table.ts';
import { notesText, publisherText } from './set-text.ts';

const FORCE: OptionSpec = {
  name: 'force',
  doc: 'write every file again, and settle a conflict: the directories of the publisher win',
};

export const filesPublishCommand: Command = {
  words: ['files', 'publish'],
  summary: 'publish the files of the publisher’s directories now',
  examples: ['zester files publish', 'zester files publish --force'],
  detail: [
    'A master publishes by itself within about a second of an edit; this says what came of it. What is published already is',
    'not written again. An empty directory never takes away what is published, with --force neither.',
    'Exit codes: 0 everything is published, 1 nobody publishes, 2 a set is not published, and a note says why.',
  ].join('\n'),
  options: [FORCE, DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    withClient(context, given, async (client, waitFor) => {
      const wait = {
        what: 'the publisher',
        ifLeft: 'it may go on publishing',
        next: `${context.program} files status`,
      };
      const reply = await waitFor(wait, publishFiles(client, { force: given.on('force') }));
      const format = formatOf(given);
      context.out(format === 'text' ? replyText(reply) : await formatData(replyRecord(reply), format));
      return reply.sets.some(isUnpublished) ? 2 : 0;
    }),
};

const HEAD = ['SET', 'REVISION', 'FILES', 'CHANGED', 'STATE', 'DIRECTORY'];

export function replyText(reply: FilesReply): string {
  return `${publisherText(reply)}${table(HEAD, reply.sets.map(row))}${notesText(reply.sets)}`;
}

function row({ set, revision, files, changed, state, directory }: FilesSetReport): readonly string[] {
  return [
    set,
    revision === 0 ? '-' : String(revision),
    String(files),
    String(changed),
    state || '-',
    directory || '-',
  ];
}

function replyRecord({ master, host, sets }: FilesReply): object {
  return {
    master_id: master,
    host,
    sets: sets.map(({ set, revision, files, changed, state, note, directory, publishedAt }) => ({
      set,
      revision,
      files,
      changed,
      state,
      note,
      directory,
      ...(publishedAt === undefined ? {} : { published_at: timeText(publishedAt) }),
    })),
  };
}
