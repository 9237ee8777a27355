/** `Parsing` is what the parsers of the single tags work with. */

import type { LateFaults } from '../render/late-faults.ts';
import type { Statement } from './ast.ts';
import type { ExpressionParser } from './parse-expression.ts';
import type { TokenStream } from './token-stream.ts';

export interface Parsing {
  readonly stream: TokenStream;
  readonly expressions: ExpressionParser;
  readonly late: LateFaults;
  /** Where the tag stands that is being parsed. */
  readonly place: ParsePlace;
  /** The names of the blocks so far. */
  readonly blockNames: Set<string>;
  /**
   * From the end of the opening tag to the first of these tags that is not inside of another; the stream stands at its
   * name. `place` says what changes for the tags in between.
   */
  bodyUntil(closing: readonly string[], place?: Partial<ParsePlace>): Statement[];
  /** As `bodyUntil` with a single closing tag, whose name is taken from the stream. */
  bodyThrough(closing: string, place?: Partial<ParsePlace>): Statement[];
}

/** What decides whether `extends`, `break` and names are allowed. */
export interface ParsePlace {
  /** Only `if` leaves the top level as it is. */
  readonly topLevel: boolean;
  /** Whether `break` has a loop to leave: a macro or a block inside of a loop has not. */
  readonly breakable: boolean;
  /** Inside of a loop, however far out. */
  readonly withinLoop: boolean;
}

/** Reads the rest of a tag whose name is the current token. `print` makes any number of statements. */
export type TagParser = (parsing: Parsing) => Statement | readonly Statement[];

/** A body that Jinja2 makes a function of: it has names of its own, and no loop to leave. */
export const FUNCTION_BODY = { topLevel: false, breakable: false } as const;
/** A body with names of its own. */
export const SCOPED_BODY = { topLevel: false } as const;
