/**
 * `SimpleKeys` remembers where a key without `?` may have begun. YAML tells a key only by the colon behind it, so every
 * text, alias and bracket may turn out to be one, until its line ends or 1,024 characters have passed. In brackets each
 * level has a candidate of its own.
 */
import type { YamlPosition } from './yaml-node.ts';
import { yamlProblem } from './yaml-problem.ts';
import type { YamlSource } from './yaml-source.ts';

const KEY_CHARACTERS_MAX = 1_024;

export interface SimpleKey {
  /** The number of the token that begins it, counted over the whole text. */
  readonly token: number;
  readonly offset: number;
  readonly lineStart: number;
  readonly at: YamlPosition;
  /** At this column only a key can stand. */
  readonly isRequired: boolean;
}

export class SimpleKeys {
  private readonly source: YamlSource;
  private readonly levels: (SimpleKey | undefined)[] = [undefined];
  /** No level below this one has a candidate: older ones go stale first. */
  private oldest = 0;

  constructor(source: YamlSource) {
    this.source = source;
  }

  get flowDepth(): number {
    return this.levels.length - 1;
  }

  openLevel(): void {
    this.levels.push(undefined);
  }

  closeLevel(): void {
    if (this.levels.length > 1) this.levels.pop();
    this.oldest = Math.min(this.oldest, this.levels.length - 1);
  }

  save(key: SimpleKey): void {
    this.drop();
    this.levels[this.flowDepth] = key;
    if (this.levels[this.oldest] === undefined) this.oldest = this.flowDepth;
  }

  /** The candidate that a colon makes a key. */
  take(): SimpleKey | undefined {
    const key = this.levels[this.flowDepth];
    this.levels[this.flowDepth] = undefined;
    return key;
  }

  /** What stands here ends the candidate. */
  drop(): void {
    const key = this.take();
    if (key?.isRequired === true) throw this.missingColon(key);
  }

  dropStale(): void {
    for (; this.oldest < this.levels.length; this.oldest++) {
      const key = this.levels[this.oldest];
      if (key === undefined) continue;
      if (!this.isStale(key)) return;
      if (key.isRequired) throw this.missingColon(key);
      this.levels[this.oldest] = undefined;
    }
    this.oldest = this.levels.length - 1;
  }

  /** The number of the first token that may still get a key mark before it. */
  firstOpenToken(): number | undefined {
    this.dropStale();
    return this.levels[this.oldest]?.token;
  }

  private isStale({ offset, lineStart }: SimpleKey): boolean {
    if (lineStart !== this.source.lineStart) return true;
    const units = this.source.offset - offset;
    if (units <= KEY_CHARACTERS_MAX) return false;
    // Characters are counted, and some have two units.
    if (units > 2 * KEY_CHARACTERS_MAX) return true;
    return [...this.source.text.slice(offset, this.source.offset)].length > KEY_CHARACTERS_MAX;
  }

  private missingColon({ at }: SimpleKey): Error {
    return this.source.invalid(yamlProblem`there is no colon behind this key`, at);
  }
}
