/**
 * An environment says how templates are read and what they can use: it is made once and used for many templates and
 * renders.
 */

import { LruMap } from '../lru-map.ts';
import { compileTemplate } from './compile/compile-template.ts';
import type { CompiledTemplate } from './compile/compiled-template.ts';
import type { Engine } from './engine.ts';
import { TemplateError, UNNAMED_TEMPLATE } from './errors.ts';
import type { LibraryFunction, LibraryTest } from './library/library-function.ts';
import { FILTERS, TESTS } from './library/registry.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { parseTemplate } from './parse/parser.ts';
import type { SyntaxOptions } from './parse/syntax-options.ts';
import type { Variables } from './render/given-variables.ts';
import type { Loader } from './render/loader.ts';
import { nearNames } from './render/near-names.ts';
import {
  type Rendering,
  type RenderOptions,
  type RenderSetup,
  render,
  renderAsync,
} from './render/render.ts';
import { type UndefinedType, undefinedClass } from './render/undefined.ts';
import type { Arguments, Host, RenderContext, RenderLimits, Value } from './values/value.ts';

/** A filter, or with a boolean result a test, of the host. */
export type HostFilter<Result extends Value = Value> = (
  input: Value,
  args: Arguments,
  render: RenderContext,
) => Result;

export interface EnvironmentOptions {
  /** Where included, imported and extended templates come from; without one there are none. */
  readonly loader?: Loader;
  /** What a missing variable is. Default: strict. */
  readonly undefinedType?: UndefinedType;
  readonly syntax?: SyntaxOptions;
  /** Whether output is escaped for HTML, for all templates or by a template's name. Default: no. */
  readonly autoescape?: boolean | ((name: string | undefined) => boolean);
  readonly limits?: Partial<RenderLimits>;
  /** Host calls that one asynchronous render may make. Default: 1,000. */
  readonly hostCallsMax?: number;
  /** What the engine cannot do by itself, such as YAML and regular expressions. */
  readonly host?: Host;
  readonly filters?: Readonly<Record<string, HostFilter>>;
  readonly tests?: Readonly<Record<string, HostFilter<boolean>>>;
}

const HOST_CALLS_MAX = 1_000;
const TEMPLATES_MAX = 512;
const TEMPLATE_CHARS_MAX = 1 << 24;

export class Environment {
  private readonly setup: RenderSetup;
  private readonly compileSource: (source: string, name: string | undefined) => CompiledTemplate;

  constructor(options: EnvironmentOptions = {}) {
    const filters = new Map([...FILTERS, ...named<LibraryFunction>(options.filters)]);
    const tests = new Map([...TESTS, ...named<LibraryTest>(options.tests)]);
    const cache = new TemplateCache();
    const { syntax, autoescape = false } = options;
    this.compileSource = (source, name) =>
      cache.getOrMake(source, name, () => {
        const tree = parseTemplate(source, { name, ...(syntax === undefined ? {} : { syntax }) });
        const escapes = typeof autoescape === 'function' ? autoescape(name) : autoescape;
        return compileTemplate(tree, { filters, tests }, escapes);
      });
    const engine: Engine = {
      filters,
      tests,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      loader: options.loader,
      undefinedClass: undefinedClass(options.undefinedType ?? 'strict'),
      compile: this.compileSource,
    };
    this.setup = {
      engine,
      host: options.host ?? {},
      hostCallsMax: options.hostCallsMax ?? HOST_CALLS_MAX,
    };
  }

  /** Reads a template. The same text under the same name is compiled once. */
  compile(source: string, name?: string): Template {
    return new Template(this.setup, this.compileSource(source, name));
  }

  /** A template from the loader, which must have it at hand. */
  getTemplate(name: string): Template {
    const { loader } = this.setup.engine;
    const source = loader?.load(name);
    if (typeof source === 'string') return this.compile(source, name);
    throw new TemplateError({
      type: 'TemplateNotFound',
      message: name,
      name: UNNAMED_TEMPLATE,
      line: 1,
      column: 1,
      near: nearNames(name, loader?.names?.() ?? []),
    });
  }
}

export class Template {
  private readonly setup: RenderSetup;
  private readonly compiled: CompiledTemplate;

  /** Made by Environment.compile. */
  constructor(setup: RenderSetup, compiled: CompiledTemplate) {
    this.setup = setup;
    this.compiled = compiled;
  }

  get name(): string | undefined {
    return this.compiled.givenName;
  }

  /** Variables are plain data, or values of this library such as host functions. Throws a TemplateError. */
  render(variables: Variables = {}, options: RenderOptions = {}): Rendering {
    return render(this.setup, this.compiled, variables, options);
  }

  /** As `render`, for host functions and loaders that answer later. Each call is made once; see host-calls.ts. */
  renderAsync(variables: Variables = {}, options: RenderOptions = {}): Promise<Rendering> {
    return renderAsync(this.setup, this.compiled, variables, options);
  }
}

function named<F extends LibraryFunction>(
  functions: Readonly<Record<string, F['call']>> | undefined,
): [string, F][] {
  return Object.entries(functions ?? {}).map(([name, call]) => [
    name,
    { name, origin: 'host', call } as unknown as F,
  ]);
}

/** Keeps compiled templates by their text and name, the latest few: a master renders the same files for many peels. */
export class TemplateCache {
  private readonly byText = new LruMap<string, LruMap<string | undefined, CompiledTemplate>>({
    entriesMax: TEMPLATES_MAX,
    weightMax: TEMPLATE_CHARS_MAX,
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
