/**
 * These types say what the compiler of state files is given and what it answers. The compiler is pure: files come from
 * the tree and templates are rendered by whoever calls, so that the same input always gives the same states or the same
 * problems.
 */
import type { WireMap } from '../../../wire/msgpack/wire-value.ts';
import type { SourcePosition } from '../../errors/zester-error.ts';
import type { CompiledState } from '../compiled-state.ts';
import type { StateProblem } from '../state-problem.ts';
import type { StateSchemas } from '../state-schema.ts';
import type { StateTree } from '../state-tree.ts';

export interface Rendered {
  readonly text: string;
  /** From a place of the rendered text, counted from 1, to the template that wrote it. */
  readonly place: (line: number, column: number) => SourcePosition;
}

/**
 * Renders one state file: its path in the tree, its text, and what it is called when it is included (`web.config`).
 * A mistake in the template is thrown as a ZesterError or a TemplateError; anything else that is thrown ends the compile.
 */
export type RenderStateFile = (path: string, text: string, sls: string) => Promise<Rendered>;

export interface CompileInput {
  readonly tree: StateTree;
  readonly schemas: StateSchemas;
  readonly render: RenderStateFile;
}

/** A file that is asked for. `at` is where it was asked for, if that was in a file. */
export interface AskedRef {
  readonly ref: string;
  readonly at: SourcePosition;
}

export interface Compilation {
  /** In the order they were declared, those of included files first. Empty while there are problems. */
  readonly states: readonly CompiledState[];
  /** All that is wrong, file by file and line by line. Nothing may run while there is one. */
  readonly problems: readonly StateProblem[];
  readonly warnings: readonly StateProblem[];
  /** Paths of the files that were loaded, in load order. */
  readonly files: readonly string[];
  /** The declarations by id after merge, extend and exclude, as `state.show_sls` shows them. Made when asked for. */
  readonly high: () => WireMap;
}

/**
 * Whether the peel is meant by a pattern of the top file, or why the pattern cannot be read. `type` is what the file says
 * with `- match: grain`, as `parseTarget` takes it; empty where it says nothing.
 */
export type MatchPattern = (pattern: string, type: string) => boolean | PatternProblem;

interface PatternProblem {
  readonly message: string;
  readonly hint: string | undefined;
}

export interface TopInput {
  readonly tree: StateTree;
  readonly render: RenderStateFile;
  readonly matches: MatchPattern;
}

export interface TopFile {
  /** What the matching patterns name, in file order, none twice. */
  readonly refs: readonly AskedRef[];
  readonly problems: readonly StateProblem[];
  readonly warnings: readonly StateProblem[];
  /** For `state.show_top`: by environment, the refs that match. */
  readonly shown: WireMap;
}
