/**
 * The fact watch keeps the facts of all peels in memory: what targets are resolved against, and where the curve keys
 * come from under which commands are proven (until enrollment keeps them). A peel writes its own facts and nobody
 * else's; a value that makes no sense is as good as none. `isSeeded` tells that everything there was at the start has
 * been read: before that, "no such peel" would be a guess.
 */
import { openTable, type TableRead } from '../../bus/kv/table.ts';
import type { Watch } from '../../bus/port.ts';
import { FactIndex } from '../../core/target/fact-index.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { PeelId } from '../../wire/names/ids.ts';
import { FACT_KEYS } from '../../wire/records/facts.ts';
import { TABLES } from '../../wire/records/tables.ts';
import type { MasterContext } from '../master-context.ts';

export interface FactWatch {
  readonly index: FactIndex;
  /** Resolves when everything that was there has been read. */
  start(): Promise<void>;
  isSeeded(): boolean;
  curveKeyOf(peel: PeelId): string | undefined;
  stop(): void;
}

/** `keyed`: a peel has a curve key that it did not have before. */
export function factWatch(
  context: Pick<MasterContext, 'bus' | 'runtime'>,
  keyed: (peel: PeelId) => void,
): FactWatch {
  const { log } = context.runtime;
  const index = new FactIndex();
  let isSeeded = false;
  let watch: Watch | undefined;

  const curveKeyOf = (peel: PeelId): string | undefined => {
    const key = index.facts(peel)?.[FACT_KEYS.curvePublicKey];
    return typeof key === 'string' ? key : undefined;
  };

  function note(read: TableRead<PeelId, WireMap>): void {
    const { id: peel } = read;
    if (peel === undefined) return;
    if (read.is !== 'found') {
      if (read.is === 'unreadable') log.warn('facts that cannot be read dropped', { peel });
      index.remove(peel);
      return;
    }
    const before = curveKeyOf(peel);
    index.put(peel, read.value);
    const now = curveKeyOf(peel);
    if (now !== undefined && now !== before) keyed(peel);
  }

  function start(): Promise<void> {
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

  return { index, start, isSeeded: () => isSeeded, curveKeyOf, stop: () => watch?.stop() };
}
