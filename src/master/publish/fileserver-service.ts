/**
 * The fileserver service answers operators about files: publish now, how do things stand, what would be published. Every
 * master hears the questions and only the one that publishes answers, because the directories that count are its own.
 *
 * A question is answered within `ANSWER_MS`, also when its work is not done by then: that goes on, and the answer says so.
 * The same question twice does nothing twice. Bound: `QUESTIONS_MAX` in hand; beyond: MASTER_BUSY.
 */
import type { Message, SubjectSubscription } from '../../bus/port.ts';
import { isZesterError, zesterError } from '../../core/errors/zester-error.ts';
import { hasDifference, shownDifference, type TreeDifference } from '../../core/files/file-tree.ts';
import { differenceText } from '../../core/files/set-state.ts';
import { within } from '../../runtime/abortable-wait.ts';
import type { Codec } from '../../wire/msgpack/codec.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
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
import type { PublishService } from './publish-service.ts';
import type { SetStanding } from './running-set.ts';

/** Who asks waits a little longer. */
const ANSWER_MS = 30_000;
/** A look at the directories, for how they stand. */
const LOOK_MS = 3_000;
const QUESTIONS_MAX = 64;

export class FileserverService {
  private readonly context: MasterContext;
  private readonly publishing: PublishService;
  private readonly isPublisher: () => boolean;
  private readonly subscriptions: SubjectSubscription[] = [];
  private readonly answering = new Set<Promise<void>>();

  constructor(context: MasterContext, publishing: PublishService, isPublisher: () => boolean) {
    this.context = context;
    this.publishing = publishing;
    this.isPublisher = isPublisher;
  }

  async start(): Promise<void> {
    const { publishing } = this;
    await this.serve(FILESERVER_UPDATE_SUBJECT, filesUpdateRequestCodec, async ({ force }) => {
      const { clock } = this.context.runtime;
      const sets = await within(clock, ANSWER_MS, publishing.publishNow({ force }));
      return this.reply((sets ?? publishing.standings().map(unfinished)).map(reportOf));
    });
    await this.serve(FILESERVER_STATUS_SUBJECT, filesUpdateRequestCodec, async () => {
      const { clock } = this.context.runtime;
      // Where that cannot be told, how the last turn ended is.
      const look = publishing.differences('').catch(() => []);
      const differences = (await within(clock, LOOK_MS, look)) ?? [];
      const edits = new Map(differences.map(({ set, difference }) => [set, difference]));
      return this.reply(publishing.standings().map((standing) => reportOf(unlessEdited(standing, edits))));
    });
    await this.serve(FILESERVER_DIFF_SUBJECT, filesDiffRequestCodec, async ({ set }) => {
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
  async stop(): Promise<void> {
    await Promise.all(this.subscriptions.splice(0).map((subscription) => subscription.drain()));
    await Promise.all(this.answering);
  }

  private reply(sets: readonly FilesSetReport[]): Uint8Array {
    const { masterId: master, host } = this.context.identity;
    return filesReplyCodec.encode(
      filesReplyCodec.create({ master, host, since: this.publishing.publishingSince(), sets }),
    );
  }

  private async serve<Request>(
    subject: string,
    codec: Codec<Request>,
    work: (request: Request) => Promise<Uint8Array>,
  ): Promise<void> {
    const answer = async (message: Message): Promise<void> => {
      try {
        const request = decoded(codec, message.data);
        if (!request.isReadable)
          throw zesterError('MASTER_QUESTION_UNREADABLE', { problem: request.problem });
        this.send(message, await work(request.value));
      } catch (error) {
        this.refuse(message, error);
      }
    };
    const receive = (message: Message) => {
      if (!this.isPublisher()) return;
      const count = this.answering.size;
      if (count >= QUESTIONS_MAX) {
        this.refuse(message, zesterError('MASTER_BUSY', { count, what: 'questions' }));
        return;
      }
      const answered = answer(message).finally(() => this.answering.delete(answered));
      this.answering.add(answered);
    };
    this.subscriptions.push(await this.context.bus.subscribe(subject, receive));
  }

  /** Both kinds of answers have the fields of an error under the same keys. */
  private refuse(message: Message, error: unknown): void {
    const { runtime, identity } = this.context;
    if (!isZesterError(error)) runtime.log.error('a question about files failed', { error });
    const reply = filesReplyCodec.create({ master: identity.masterId, ...refusalOf(error) });
    this.send(message, filesReplyCodec.encode(reply));
  }

  private send(message: Message, data: Uint8Array): void {
    if (message.reply === undefined) return;
    try {
      this.context.bus.publish(message.reply, data);
    } catch (error) {
      this.context.runtime.log.debug('a question about files could not be answered', { error });
    }
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
