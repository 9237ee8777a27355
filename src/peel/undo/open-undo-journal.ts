/** The undo journal (undo-journal.ts) of one data directory. It is read when it is first needed. */
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { FileStep } from '../../system/file-steps.ts';
import type { Files } from '../../system/files.ts';
import { plannedFiles } from '../../system/planned-files.ts';
import type { UndoKey } from '../../trust/undo-key.ts';
import { capture } from './capture.ts';
import { actsOf, changesOf, type Deed, hasOverflowed, type Owner } from './entries.ts';
import { JournalStore } from './journal-store.ts';
import { undoChanges } from './revert-entry.ts';
import { UNDO_BOUNDS, type UndoBounds } from './undo-bounds.ts';
import type { RevertOptions, RevertOutcome, UndoJournal, UndoRecord } from './undo-journal.ts';

export interface UndoJournalParts {
  readonly files: Files;
  /** Of this peel; the journal is in `undo/` below it. */
  readonly dataDir: string;
  readonly key: UndoKey;
  readonly clock: Clock;
  readonly random: Random;
  readonly bounds?: UndoBounds;
}

const EVENT_ID_BYTES = 9;

type Parts = UndoJournalParts & { readonly bounds: UndoBounds };

export function openUndoJournal(given: UndoJournalParts): UndoJournal {
  const parts: Parts = { bounds: UNDO_BOUNDS, ...given };
  let loading: Promise<JournalStore> | undefined;
  /** What failed once, for want of file handles say, is tried again by the next caller. */
  const store = (): Promise<JournalStore> => {
    loading ??= JournalStore.load({ ...parts, directory: `${parts.dataDir}/undo` }).catch(
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  return {
    open: (state, run) => new OpenRecord(parts, store, { state, ...run }),
    latestRun: async (states) => (await store()).latestOf(states)?.of,
    revert: async (state, options) => revert(parts, await store(), state, options),
  };
}

/** What one state does in one run. Its steps come one after another. */
class OpenRecord implements UndoRecord {
  private readonly parts: Parts;
  private readonly store: () => Promise<JournalStore>;
  private readonly of: Owner;
  private deeds = 0;
  private bytes = 0;
  private overflowed = false;

  constructor(parts: Parts, store: () => Promise<JournalStore>, of: Owner) {
    this.parts = parts;
    this.store = store;
    this.of = of;
  }

  async before(step: FileStep): Promise<void> {
    if (step.kind === 'touch') return this.cannotUndo(`${step.path}: the time was set`);
    const store = await this.store();
    const entry = store.entry(this.of);
    // It was forgotten for want of room while we were at it: the rest alone would be half an undo.
    if (this.overflowed || (this.deeds > 0 && entry === undefined)) return this.overflow(store);
    const { files, key, bounds } = this.parts;
    const captured = await capture(step, {
      files,
      nameOf: key.nameOf,
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
    if (!this.overflowed) await this.write(store, { do: 'overflow' });
    this.overflowed = true;
  }

  private async write(
    store: JournalStore,
    deed: Deed,
    contents?: ReadonlyMap<string, Uint8Array>,
  ): Promise<void> {
    const id = Buffer.from(this.parts.random.bytes(EVENT_ID_BYTES)).toString('base64url');
    await store.commit([{ of: this.of, id, deed }], contents);
    this.deeds += 1;
  }
}

const NOTHING: RevertOutcome = { changed: false, diff: '', kept: [], error: undefined };

async function revert(
  { files, key, clock }: Parts,
  store: JournalStore,
  state: string,
  { dryRun, view, jid: run }: RevertOptions,
): Promise<RevertOutcome> {
  const entry = store.latest(state, run);
  if (entry === undefined) {
    const what = run === undefined ? 'no change of this state is on record' : `job ${run} did not change it`;
    return { ...NOTHING, diff: `nothing to revert: ${what}` };
  }
  const { jid } = entry.of;
  const acts = actsOf(entry);
  if (hasOverflowed(entry))
    return { ...NOTHING, kept: acts, error: `what job ${jid} changed was too large to keep` };
  const ground = dryRun ? { view: view ?? plannedFiles({ base: files, clock }) } : { files };
  const undone = await undoChanges(changesOf(entry), {
    nameOf: key.nameOf,
    content: (name) => store.content(name),
    nowMs: clock.nowMs(),
    ground,
  });
  const { lines, error } = undone;
  // A directory that others use stays, and is told once: the next revert goes on to the run before.
  const finished = error === undefined;
  if (finished && !dryRun) await store.commit([{ of: entry.of, reverted: true }]);
  const nothing = finished && lines.length === 0 && acts.length === 0;
  return {
    changed: lines.length > 0,
    diff: nothing ? `already as it was before job ${jid}` : lines.join('\n'),
    kept: [...undone.kept, ...acts],
    error,
  };
}
