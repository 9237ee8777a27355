/**
 * Cancels of jobs that this peel has not seen: a cancel may overtake its request, and then the request must not run
 * (decision 6). Every peel hears the cancels of all jobs, so most entries are of jobs that never come.
 *
 * In `peel-cancels.msgpack`, written before the next message is looked at; if we die before that, the cancel is lost as
 * if it had never come. Bound: the newest `CANCELS_MAX`. A cancel that comes again changes nothing.
 */

import type { Log } from '../../runtime/log.ts';
import type { Files } from '../../system/files.ts';
import { bareCodec, type Codec } from '../../wire/msgpack/codec.ts';
import { listOf } from '../../wire/msgpack/container-types.ts';
import { jid as jidType } from '../../wire/msgpack/field-types.ts';
import { WireError } from '../../wire/msgpack/wire-error.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { cancelsPath } from '../data-dir.ts';

export const CANCELS_MAX = 1_024;

const cancelsCodec: Codec<readonly Jid[]> = bareCodec(
  'RememberedCancels',
  'Jobs that were cancelled before they came, oldest first.',
  listOf(jidType, CANCELS_MAX),
);

interface CancelsPlace {
  readonly files: Files;
  readonly dataDir: string;
  readonly log: Log;
}

export async function openRememberedCancels(place: CancelsPlace): Promise<RememberedCancels> {
  const path = cancelsPath(place.dataDir);
  const bytes = await place.files.read(path);
  try {
    return new RememberedCancels(place, bytes === undefined ? [] : cancelsCodec.decode(bytes));
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    place.log.error('the file of remembered cancels is damaged; they are lost', { path, error });
    return new RememberedCancels(place, []);
  }
}

export class RememberedCancels {
  private readonly place: CancelsPlace;
  private readonly jids: Set<Jid>;

  constructor(place: CancelsPlace, jids: readonly Jid[]) {
    this.place = place;
    this.jids = new Set(jids);
  }

  has(jid: Jid): boolean {
    return this.jids.has(jid);
  }

  /** If it cannot be written it still holds for this life. */
  async add(jid: Jid): Promise<void> {
    if (this.jids.has(jid)) return;
    this.jids.add(jid);
    for (const oldest of this.jids) {
      if (this.jids.size <= CANCELS_MAX) break;
      this.jids.delete(oldest);
    }
    const { files, dataDir, log } = this.place;
    try {
      await files.writeAtomic(cancelsPath(dataDir), cancelsCodec.encode([...this.jids]));
    } catch (error) {
      log.warn('cannot store a cancel', { jid, error });
    }
  }
}
