/**
 * The fact watch keeps the facts of all peels in memory: what targets are resolved against, and for peels that never enrolled
 * the curve keys under which commands are proven; of the others the approved key counts, whatever their facts say. A peel
 * writes its own facts and nobody else's; a value that makes no sense is as good as none.
 *
 * Facts of a peel that is shut out do not count, and of one that is enrolled only those that name its approved key: others are of
 * the machine that had the id before it, or of one that took it. They are kept aside, one for each such peel: if it turns out that
 * they are of who was let in, they do count. `isSeeded` tells that everything there was at the start has been read: before that,
 * "no such peel" would be a guess.
 */
import { openTable, type TableRead } from '../../bus/kv/table.ts';
import type { Subscription, Watch } from '../../bus/port.ts';
import { FactIndex } from '../../core/target/fact-index.ts';
import { factTexts, hasWords } from '../../core/target/operator-words.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { FACT_KEYS } from '../../wire/records/facts.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { MasterContext, PeelNews } from '../master-context.ts';

export interface FactWatch {
  readonly index: FactIndex;
  /** Resolves when everything that was there has been read. */
  start(): Promise<void>;
  isSeeded(): boolean;
  curveKeyOf(peel: PeelId): string | undefined;
  stop(): void;
}

export function factWatch(
  context: Pick<MasterContext, 'bus' | 'runtime' | 'enrollments' | 'secretBook'>,
  { keyed, factsSeen, shutOutSeen, wordsChanged }: Omit<PeelNews, 'appeared'>,
): FactWatch {
  const { enrollments } = context;
  const { log } = context.runtime;
  const index = new FactIndex();
  /** What does not count. */
  const ignored = new Map<PeelId, WireMap>();
  /** Under which curve key a peel was last told of. */
  const toldKeys = new Map<PeelId, string>();
  let isSeeded = false;
  let watch: Watch | undefined;
  let news: Subscription | undefined;

  const curveKeyOf = (peel: PeelId): string | undefined => {
    if (enrollments.isShutOut(peel)) return undefined;
    const approved = enrollments.curveKeyOf(peel);
    if (approved !== undefined) return approved;
    const key = index.facts(peel)?.[FACT_KEYS.curvePublicKey];
    return typeof key === 'string' ? key : undefined;
  };

  function note(read: TableRead<PeelId, WireMap>): void {
    const { id: peel } = read;
    if (peel === undefined) return;
    ignored.delete(peel);
    if (read.is === 'found') {
      take(peel, read.value);
      return;
    }
    if (read.is === 'unreadable') log.warn('facts that cannot be read dropped', { peel });
    drop(peel);
  }

  function take(peel: PeelId, facts: WireMap): void {
    if (enrollments.isShutOut(peel)) {
      drop(peel);
      ignored.set(peel, facts);
      shutOutSeen(peel);
      return;
    }
    if (!isOfApproved(peel, facts)) {
      log.warn('facts of another key than the approved one ignored', { peel });
      ignored.set(peel, facts);
      const known = index.facts(peel);
      if (known !== undefined && !isOfApproved(peel, known)) drop(peel);
      return;
    }
    index.put(peel, facts);
    tellKey(peel);
    factsSeen(peel);
  }

  function isOfApproved(peel: PeelId, facts: WireMap): boolean {
    const approved = enrollments.curveKeyOf(peel);
    return approved === undefined || facts[FACT_KEYS.curvePublicKey] === approved;
  }

  function drop(peel: PeelId): void {
    index.remove(peel);
    toldKeys.delete(peel);
  }

  function tellKey(peel: PeelId): void {
    const key = curveKeyOf(peel);
    if (key === toldKeys.get(peel)) return;
    if (key === undefined) toldKeys.delete(peel);
    else toldKeys.set(peel, key);
    if (key !== undefined) keyed(peel);
  }

  /** They are not secret by name, but may be. */
  function noteWords(peel: PeelId): void {
    const words = enrollments.wordsOf(peel);
    const isNothing = !hasWords(words) && !hasWords(index.words(peel));
    if (isNothing) return;
    for (const [path, text] of factTexts(words)) context.secretBook.learn(path, text);
    index.putWords(peel, words);
    wordsChanged(peel);
  }

  /** Its enrollment has changed: what it says may count now, or not any more. */
  function enrollmentChanged(peel: PeelId): void {
    noteWords(peel);
    if (enrollments.isShutOut(peel)) {
      drop(peel);
      return;
    }
    const held = ignored.get(peel);
    const isGood = held !== undefined && isOfApproved(peel, held);
    if (isGood) ignored.delete(peel);
    const facts = isGood ? held : index.facts(peel);
    if (facts !== undefined) take(peel, facts);
  }

  function start(): Promise<void> {
    // They were read before: only what comes from now on is news.
    for (const peel of enrollments.view.peels()) noteWords(peel);
    news = enrollments.onNews(({ peel }) => enrollmentChanged(peel));
    return new Promise((resolve) => {
      watch = openTable(context.bus, TABLES.facts).watch({
        changed: note,
        replayed: () => {
          isSeeded = true;
          resolve();
        },
        trouble: (error) => log.warn('facts cannot be read for the moment', { error }),
      });
    });
  }

  return { index, start, isSeeded: () => isSeeded, curveKeyOf, stop };

  function stop(): void {
    watch?.stop();
    news?.unsubscribe();
  }
}
