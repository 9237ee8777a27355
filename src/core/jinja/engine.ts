/** The engine is what the compiler and a running template need of their environment. */
import type { CompiledTemplate } from './compile/compiled-template.ts';
import type { LibraryFunction, LibraryTest } from './library/library-function.ts';
import type { Loader } from './render/loader.ts';
import type { Undefined } from './render/undefined.ts';
import type { RenderLimits } from './values/value.ts';

export interface Engine {
  readonly filters: ReadonlyMap<string, LibraryFunction>;
  readonly tests: ReadonlyMap<string, LibraryTest>;
  readonly limits: RenderLimits;
  readonly loader: Loader | undefined;
  readonly undefinedClass: typeof Undefined;
  compile(source: string, name: string): CompiledTemplate;
}
