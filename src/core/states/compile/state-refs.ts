/**
 * These functions map refs to the files they mean, and back. `web` is `web/init.zy` or `web.zy`, `web.config` is
 * `web/config.zy` or `web/config/init.zy`, each also as `.sls`. Two files for one ref are a mistake that a person has
 * to settle.
 *
 * A ref that begins with dots is relative, as in Salt: one dot is the folder of the file that includes, each further
 * one the folder above.
 */
const EXTENSIONS = ['zy', 'sls'] as const;
const INIT = 'init';

/** Where the file of a ref may be. Undefined: this cannot be a ref. */
export function pathsOfRef(ref: string): readonly string[] | undefined {
  const parts = ref.split('.');
  // A part becomes the name of a file or a folder; a dot cannot be in one, so `..` cannot either.
  if (parts.some((part) => part === '' || /[/\\\p{Cc}]/u.test(part))) return undefined;
  const path = parts.join('/');
  return EXTENSIONS.flatMap((extension) => [`${path}/${INIT}.${extension}`, `${path}.${extension}`]);
}

/** What a file of the tree is called; undefined where it is not a state file. The reverse of `pathsOfRef`. */
export function refOfPath(path: string): string | undefined {
  const match = /^(.+)\.(?:zy|sls)$/.exec(path);
  if (match === null) return undefined;
  const parts = (match[1] ?? '').split('/');
  if (parts.some((part) => part === '' || part.includes('.'))) return undefined;
  if (parts.length > 1 && parts.at(-1) === INIT) parts.pop();
  return parts.join('.');
}

/** The ref that `ref` means in the file `sls`. Undefined: it leads out of the tree. */
export function absoluteRef(
  ref: string,
  from: { readonly sls: string; readonly path: string },
): string | undefined {
  const dots = /^\.+/.exec(ref)?.[0].length ?? 0;
  if (dots === 0) return ref;
  const parts = from.sls.split('.');
  // The file of `web` in `web/init.zy` stands one folder deeper than its name says.
  if (new RegExp(`/${INIT}\\.[^/]*$`).test(from.path)) parts.push(INIT);
  if (dots > parts.length) return undefined;
  return [...parts.slice(0, parts.length - dots), ref.slice(dots)].join('.');
}

/** What a person may have meant who wrote a path instead of a ref. */
export function refMeantByPath(text: string): string | undefined {
  const path = text.replace(/^(?:zester|salt):\/\//, '').replace(/^\/+|\/+$/g, '');
  const ref = refOfPath(path) ?? refOfPath(`${path}.zy`);
  return ref === text || ref === '' ? undefined : ref;
}

/** `web.init` and `web` are one file, and `web` is its name. */
export function canonicalRef(ref: string): string {
  const parts = ref.split('.');
  return parts.length > 1 && parts.at(-1) === INIT ? parts.slice(0, -1).join('.') : ref;
}
