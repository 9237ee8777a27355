/** Looks at paths and makes images (image.ts) of what is there. */
import { isZesterError } from '../../core/errors/zester-error.ts';
import type { FileStat, ReadFiles } from '../../system/files.ts';
import { type Content, NOTHING_THERE, type PathImage } from './image.ts';

export interface Lens {
  readonly files: ReadFiles;
  nameOf(bytes: Uint8Array): string;
  /** Called with each content that was read, to keep it; over `bytesMax` there is no content. */
  readonly onContent?: (name: string, bytes: Uint8Array) => void;
  readonly bytesMax: number;
}

export async function imageOf(lens: Lens, path: string, withContent: boolean): Promise<PathImage> {
  const stat = await lens.files.lstat(path);
  return stat === undefined ? NOTHING_THERE : imageFrom(lens, path, stat, withContent);
}

export async function imageFrom(
  lens: Lens,
  path: string,
  stat: FileStat,
  withContent: boolean,
): Promise<PathImage> {
  const { mode, uid, gid } = stat;
  switch (stat.kind) {
    case 'file':
      return {
        is: 'file',
        mode,
        uid,
        gid,
        ...(withContent ? { content: await contentOf(lens, path, stat) } : {}),
      };
    case 'directory':
      return { is: 'directory', mode, uid, gid };
    case 'other':
      return { is: 'other', mode, uid, gid };
    case 'symlink': {
      const target = await lens.files.readLink(path);
      return target === undefined ? NOTHING_THERE : { is: 'link', target, uid, gid };
    }
  }
}

async function contentOf(lens: Lens, path: string, stat: FileStat): Promise<Content> {
  if (stat.size > lens.bytesMax) return { bytes: stat.size };
  const bytes = await readUpTo(lens, path);
  if (bytes === undefined) return { bytes: stat.size };
  const name = lens.nameOf(bytes);
  lens.onContent?.(name, bytes);
  return { name, bytes: bytes.length };
}

/** Undefined when it has grown over the bound, or is gone: then nobody can say what it held. */
async function readUpTo({ files, bytesMax }: Lens, path: string): Promise<Uint8Array | undefined> {
  try {
    return await files.read(path, { bytesMax });
  } catch (error) {
    if (isZesterError(error, 'FILE_TOO_LARGE')) return undefined;
    throw error;
  }
}
