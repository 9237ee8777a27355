/**
 * A running set is one set with all that goes on about it on a master: its loop, the watches that hurry it, how it stands.
 * Trouble is logged when it begins and when it ends, and is in the standing until then.
 */
import { watchFileSet } from '../../bus/file-set/watch-file-set.ts';
import type { Watch } from '../../bus/port.ts';
import { explainError, isZesterError } from '../../core/errors/zester-error.ts';
import { spreadMsFor } from '../../core/files/fetch-spread.ts';
import { isTroubleState, type SetStateWord } from '../../core/files/set-state.ts';
import type { TreeWatch } from '../../system/watch-tree.ts';
import type { FileSetName, FileSetSpec } from '../../wire/records/file-set.ts';
import type { MasterContext } from '../master-context.ts';
import { setLoop } from './set-loop.ts';
import type { SetComparison, SetPublisher, SetTurn, TurnOptions } from './set-publisher.ts';
import { isUnpublishedName } from './source-tree.ts';

/** How one set stands on this master. */
export interface SetStanding {
  readonly set: FileSetName;
  /** Empty when this master has none for it. */
  readonly directory: string;
  readonly state: SetStateWord;
  readonly note: string;
  /** Of what is published: 0 when nothing is. */
  readonly revision: number;
  readonly files: number;
  readonly publishedMs: number;
  /** Files that the last turn wrote or removed. */
  readonly changed: number;
}

export interface RunningSetParts {
  readonly context: MasterContext;
  readonly name: FileSetName;
  /** Undefined: this master has none for it. */
  readonly directory: string | undefined;
  readonly publisher: SetPublisher;
  /** Whose revision tells that there is something new. */
  readonly watched: FileSetSpec;
  /** Many read it, and are told over how long to spread that. */
  readonly isForPeels: boolean;
  readonly isPublisher: () => boolean;
}

export interface RunningSet {
  readonly name: FileSetName;
  start(): void;
  standing(): SetStanding;
  /** For how long it has been in its state. */
  standingForMs(): number;
  wake(options: Partial<TurnOptions>): void;
  /** The turn that begins now. */
  request(options: TurnOptions): Promise<SetStanding>;
  compare(): Promise<SetComparison & Pick<SetStanding, 'set' | 'directory'>>;
  /** Resolves when the turn that is under way has ended. */
  stop(): Promise<void>;
}

const NO_TURN: SetTurn = {
  state: 'waiting',
  note: 'not looked at yet',
  changed: 0,
  published: undefined,
  local: undefined,
  isMoving: false,
};

export function runningSet(parts: RunningSetParts): RunningSet {
  const { context, name, publisher, isPublisher } = parts;
  const { bus, runtime, system, metrics, presence, secretBook } = context;
  const { clock, log } = runtime;
  const directory = parts.directory ?? '';
  const watches: (Watch | TreeWatch)[] = [];
  let before: SetTurn = NO_TURN;
  let sinceMs = clock.monotonicMs();
  let toldSpreadMs = 0;

  const loop = setLoop<SetTurn>({
    runtime,
    turn: async (options) => {
      const turn = await publisher.turn(options);
      if (parts.isForPeels) await tellSpread();
      return noted(turn);
    },
    failed: (error, last) => noted({ ...(last ?? NO_TURN), ...failure(error) }),
  });

  function noted(said: SetTurn): SetTurn {
    const turn = { ...said, note: secretBook.redact(said.note) };
    const { state, note } = turn;
    const isNews = before.state !== state || before.note !== note;
    if (isNews && isTroubleState(state))
      log.warn('a file set cannot be published', { set: name, state, note });
    if (isNews && isTroubleState(before.state) && !isTroubleState(state))
      log.info('a file set can be published again', { set: name, state });
    if (before.state !== state) sinceMs = clock.monotonicMs();
    if (state === 'published') metrics.filesPublished(name);
    before = turn;
    return turn;
  }

  /** When the fleet has grown or shrunk by much: the spread is a power of two. */
  async function tellSpread(): Promise<void> {
    const spreadMs = isPublisher() ? spreadMsFor(presence.online()) : 0;
    if (spreadMs > 0 && spreadMs !== toldSpreadMs) await publisher.writeSpread(spreadMs);
    toldSpreadMs = spreadMs;
  }

  function standingAfter({ state, note, changed, published }: SetTurn = NO_TURN): SetStanding {
    const { revision = 0, writtenMs: publishedMs = 0 } = published?.sight ?? {};
    const files = published?.files.length ?? 0;
    return { set: name, directory, state, note, changed, revision, files, publishedMs };
  }

  return {
    name,
    start() {
      loop.wake();
      const trouble = (error: Error) =>
        log.debug('a published set cannot be watched for the moment', { set: name, error });
      const changed = () => loop.wake();
      watches.push(watchFileSet(bus, parts.watched, { changed, spread: () => undefined, trouble }));
      if (directory === '') return;
      const limited = (why: string) =>
        log.warn('a source directory cannot be watched, and is looked at every second', { directory, why });
      const hints = { changed: () => loop.hint(), limited, skip: isUnpublishedName };
      watches.push(system.watchTree(directory, hints));
    },
    standing: () => standingAfter(loop.latest()),
    standingForMs: () => clock.monotonicMs() - sinceMs,
    wake: (options) => loop.wake(options),
    request: async (options) => standingAfter(await loop.request(options)),
    compare: async () => ({ set: name, directory, ...(await publisher.compare()) }),
    async stop() {
      for (const watch of watches.splice(0)) watch.stop();
      await loop.stop();
    },
  };
}

function failure(error: Error): Pick<SetTurn, 'state' | 'note' | 'changed'> {
  const note = isZesterError(error) ? explainError(error) : `this is a bug: ${error.message}`;
  return { state: 'failed', note, changed: 0 };
}
