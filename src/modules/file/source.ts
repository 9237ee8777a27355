/** A source says where the content of a file comes from: the tree of state files, or the machine itself. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { nearestWord } from '../../core/suggest.ts';
import { digest } from '../../runtime/digest.ts';
import type { PlanContext } from '../state-contract.ts';

export type Source =
  | { readonly from: 'tree'; readonly path: string; readonly text: string }
  | { readonly from: 'machine'; readonly path: string; readonly text: string };

type Look = Pick<PlanContext, 'files' | 'tree'>;

export interface SourceContent {
  readonly bytes: Uint8Array;
  /** As the state wrote it. */
  readonly name: string;
}

/** Throws FILE_SOURCE_UNUSABLE for what is neither a path of the tree nor of the machine. */
export function parseFileSource(text: string): Source {
  const refuse = (reason: string) => zesterError('FILE_SOURCE_UNUSABLE', { source: text, reason });
  if (text.startsWith('/')) return { from: 'machine', path: text, text };
  const [, scheme, path = ''] = /^([a-z+]+):\/\/(.*)$/s.exec(text) ?? [];
  if (scheme === undefined) throw refuse('it is neither zester://, salt:// nor an absolute path');
  if (scheme !== 'zester' && scheme !== 'salt') throw refuse(`${scheme}:// is not supported`);
  if (path.includes('?saltenv=')) throw refuse('there are no environments, leave ?saltenv= away');
  const parts = path.replace(/\/+$/, '').split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    throw refuse('it must name a path inside of the tree, without . and ..');
  return { from: 'tree', path: parts.join('/'), text };
}

/** The first one that is there. */
export async function readSource(texts: readonly string[], look: Look): Promise<SourceContent> {
  const sources = texts.map(parseFileSource);
  for (const { from, path, text } of sources) {
    const bytes = from === 'tree' ? await look.tree.readBytes(path) : await look.files.read(path);
    if (bytes !== undefined) return { bytes, name: text };
  }
  throw await sourceMissing(sources, look);
}

export async function sourceMissing(sources: readonly Source[], { tree }: Pick<Look, 'tree'>) {
  const wanted = sources.find(({ from }) => from === 'tree');
  const near = wanted === undefined ? undefined : nearestWord(wanted.path, await tree.list());
  const source = sources.map(({ text }) => text).join(' and no ');
  const suggestion = near === undefined ? '' : `, did you mean zester://${near}?`;
  return zesterError('FILE_SOURCE_MISSING', { source, suggestion });
}

const HASH_BY_CHARS: Readonly<Record<number, string>> = {
  32: 'md5',
  40: 'sha1',
  64: 'sha256',
  128: 'sha512',
};

/** `sha256=…`, `sha256:…`, or the hexadecimal digits alone. Throws where the bytes are others. */
export function verifySource({ bytes, name }: SourceContent, declared: string): void {
  const refuse = (reason: string) => zesterError('FILE_SOURCE_UNUSABLE', { source: name, reason });
  const [, algorithm, hex = ''] = /^(?:(\w+)\s*[=:]\s*)?([0-9a-f]+)$/i.exec(declared.trim()) ?? [];
  const known = HASH_BY_CHARS[hex.length];
  if (known === undefined || (algorithm !== undefined && algorithm.toLowerCase() !== known))
    throw refuse(`source_hash ${declared} is no md5, sha1, sha256 or sha512 hash`);
  const found = Buffer.from(digest(known, bytes)).toString('hex');
  if (found !== hex.toLowerCase()) throw refuse(`its ${known} is ${found}, and source_hash says ${hex}`);
}
