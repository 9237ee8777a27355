/**
 * `watchFileSet` tells when a file set may have another revision, and over how long its readers spread their fetching. It
 * watches two keys by hints and re-reading, as a peel may: never blind for longer than one resync, and a forged hint costs
 * one read. That something changed is all it says: the reader reads the head, and takes nothing for granted.
 */
import { decoded } from '../../wire/msgpack/decoded.ts';
import { REVISION_KEY, SPREAD_KEY } from '../../wire/names/keys.ts';
import { type FileSetSpec, spreadCodec } from '../../wire/records/file-set.ts';
import type { AgentBus, Watch } from '../port.ts';

export interface FileSetObserver {
  /** Once at the start, also where nothing is published, and after every write of the revision. */
  readonly changed: () => void;
  /** Not called where the publisher has not said anything that can be read. */
  readonly spread: (ms: number) => void;
  readonly trouble?: (error: Error) => void;
}

export function watchFileSet(
  bus: Pick<AgentBus, 'bucket'>,
  spec: Pick<FileSetSpec, 'bucket'>,
  { changed, spread, trouble }: FileSetObserver,
): Watch {
  return bus.bucket(spec.bucket.name).watchKeys([REVISION_KEY, SPREAD_KEY], {
    changed(read) {
      if (read.key === REVISION_KEY) changed();
      if (read.key !== SPREAD_KEY || !read.found) return;
      const ms = decoded(spreadCodec, read.value);
      if (ms.isReadable) spread(ms.value);
    },
    ...(trouble === undefined ? {} : { trouble }),
  });
}
