/**
 * The fileserver service answers operators about files: publish now, how do things stand, what would be published. Every
 * master hears the questions and only the one that publishes answers, because the directories that count are its own.
 *
 * A question is answered within `ANSWER_MS`, also when its work is not done by then: that goes on, and the answer says so.
 * The same question twice does nothing twice. Bounds: operator-questions.ts.
 */
import { zesterError } from '../../core/errors/zester-error.ts';
import { hasDifference, shownDifference, type TreeDifference } from '../../core/files/file-tree.ts';
import { differenceText } from '../../core/files/set-state.ts';
import { within } from '../../runtime/abortable-wait.ts';
import { nanosFromMs } from '../../wire/msgpack/time.ts';
import {
  FILESERVER_DIFF_SUBJECT,
  FILESERVER_STATUS_SUBJECT,
  FILESERVER_UPDATE_SUBJECT,
} from '../../wire/names/subjects.ts';
import {
  type FilesSetReport,
  filesDiffReplyCodec,
  filesDiffRequestCodec,
  filesReplyCodec,
  filesUpdateRequestCodec,
} from '../../wire/records/fileserver.ts';
import { refusalOf } from '../dispatch/dispatch-service.ts';
import type { MasterContext } from '../master-context.ts';
import { OperatorQuestions } from '../operator-questions.ts';
import type { PublishService } from './publish-service.ts';
import type { SetStanding } from './running-set.ts';

/** Who asks waits a little longer. */
const ANSWER_MS = 30_000;
/** A look at the directories, for how they stand. */
const LOOK_MS = 3_000;

export class FileserverService {
  private readonly context: MasterContext;
  private readonly publishing: PublishService;
  private readonly questions: OperatorQuestions;

  constructor(context: MasterContext, publishing: PublishService, isPublisher: () => boolean) {
    this.context = context;
    this.publishing = publishing;
    const { masterId: master } = context.identity;
    // Both kinds of answers have the fields of an error under the same keys.
    const refusal = (error: unknown) =>
      filesReplyCodec.encode(filesReplyCodec.create({ master, ...refusalOf(error) }));
    this.questions = new OperatorQuestions({ context, about: 'files', isPublisher, refusal });
  }

  async start(): Promise<void> {
    const { publishing, questions } = this;
    await questions.serve(FILESERVER_UPDATE_SUBJECT, filesUpdateRequestCodec, async ({ force }) => {
      const { clock } = this.context.runtime;
      const sets = await within(clock, ANSWER_MS, publishing.publishNow({ force }));
      return this.reply((sets ?? publishing.standings().map(unfinished)).map(reportOf));
    });
    await questions.serve(FILESERVER_STATUS_SUBJECT, filesUpdateRequestCodec, async () => {
      const { clock } = this.context.runtime;
      // Where that cannot be told, how the last turn ended is.
      const look = publishing.differences('').catch(() => []);
      const differences = (await within(clock, LOOK_MS, look)) ?? [];
      const edits = new Map(differences.map(({ set, difference }) => [set, difference]));
      return this.reply(publishing.standings().map((standing) => reportOf(unlessEdited(standing, edits))));
    });
    await questions.serve(FILESERVER_DIFF_SUBJECT, filesDiffRequestCodec, async ({ set }) => {
      const { clock, identity } = { ...this.context, ...this.context.runtime };
      const differences = await within(clock, ANSWER_MS, publishing.differences(set));
      if (differences === undefined) throw zesterError('MASTER_BUSY', { count: 1, what: 'publishes' });
      const { masterId: master, host } = identity;
      return filesDiffReplyCodec.encode(
        filesDiffReplyCodec.create({
          master,
          host,
          sets: differences.map(({ difference, ...place }) =>
            shownDifference(difference, { ...place, mirrored: 0 }),
          ),
        }),
      );
    });
  }

  /** Takes nothing more; resolves when everything that was taken is answered. */
  stop(): Promise<void> {
    return this.questions.stop();
  }

  private reply(sets: readonly FilesSetReport[]): Uint8Array {
    const { masterId: master, host } = this.context.identity;
    return filesReplyCodec.encode(
      filesReplyCodec.create({ master, host, since: this.publishing.publishingSince(), sets }),
    );
  }
}

/** The last turn found it in step, and it was edited since: that is about to be published. */
function unlessEdited(status: SetStanding, edits: ReadonlyMap<string, TreeDifference>): SetStanding {
  const edit = edits.get(status.set);
  const isInStep = ['unchanged', 'published', 'updated'].includes(status.state);
  if (!isInStep || edit === undefined || !hasDifference(edit)) return status;
  return {
    ...status,
    state: 'waiting',
    note: `edited just now, and about to be published: ${differenceText(edit)}`,
  };
}

function unfinished(status: SetStanding): SetStanding {
  const note = `not done within ${ANSWER_MS / 1_000} s; it goes on`;
  return { ...status, state: 'waiting', note: status.note === '' ? note : `${note}\n${status.note}` };
}

function reportOf({ publishedMs, ...status }: SetStanding): FilesSetReport {
  return { ...status, publishedAt: publishedMs === 0 ? undefined : nanosFromMs(publishedMs) };
}
