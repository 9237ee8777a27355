/**
 * `fileChange` plans a regular file with the content, mode and owner that were declared: what is missing, as steps. The
 * common half of every module that writes whole files.
 *
 * A file that is as declared costs one lstat (in place.ts) and one read.
 */
import { type FileStep, NEW_FILE_MODE } from '../../system/file-steps.ts';
import type { FileStat } from '../../system/files.ts';
import type { PlanContext } from '../state-contract.ts';
import { type FileChange, NO_FILE_CHANGE } from './change.ts';
import { contentDiff } from './content-diff.ts';
import { type AccountNames, type Facets, facetChange, facetWords, newWords } from './facets.ts';
import { type ParentOptions, parentSteps } from './parents.ts';
import type { FilePlace } from './place.ts';

export interface WantedFile extends Facets {
  /** Undefined: whatever is there, and nothing where nothing is. */
  readonly bytes: Uint8Array | undefined;
  /** Whether the diff may show content. */
  readonly showChanges: boolean;
}

/** Of a larger file that is replaced the old content is not read: nobody would read the diff. */
export const COMPARED_BYTES_MAX = 1024 * 1024;

type Look = Pick<PlanContext, 'files'> & { readonly names: AccountNames };

/** The caller makes the parents of a new file. */
export async function fileChange(place: FilePlace, wanted: WantedFile, look: Look): Promise<FileChange> {
  if (place.there === undefined) return newFile(place.path, wanted, look);
  const words = await contentWords(place.path, place.there, wanted, look);
  if (words === undefined || wanted.bytes === undefined)
    return facetChange(place.path, place.there, wanted, look.names);
  return {
    steps: [writeStep(place.path, wanted.bytes, wanted)],
    words: [...(await facetWords(place.there, wanted, look.names)), words],
  };
}

/** The same, after the directories that it needs. */
export async function fileChangeWithParents(
  place: FilePlace,
  wanted: WantedFile,
  parents: ParentOptions,
  look: Look,
): Promise<FileChange> {
  const above =
    place.there === undefined
      ? await parentChange(place.path, { owner: wanted.owner, ...parents }, look)
      : NO_FILE_CHANGE;
  const change = await fileChange(place, wanted, look);
  return { steps: [...above.steps, ...change.steps], words: [...above.words, ...change.words] };
}

export async function parentChange(
  path: string,
  parents: ParentOptions,
  { files }: Pick<Look, 'files'>,
): Promise<FileChange> {
  const steps = await parentSteps(path, parents, files);
  return { steps, words: steps.map((step) => `new directory ${step.path}`) };
}

async function newFile(path: string, wanted: WantedFile, { names }: Look): Promise<FileChange> {
  const { bytes = NO_BYTES, owner, showChanges } = wanted;
  const mode = wanted.mode ?? NEW_FILE_MODE;
  const words = await newWords('file', mode, owner, names);
  const content = showChanges ? contentDiff({ path, before: undefined, after: bytes }) : hiddenWords(bytes);
  return {
    steps: [writeStep(path, bytes, { mode, owner })],
    words: bytes.length === 0 ? [words] : [words, content],
  };
}

function writeStep(path: string, bytes: Uint8Array, { mode, owner }: Facets): FileStep {
  return { kind: 'write', path, bytes, ...(mode === undefined ? {} : { mode }), owner };
}

/** Undefined where the content is as wanted. */
async function contentWords(
  path: string,
  there: FileStat,
  { bytes, showChanges }: WantedFile,
  { files }: Look,
): Promise<string | undefined> {
  if (bytes === undefined) return undefined;
  if (there.size !== bytes.length && there.size > COMPARED_BYTES_MAX)
    return `content ${there.size} bytes → ${bytes.length} bytes`;
  const before = await files.read(path);
  if (before !== undefined && Buffer.compare(before, bytes) === 0) return undefined;
  return showChanges ? contentDiff({ path, before, after: bytes }) : hiddenWords(bytes);
}

function hiddenWords(bytes: Uint8Array): string {
  return `content, now ${bytes.length} bytes; not shown, as show_changes says`;
}

const NO_BYTES = new Uint8Array();
