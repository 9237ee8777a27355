/** `publishTree` publishes texts as a file set, with the publisher of the product. */
import type { PublishOutcome } from '../../../src/bus/file-set/file-set.ts';
import { filePublisher } from '../../../src/bus/file-set/publish-file-set.ts';
import type { Bus } from '../../../src/bus/port.ts';
import type { Log } from '../../../src/runtime/log.ts';
import type { FileSetSpec } from '../../../src/wire/records/file-set.ts';
import { hashOfText, type PublishedTexts } from './mirror-disk.ts';

export function publishTree(
  bus: Bus,
  spec: FileSetSpec,
  texts: PublishedTexts,
  options: { readonly force?: boolean } = {},
): Promise<PublishOutcome> {
  const files = Object.entries(texts).map(([path, text]) => ({
    path,
    sha256: hashOfText(text),
    size: Buffer.byteLength(text),
    read: async () => Buffer.from(text),
  }));
  return filePublisher(bus, spec, { log: silent }).publish(files, { force: false, ...options });
}

const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, with: () => silent };
