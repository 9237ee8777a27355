/**
 * The content index knows where the old contents are: which pack holds which, and which packs hold nothing that is
 * still needed.
 */

export interface StoredContent {
  /** Of the content, by the journal's key. */
  readonly name: string;
  readonly pack: string;
  readonly offset: number;
  readonly bytes: number;
}

export class ContentIndex {
  private readonly stored = new Map<string, StoredContent>();
  private readonly packs = new Map<string, { readonly names: Set<string>; bytes: number }>();
  /** Of all packs that are needed. */
  bytes = 0;

  get(name: string): StoredContent | undefined {
    return this.stored.get(name);
  }

  hasPack(pack: string): boolean {
    return this.packs.has(pack);
  }

  add(place: StoredContent): void {
    const pack = this.packs.get(place.pack) ?? { names: new Set<string>(), bytes: 0 };
    this.packs.set(place.pack, pack);
    pack.names.add(place.name);
    // A pack is as long as where its last content ends.
    const grown = Math.max(0, place.offset + place.bytes - pack.bytes);
    pack.bytes += grown;
    this.bytes += grown;
    this.stored.set(place.name, place);
  }

  /** Forgets contents; the packs of which nothing is left. */
  release(names: Iterable<string>): string[] {
    const empty: string[] = [];
    for (const name of names) {
      const place = this.stored.get(name);
      const pack = place && this.packs.get(place.pack);
      if (place === undefined || pack === undefined) continue;
      this.stored.delete(name);
      pack.names.delete(name);
      if (pack.names.size > 0) continue;
      this.packs.delete(place.pack);
      this.bytes -= pack.bytes;
      empty.push(place.pack);
    }
    return empty;
  }

  names(): string[] {
    return [...this.stored.keys()];
  }
}
