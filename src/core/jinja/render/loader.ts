/** A loader says where included, imported and extended templates come from. */
import type { Variables } from './given-variables.ts';

export interface Loader {
  /**
   * The text of a template, or undefined where there is none. A promise is allowed in an asynchronous render, which
   * then waits for it as for a host call.
   */
  load(name: string): string | undefined | Promise<string | undefined>;
  /** The full name of what a template names; for instance for names relative to the template. The name itself without. */
  join?(name: string, parent: string): string;
  /** What a template sees of its own place where it is imported or included without context, as `tpldir` in Salt. */
  variables?(name: string): Variables;
  /** Names that exist, for "did you mean". */
  names?(): Iterable<string>;
}

/** Templates that are all known beforehand. */
export function mapLoader(templates: ReadonlyMap<string, string>): Loader {
  return { load: (name) => templates.get(name), names: () => templates.keys() };
}
