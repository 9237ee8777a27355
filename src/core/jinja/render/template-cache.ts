/** A cache of compiled templates by their text and name, the latest few: a master renders the same files for many peels. */
import { LruMap } from '../../lru-map.ts';
import type { CompiledTemplate } from '../compile/compiled-template.ts';

const TEMPLATES_MAX = 512;
const CHARS_MAX = 1 << 24;

export class TemplateCache {
  private readonly byText = new LruMap<string, LruMap<string | undefined, CompiledTemplate>>({
    entriesMax: TEMPLATES_MAX,
    weightMax: CHARS_MAX,
    weightOf: (_, text) => text.length,
  });

  getOrMake(source: string, name: string | undefined, make: () => CompiledTemplate): CompiledTemplate {
    // One text under very many names, as generated names would make it, does not pile up.
    const byName = this.byText.getOrMake(source, () => new LruMap(TEMPLATES_MAX));
    return byName.getOrMake(name, make);
  }

  get size(): number {
    return this.byText.size;
  }
}
