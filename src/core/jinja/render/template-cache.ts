/**
 * `TemplateCache` keeps compiled templates by their text and name, the latest few: a master renders the same files for
 * many peels.
 */
import type { CompiledTemplate } from '../compile/compiled-template.ts';

const TEMPLATES_MAX = 512;
const CHARS_MAX = 1 << 24;

interface Entry {
  readonly source: string;
  readonly byName: Map<string | undefined, CompiledTemplate>;
}

export class TemplateCache {
  /** A Map keeps insertion order: the first entry was not asked for longest. */
  private readonly entries = new Map<string, Entry>();
  private chars = 0;

  getOrMake(source: string, name: string | undefined, make: () => CompiledTemplate): CompiledTemplate {
    const entry = this.touch(source);
    let template = entry.byName.get(name);
    if (template === undefined) {
      template = make();
      // One text under very many names, as generated names would make it, does not pile up.
      if (entry.byName.size >= TEMPLATES_MAX) entry.byName.clear();
      entry.byName.set(name, template);
    }
    return template;
  }

  get size(): number {
    return this.entries.size;
  }

  private touch(source: string): Entry {
    const known = this.entries.get(source);
    if (known === undefined) this.chars += source.length;
    else this.entries.delete(source);
    const entry = known ?? { source, byName: new Map() };
    this.entries.set(source, entry);
    this.makeRoom();
    return entry;
  }

  private makeRoom(): void {
    for (const { source } of this.entries.values()) {
      const fits = this.entries.size <= TEMPLATES_MAX && this.chars <= CHARS_MAX;
      if (fits || this.entries.size === 1) return;
      this.entries.delete(source);
      this.chars -= source.length;
    }
  }
}
