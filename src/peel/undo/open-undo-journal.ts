/**
 * Opens the undo journal (undo-journal.ts) of one data directory. It is read when it is first needed; a question to a
 * journal that nobody has written into yet finds it empty and leaves nothing behind.
 */
import { assert } from '../../core/assert.ts';
import type { RunOnRecord } from '../../core/states/revert-choice.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { FileStep } from '../../system/file-steps.ts';
import type { Files } from '../../system/files.ts';
import { underLocks } from '../../system/path-lock.ts';
import type { UndoKey } from '../../trust/undo-key.ts';
import { capture } from './capture.ts';
import {
  actsOf,
  changesOf,
  type Deed,
  type Entry,
  type EventOwner,
  hasOverflowed,
  type Reverted,
  type Run,
} from './entries.ts';
import { JournalStore } from './journal-store.ts';
import { undoChanges } from './revert-entry.ts';
import { UNDO_BOUNDS, type UndoBounds } from './undo-bounds.ts';
import type {
  Foundations,
  RevertOptions,
  RevertOutcome,
  UndoJournal,
  UndoRecord,
  UndoRun,
} from './undo-journal.ts';

export interface UndoJournalParts {
  readonly files: Files;
  /** Of this peel; the journal is in `undo/` below it. */
  readonly dataDir: string;
  /** Called once, before anything is read or written. */
  readonly key: () => Promise<UndoKey>;
  readonly clock: Clock;
  readonly random: Random;
  readonly bounds?: UndoBounds;
}

const EVENT_ID_BYTES = 9;

type Parts = UndoJournalParts & { readonly bounds: UndoBounds };

export function openUndoJournal(given: UndoJournalParts): UndoJournal {
  const parts: Parts = { bounds: UNDO_BOUNDS, ...given };
  const directory = `${parts.dataDir}/undo`;
  let loading: Promise<JournalStore> | undefined;
  /** What failed once, for want of file handles say, is tried again by the next caller. */
  const store = (): Promise<JournalStore> => {
    loading ??= load(parts, directory).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const stored = async (): Promise<JournalStore | undefined> =>
    loading === undefined && (await parts.files.lstat(directory)) === undefined ? undefined : store();
  return {
    open: (state, run, foundations) => new OpenRecord(parts, store, { state, ...run }, foundations),
    runs: async () => ((await stored())?.runs() ?? []).map(onRecord),
    lastRun: async () => maybeOnRecord((await stored())?.lastRun()),
    run: async (jid) => maybeOnRecord((await stored())?.run(jid)),
    forgottenUntilMs: async () => (await stored())?.forgottenUntilMs(),
    revert: async (of, options) => {
      const journal = await store();
      const entry = journal.entry(of);
      assert(entry !== undefined, `${of.state} is on record`);
      return revert(parts, journal, entry, options);
    },
  };
}

async function load(parts: Parts, directory: string): Promise<JournalStore> {
  return JournalStore.load({ ...parts, key: await parts.key(), directory });
}

/** What one state does in one run. Its steps come one after another. */
class OpenRecord implements UndoRecord {
  private readonly parts: Parts;
  private readonly store: () => Promise<JournalStore>;
  private readonly of: EventOwner;
  private readonly foundations: () => Foundations;
  private deeds = 0;
  private bytes = 0;

  constructor(
    parts: Parts,
    store: () => Promise<JournalStore>,
    of: EventOwner,
    foundations: () => Foundations,
  ) {
    this.parts = parts;
    this.store = store;
    this.of = of;
    this.foundations = foundations;
  }

  async before(step: FileStep): Promise<void> {
    if (step.kind === 'touch') return this.cannotUndo(`${step.path}: the time was set`);
    const store = await this.store();
    const entry = store.entry(this.of);
    // It was forgotten for want of room while we were at it: the rest alone would be half an undo.
    const isForgotten = entry === undefined ? this.deeds > 0 : hasOverflowed(entry);
    if (isForgotten) return this.overflow(store);
    const { files, bounds } = this.parts;
    const captured = await capture(step, {
      files,
      nameOf: store.nameOf,
      oldFileBytesMax: bounds.oldFileBytesMax,
      changesMax: bounds.entryChangesMax - (entry?.changeCount ?? 0),
      bytesMax: bounds.entryBytesMax - this.bytes,
    });
    if (captured === undefined) return this.overflow(store);
    const { changes, contents } = captured;
    if (changes.length === 0) return;
    for (const content of contents.values()) this.bytes += content.length;
    await this.write(store, { do: 'changes', changes }, contents);
  }

  async cannotUndo(what: string): Promise<void> {
    await this.write(await this.store(), { do: 'act', what });
  }

  private async overflow(store: JournalStore): Promise<void> {
    const entry = store.entry(this.of);
    if (entry === undefined || !hasOverflowed(entry)) await this.write(store, { do: 'overflow' });
  }

  private async write(
    store: JournalStore,
    deed: Deed,
    contents?: ReadonlyMap<string, Uint8Array>,
  ): Promise<void> {
    const id = Buffer.from(this.parts.random.bytes(EVENT_ID_BYTES)).toString('base64url');
    const { of } = this;
    const foundations = this.deeds > 0 ? [] : this.foundations();
    const links = foundations.length === 0 ? [] : [{ run: runOf(of), foundations }];
    await store.commit([...links, { of, id, deed }], contents);
    this.deeds += 1;
  }
}

const NOTHING = { changed: false, diff: '', kept: [], error: undefined };

async function revert(
  { files, clock }: Parts,
  store: JournalStore,
  entry: Entry,
  { by, isLastTry, view }: RevertOptions,
): Promise<RevertOutcome> {
  const { jid } = entry.of;
  const { reverted } = entry;
  if (reverted !== undefined)
    return { ...NOTHING, end: 'was reverted', diff: wasReverted(reverted), kept: reverted.kept };
  const acts = actsOf(entry);
  if (hasOverflowed(entry)) return { ...NOTHING, end: 'left', kept: acts, error: tooLarge(jid) };
  const changes = changesOf(entry);
  const paths = changes.map(({ path }) => path);
  // A dry run is alone with its view; a real one may meet a run that was left behind (execution.ts).
  const undone = await underLocks(view === undefined ? paths : [], files.lock, () =>
    undoChanges(changes, {
      nameOf: store.nameOf,
      content: (name) => store.content(name),
      nowMs: clock.nowMs(),
      ground: view === undefined ? { files } : { view },
    }),
  );
  const { lines, error } = undone;
  const kept = [...undone.kept, ...acts];
  // A directory that others use may be empty once their states are undone too.
  const isFinished = error === undefined && (isLastTry || undone.kept.length === 0);
  if (isFinished && view === undefined)
    await store.commit([{ of: entry.of, reverted: { by, atMs: clock.nowMs(), kept } }]);
  const isNothing = error === undefined && lines.length === 0 && kept.length === 0;
  return {
    end: isFinished ? 'reverted' : 'left',
    changed: lines.length > 0,
    diff: isNothing ? `already as it was before job ${jid}` : lines.join('\n'),
    kept,
    error,
  };
}

function wasReverted({ by, kept }: Reverted): string {
  return `already reverted by job ${by}${kept.length === 0 ? '' : ', except what could not be undone'}`;
}

function tooLarge(jid: string): string {
  return `what job ${jid} changed was too large to keep`;
}

function runOf({ jid, atMs }: EventOwner): UndoRun {
  return { jid, atMs };
}

function maybeOnRecord(run: Run | undefined): RunOnRecord | undefined {
  return run && onRecord(run);
}

function onRecord({ of, entries, foundations }: Run): RunOnRecord {
  const states = [...entries].map(([name, entry]) => ({
    name,
    isUndoable: entry.reverted === undefined && !hasOverflowed(entry) && changesOf(entry).length > 0,
    reverted: entry.reverted,
    kept: entry.reverted?.kept ?? [...(hasOverflowed(entry) ? [tooLarge(of.jid)] : []), ...actsOf(entry)],
  }));
  return { ...of, states, foundations };
}
