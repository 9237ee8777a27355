/**
 * The journal store is the undo journal on disk: `records/` says what was done, `packs/` holds old contents, each once,
 * named by their keyed hash inside the sealed file. Both are written once and never changed.
 *
 * Many callers, one write: whoever comes while a group is being written waits for the next group, so that a thousand
 * states cost a few syncs. First the pack, then the records that name it: a record on disk has its contents on disk. If
 * the peel dies between them, a pack is left that nobody names; the next start takes it away once it is an hour old.
 *
 * Records are read whole at the start. When there are many files, or the journal is over its bounds, what is still
 * needed is written anew as one file and then the old ones are removed, oldest first; if the peel dies in between, its
 * next life finds both, and begins with the last such file. Packs that nobody names any more go last.
 */

import { zesterError } from '../../core/errors/zester-error.ts';
import type { Clock } from '../../runtime/clock.ts';
import { ContentIndex, type StoredContent } from './content-index.ts';
import { contentNamesIn, Entries, type Entry, type EventOwner, type Run, type UndoEvent } from './entries.ts';
import { SealedFolder, type SealedFolderParts } from './sealed-folder.ts';
import { KEEP_FRACTION, ORPHAN_MS, PACK_BYTES_MAX, type UndoBounds } from './undo-bounds.ts';

export interface StoreParts extends Omit<SealedFolderParts, 'folder'> {
  readonly clock: Clock;
  readonly bounds: UndoBounds;
}

interface RecordFile {
  readonly v: 1;
  /** All there is: what files before this one say is said here again, or was forgotten. */
  readonly whole?: true;
  readonly events: readonly UndoEvent[];
  readonly stored: readonly StoredContent[];
}

interface Waiting {
  readonly events: readonly UndoEvent[];
  readonly contents: ReadonlyMap<string, Uint8Array>;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

interface Unreadable {
  readonly name: string;
  readonly problem: 'other key' | 'damaged';
}

export class JournalStore {
  private readonly parts: StoreParts;
  private readonly records: SealedFolder;
  private readonly packs: SealedFolder;
  private entries = new Entries();
  private contents = new ContentIndex();
  /** Packs that nobody needs: to be removed once the records on disk say so too. */
  private unneededPacks: string[] = [];
  private recordFiles: string[] = [];
  private unreadable: Unreadable[] = [];
  private queue: Waiting[] = [];
  private writing = false;

  private constructor(parts: StoreParts) {
    this.parts = parts;
    this.records = new SealedFolder({ ...parts, folder: 'records' });
    this.packs = new SealedFolder({ ...parts, folder: 'packs' });
  }

  static async load(parts: StoreParts): Promise<JournalStore> {
    const store = new JournalStore(parts);
    for (const name of await store.records.prepare()) await store.readRecords(name);
    for (const name of await store.packs.prepare())
      if (!store.contents.hasPack(name)) await store.removeOrphan(name);
    store.release(store.contents.names().filter((name) => !store.entries.needs(name)));
    return store;
  }

  entry(of: Pick<EventOwner, 'jid' | 'state'>): Entry | undefined {
    return this.entries.get(of);
  }

  /** The name of a content, by the journal's key. */
  readonly nameOf = (bytes: Uint8Array): string => this.parts.key.nameOf(bytes);

  /** Oldest first. Throws when anything cannot be read. */
  runs(): readonly Run[] {
    this.refuseHidden('');
    return this.entries.runs();
  }

  /** Throws when what came after it, or all there is, cannot be read: it may be of this run. */
  run(jid: string): Run | undefined {
    return this.trusted(this.entries.run(jid));
  }

  lastRun(): Run | undefined {
    return this.trusted(this.entries.runs().at(-1));
  }

  forgottenUntilMs(): number | undefined {
    return this.entries.forgottenUntilMs;
  }

  private trusted(run: Run | undefined): Run | undefined {
    this.refuseHidden(run?.since ?? '');
    return run;
  }

  private refuseHidden(since: string): void {
    const hidden = this.unreadable.find(({ name }) => name > since);
    if (hidden !== undefined) throw unreadable(this.records.path(hidden.name), hidden.problem);
  }

  /** An old content; undefined when the journal has lost it. Throws when it is not what was kept. */
  async content(name: string): Promise<Uint8Array | undefined> {
    const place = this.contents.get(name);
    const opened = place && (await this.packs.read(place.pack));
    if (place === undefined || opened === undefined) return undefined;
    const path = this.packs.path(place.pack);
    if ('problem' in opened) throw unreadable(path, opened.problem);
    const bytes = opened.plain.subarray(place.offset, place.offset + place.bytes);
    if (this.parts.key.nameOf(bytes) !== name) throw unreadable(path, 'damaged');
    return bytes;
  }

  /** Durable when it returns. When it throws, what was to be written may be there or not. */
  commit(events: readonly UndoEvent[], contents: ReadonlyMap<string, Uint8Array> = new Map()): Promise<void> {
    return new Promise((done, failed) => {
      this.queue.push({ events, contents, done, failed });
      if (!this.writing) void this.writeQueue();
    });
  }

  private async writeQueue(): Promise<void> {
    this.writing = true;
    while (this.queue.length > 0) {
      const group = this.nextGroup();
      try {
        await this.writeGroup(group);
        for (const { done } of group) done();
        await this.tidy();
      } catch (error) {
        // Whoever has been told "done" does not hear it; tidying is tried again after the next group.
        for (const { failed } of group) failed(error);
      }
    }
    this.writing = false;
  }

  private nextGroup(): Waiting[] {
    let bytes = 0;
    const over = this.queue.findIndex(({ contents }) => {
      for (const content of contents.values()) bytes += content.length;
      return bytes > PACK_BYTES_MAX;
    });
    return this.queue.splice(0, over === -1 ? this.queue.length : Math.max(1, over));
  }

  private async writeGroup(group: readonly Waiting[]): Promise<void> {
    const events = group.flatMap((each) => each.events);
    await this.keepContents(group.flatMap((each) => [...each.contents]));
    await this.writeRecords(events);
  }

  private async keepContents(contents: readonly (readonly [string, Uint8Array])[]): Promise<void> {
    const missing = new Map(contents.filter(([name]) => this.contents.get(name) === undefined));
    if (missing.size === 0) return;
    const pack = await this.packs.write(Buffer.concat([...missing.values()]));
    let offset = 0;
    for (const [name, { length: bytes }] of missing) {
      this.contents.add({ name, pack, offset, bytes });
      offset += bytes;
    }
  }

  private async writeRecords(events: readonly UndoEvent[], isWhole = false): Promise<void> {
    const names = new Set(events.flatMap((event) => ('deed' in event ? contentNamesIn(event.deed) : [])));
    const stored = [...names].flatMap((name) => this.contents.get(name) ?? []);
    const file: RecordFile = { v: 1, ...(isWhole ? { whole: true } : {}), events, stored };
    // JSON, because a path may hold lone surrogates (files.ts), which it writes as escapes.
    const name = await this.records.write(Buffer.from(JSON.stringify(file)));
    this.recordFiles.push(name);
    for (const event of events) this.entries.add(event, name);
  }

  private async readRecords(name: string): Promise<void> {
    const opened = await this.records.read(name);
    if (opened === undefined) return;
    if ('problem' in opened) {
      this.unreadable.push({ name, problem: opened.problem });
      return;
    }
    // The seal proves that we wrote it ourselves.
    const file = JSON.parse(Buffer.from(opened.plain).toString()) as RecordFile;
    this.recordFiles.push(name);
    if (file.whole === true) {
      this.entries = new Entries();
      this.contents = new ContentIndex();
    }
    for (const place of file.stored) this.contents.add(place);
    for (const event of file.events) this.entries.add(event, name);
  }

  private async tidy(): Promise<void> {
    this.release(this.entries.takeUnneeded());
    const dropped = this.forgetOldest();
    if (dropped || this.recordFiles.length > this.parts.bounds.recordFilesMax) await this.writeAnew();
    for (let pack = this.unneededPacks.pop(); pack !== undefined; pack = this.unneededPacks.pop())
      await this.packs.remove(pack);
  }

  private release(names: readonly string[]): void {
    this.unneededPacks.push(...this.contents.release(names));
  }

  private forgetOldest(): boolean {
    const { journalChangesMax, journalBytesMax } = this.parts.bounds;
    const over = (fraction: number) =>
      this.entries.changeCount > journalChangesMax * fraction ||
      this.contents.bytes > journalBytesMax * fraction;
    if (!over(1)) return false;
    while (over(KEEP_FRACTION) && this.entries.forgetSome()) this.release(this.entries.takeUnneeded());
    return true;
  }

  private async writeAnew(): Promise<void> {
    const old = [...this.recordFiles, ...this.otherKeys()].sort();
    const events = this.entries.events();
    await this.writeRecords(events, true);
    for (const name of old) {
      await this.records.remove(name);
      this.recordFiles = this.recordFiles.filter((each) => each !== name);
      this.unreadable = this.unreadable.filter((each) => each.name !== name);
    }
  }

  /** Records of a key that this journal no longer has: nobody will ever read them. */
  private otherKeys(): string[] {
    return this.unreadable.flatMap(({ name, problem }) => (problem === 'other key' ? [name] : []));
  }

  /** Another process may have written it a moment ago and be about to write its record. */
  private async removeOrphan(name: string): Promise<void> {
    const writtenAtMs = await this.packs.writtenAtMs(name);
    if (writtenAtMs !== undefined && this.parts.clock.nowMs() - writtenAtMs > ORPHAN_MS)
      await this.packs.remove(name);
  }
}

function unreadable(path: string, problem: Unreadable['problem']) {
  const reason = problem === 'damaged' ? 'it is damaged or was changed' : 'it was written under another key';
  return zesterError('UNDO_UNREADABLE', { path, reason });
}
