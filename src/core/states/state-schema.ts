/** The schema is what the compiler knows of the functions that a state file can name: their names and parameters. */
import type { Params } from '../params/params.ts';

export interface StateSchema {
  readonly name: string;
  readonly params: Params;
  /** Takes parameters that are not declared, as `module.run` does: its arguments belong to the function it runs. */
  readonly open: boolean;
  /** Throws a ZesterError for values that fit their types and cannot be used all the same. */
  check?(values: Readonly<Record<string, unknown>>): void;
}

export interface StateSchemas {
  find(name: string): StateSchema | undefined;
  /** Sorted. For "did you mean". */
  readonly names: readonly string[];
}
