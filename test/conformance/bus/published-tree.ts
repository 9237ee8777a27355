/** This file makes trees to publish and reads published ones as a mirror would: all of it, or what is wrong. */
import type { FetchedFile, FileSetSeal, FileToPublish } from '../../../src/bus/file-set/file-set.ts';
import { PLAIN_FILES } from '../../../src/bus/file-set/plain-files.ts';
import { fetchFile, readFileSetHead } from '../../../src/bus/file-set/read-file-set.ts';
import type { AgentBus, Bus } from '../../../src/bus/port.ts';
import { OBJECT_STORES } from '../../../src/wire/names/streams.ts';
import { FILE_SETS, type FileSetSpec } from '../../../src/wire/records/file-set.ts';
import { bytes } from './fixture.ts';

export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** A content that is an object and more than one chunk of it. */
export const LARGE_BYTES = 530_000;
export const large = (fill: number): Uint8Array => new Uint8Array(LARGE_BYTES).fill(fill);

export function filesOf(tree: Tree, seal: FileSetSeal = PLAIN_FILES): FileToPublish[] {
  return Object.entries(tree).map(([path, content]) => {
    const data = typeof content === 'string' ? bytes(content) : content;
    return { path, sha256: seal.digest(data), size: data.length, read: async () => data };
  });
}

export type ReadTree =
  | { readonly is: 'empty' }
  | { readonly is: 'torn'; readonly problem: string }
  | { readonly is: 'whole'; readonly revision: number; readonly tree: Record<string, string> };

/** Contents as text, long ones as what they are filled with. */
export async function readTree(
  bus: AgentBus,
  spec: FileSetSpec = FILE_SETS.states,
  seal?: FileSetSeal,
): Promise<ReadTree> {
  const head = await readFileSetHead(bus, spec);
  if (head.is !== 'whole') return head;
  const fetched = await Promise.all(
    head.files.map(async (file) => [file.path, await fetchFile(bus, spec, file, seal)] as const),
  );
  const problems = fetched.flatMap(([, file]) => (file.is === 'torn' ? [file.problem] : []));
  if (problems.length > 0) return { is: 'torn', problem: problems.join('; ') };
  const tree = Object.fromEntries(fetched.map(([path, file]) => [path, textOf(file)]));
  return { is: 'whole', revision: head.revision, tree };
}

/** The same of a tree that was not published. */
export function shownTree(tree: Tree): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).map(([path, content]) => [
      path,
      textOf({ is: 'found', bytes: typeof content === 'string' ? bytes(content) : content }),
    ]),
  );
}

function textOf(file: FetchedFile): string {
  if (file.is === 'torn') return file.problem;
  return file.bytes.length === LARGE_BYTES
    ? `large ${file.bytes[0]}`
    : Buffer.from(file.bytes).toString('latin1');
}

/** What every writer of these stores has done so far. */
export async function writesSoFar(bus: Bus, spec: FileSetSpec = FILE_SETS.states): Promise<number> {
  const states = await Promise.all(
    [`KV_${spec.bucket.name}`, `OBJ_${OBJECT_STORES.fileBlobs.name}`].map((each) => bus.stream(each).state()),
  );
  return states.reduce((sum, { lastSequence }) => sum + lastSequence, 0);
}

/** Nothing was ever published. */
export async function wipe(bus: Bus): Promise<void> {
  const streams = [
    ...Object.values(FILE_SETS).map(({ bucket }) => `KV_${bucket.name}`),
    `OBJ_${OBJECT_STORES.fileBlobs.name}`,
  ];
  for (const stream of streams) await bus.api(`$JS.API.STREAM.PURGE.${stream}`, {});
}
