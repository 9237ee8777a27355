/**
 * Remembers cancels of jobs that this peel has not seen: a cancel may overtake its request, and then the request must
 * not run (decision 6). Every peel hears the cancels of all jobs, so most entries are of jobs that never come.
 *
 * In `peel-cancels.msgpack`, written before the next message is looked at; if we die before that, the cancel is lost as
 * if it had never come. Bound: the newest `CANCELS_MAX`. A cancel that comes again changes nothing.
 */
import { LruMap } from '../../core/lru-map.ts';
import { bareCodec, type Codec } from '../../wire/msgpack/codec.ts';
import { listOf } from '../../wire/msgpack/container-types.ts';
import { decoded } from '../../wire/msgpack/decoded.ts';
import { jid as jidType } from '../../wire/msgpack/field-types.ts';
import type { Jid } from '../../wire/names/ids.ts';
import { cancelsPath } from '../data-dir.ts';
import type { PeelContext } from '../peel-context.ts';

const CANCELS_MAX = 1_024;

const cancelsCodec: Codec<readonly Jid[]> = bareCodec(
  'RememberedCancels',
  'Jobs that were cancelled before they came, oldest first.',
  listOf(jidType, CANCELS_MAX),
);

type CancelsContext = Pick<PeelContext, 'system' | 'dataDir' | 'runtime'>;

export async function openRememberedCancels(context: CancelsContext): Promise<RememberedCancels> {
  const path = cancelsPath(context.dataDir);
  const bytes = await context.system.files.read(path);
  if (bytes === undefined) return new RememberedCancels(context, []);
  const cancels = decoded(cancelsCodec, bytes);
  if (cancels.isReadable) return new RememberedCancels(context, cancels.value);
  const { problem } = cancels;
  context.runtime.log.error('the file of remembered cancels is damaged; they are lost', { path, problem });
  return new RememberedCancels(context, []);
}

export class RememberedCancels {
  private readonly context: CancelsContext;
  private readonly jids = new LruMap<Jid, true>(CANCELS_MAX);

  constructor(context: CancelsContext, jids: readonly Jid[]) {
    this.context = context;
    for (const jid of jids) this.jids.set(jid, true);
  }

  has(jid: Jid): boolean {
    return this.jids.has(jid);
  }

  /** If it cannot be written it still holds for this life. */
  async add(jid: Jid): Promise<void> {
    if (this.jids.has(jid)) return;
    this.jids.set(jid, true);
    const { system, dataDir, runtime } = this.context;
    try {
      await system.files.writeAtomic(cancelsPath(dataDir), cancelsCodec.encode([...this.jids.keys()]));
    } catch (error) {
      runtime.log.warn('cannot store a cancel', { jid, error });
    }
  }
}
