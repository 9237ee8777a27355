/** Image sets say for each path of a site what may be there. Where there is one image, it is known. */
import { ABSENT, type Image, type SiteTree } from './site-tree.ts';

const NOTHING: ReadonlySet<Image> = new Set([ABSENT]);

export class ImageSets {
  private readonly sets = new Map<string, ReadonlySet<Image>>();

  static of(tree: SiteTree): ImageSets {
    const made = new ImageSets();
    for (const [path, image] of tree) made.sets.set(path, new Set([image]));
    return made;
  }

  copy(): ImageSets {
    const made = new ImageSets();
    for (const [path, images] of this.sets) made.sets.set(path, images);
    return made;
  }

  at(path: string): ReadonlySet<Image> {
    return this.sets.get(path) ?? NOTHING;
  }

  /** Undefined when there are several. */
  known(path: string): Image | undefined {
    const [first, ...others] = this.at(path);
    return others.length === 0 ? first : undefined;
  }

  set(path: string, images: Iterable<Image>): void {
    this.sets.set(path, new Set(images));
  }

  add(path: string, images: Iterable<Image>): void {
    this.sets.set(path, new Set([...this.at(path), ...images]));
  }

  /** A path, and with `isDeep` those below it of which anything is known. */
  paths(path: string, isDeep = false): readonly string[] {
    return isDeep ? [path, ...[...this.sets.keys()].filter((each) => each.startsWith(`${path}/`))] : [path];
  }

  /** The first path at which something else is; undefined when all is as it may be. */
  misfit(tree: SiteTree): string | undefined {
    for (const path of new Set([...this.sets.keys(), ...tree.keys()])) {
      const image = tree.get(path) ?? ABSENT;
      if (!this.at(path).has(image))
        return `${path} is ${show(image)}, not ${[...this.at(path)].map(show).join(' or ')}`;
    }
    return undefined;
  }
}

function show(image: Image): string {
  return JSON.stringify(image);
}
