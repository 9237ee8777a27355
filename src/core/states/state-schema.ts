/** The schema is what the compiler knows of the functions that a state file can name: their names and parameters. */
import type { Params } from '../params/params.ts';

export interface StateSchema {
  readonly name: string;
  readonly params: Params;
  /** Takes parameters that are not declared, as `module.run` does: its arguments belong to the function it runs. */
  readonly open: boolean;
  readonly passesOn?: PassesOn | undefined;
  /** Throws a ZesterError for values that fit their types and cannot be used all the same. */
  check?(values: Readonly<Record<string, unknown>>): void;
}

/**
 * Parameters that are not declared become variables of a template, as in Salt: where the parameter `when` is given, they
 * go into the map `into`, and what that says goes first.
 */
export interface PassesOn {
  readonly when: string;
  readonly into: string;
  /** Salt has these as parameters, so they are no variables, and a mistake here. */
  readonly except: readonly string[];
}

export interface StateSchemas {
  find(name: string): StateSchema | undefined;
  /** Sorted. For "did you mean". */
  readonly names: readonly string[];
}
