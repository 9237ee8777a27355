/**
 * `RenderPass` is the state of one pass through a template. An asynchronous render makes several passes
 * (host-calls.ts), and each starts with a new one of these.
 */
import type { CompiledTemplate } from '../compile/compiled-template.ts';
import { layered, type Names } from '../compile/names.ts';
import type { Site } from '../compile/site.ts';
import type { Engine } from '../engine.ts';
import { type ChainLink, TemplateError } from '../errors.ts';
import { isStackOverflow, limitError, StepCounter, type StopSignal } from '../limits.ts';
import { type Host, PythonError } from '../values/value.ts';
import { GivenVariables } from './given-variables.ts';
import type { HostCalls } from './host-calls.ts';
import type { TemplateModule } from './module.ts';
import { nearNames } from './near-names.ts';
import { Output } from './output.ts';
import { UndefinedFailure } from './undefined.ts';

/** A template or macro that was entered and not yet left. */
interface Entered {
  readonly what: string;
  readonly from: Site;
}

export class RenderPass {
  readonly engine: Engine;
  readonly out: Output;
  readonly host: Host;
  readonly hostCalls: HostCalls;
  readonly steps: StepCounter;
  /** What every template of this render sees, also one that is imported without context. */
  readonly globals: Names;
  /** Modules that were imported without context: each template runs once. */
  readonly modules = new Map<CompiledTemplate, TemplateModule>();
  /** Where the render is: set before everything that may fail. */
  at: Site;
  private readonly entered: Entered[] = [];

  constructor(options: {
    readonly engine: Engine;
    readonly globals: Names;
    readonly host: Host;
    readonly hostCalls: HostCalls;
    readonly signal: StopSignal | undefined;
    readonly start: Site;
  }) {
    this.engine = options.engine;
    this.globals = options.globals;
    this.host = options.host;
    this.hostCalls = options.hostCalls;
    this.out = new Output(options.engine.limits.output);
    this.steps = new StepCounter(options.engine.limits.steps, options.signal);
    this.at = options.start;
  }

  /** To be followed by `leave`. An error leaves it as it is: what was entered is how the render got to the error. */
  enter(what: string, from: Site): void {
    this.steps.charge(1);
    if (this.entered.length >= this.engine.limits.recursion)
      throw limitError(`templates and macros are nested more than ${this.engine.limits.recursion} deep`);
    this.entered.push({ what, from });
  }

  leave(): void {
    const left = this.entered.pop();
    if (left !== undefined) this.at = left.from;
  }

  /** What the template sees where it is imported or included without context. */
  globalsOf({ givenName }: CompiledTemplate): Names {
    const own = givenName === undefined ? undefined : this.engine.loader?.variables?.(givenName);
    return own === undefined ? this.globals : layered(new GivenVariables(own), this.globals);
  }

  /** The template of that name as another names it. */
  load(name: string, parent: CompiledTemplate): CompiledTemplate {
    const template = this.find(name, parent);
    if (template !== undefined) return template;
    const known = this.engine.loader?.names?.() ?? [];
    throw new PythonError('TemplateNotFound', name, nearNames(name, known));
  }

  find(name: string, parent: CompiledTemplate): CompiledTemplate | undefined {
    const { loader } = this.engine;
    if (loader === undefined) throw new PythonError('TypeError', 'no loader for this environment specified');
    const full = loader.join?.(name, parent.name) ?? name;
    const source = this.hostCalls.make('load template', [full], () => loader.load(full));
    if (source === undefined) return undefined;
    return this.engine.compile(String(source), full);
  }

  /** What happened, where, and how the render got there. Errors that are bugs of ours stay as they are. */
  explain(error: unknown): unknown {
    const explained = this.locate(error);
    if (explained instanceof TemplateError && explained.chain.length === 0)
      explained.chain.push(...chainOf(this.wayTo(explained)));
    return explained;
  }

  /** Innermost first. A statement that failed before what it enters ran is the place itself, not a step to it. */
  private wayTo(error: TemplateError): readonly Entered[] {
    const way = [...this.entered].reverse();
    const from = way[0]?.from;
    return from === this.at && error.name === from.template.name ? way.slice(1) : way;
  }

  private locate(error: unknown): unknown {
    const failure = isStackOverflow(error) ? limitError('the template nests too deep') : error;
    if (!(failure instanceof PythonError)) return failure;
    const site = this.placeOf(failure);
    return new TemplateError({
      type: failure.type,
      message: failure.message,
      name: site.template.name,
      line: site.at.line,
      column: site.at.column,
      source: site.template.source,
      near: failure.near,
      missing: failure instanceof UndefinedFailure ? failure.missing : undefined,
      note: noteOn(failure, site),
      cause: failure.cause,
    });
  }

  /** Where an undefined value came from is nearer to the mistake than where it was used, if both are on one line. */
  private placeOf(failure: PythonError): Site {
    const origin = failure instanceof UndefinedFailure ? failure.origin : undefined;
    if (origin?.template !== this.at.template || origin.at.line !== this.at.at.line) return this.at;
    return origin;
  }
}

/** Where an undefined value comes from that is used somewhere else. */
function noteOn(failure: PythonError, used: Site): string | undefined {
  const origin = failure instanceof UndefinedFailure ? failure.origin : undefined;
  if (origin === undefined || (origin.template === used.template && origin.at.line === used.at.line))
    return undefined;
  const { line, column } = origin.at;
  return `the undefined value comes from ${origin.template.name}:${line}:${column}`;
}

/** Links of a chain that are shown; of a recursion, the beginning and the end tell enough. */
const LINKS_MAX = 12;

/** The same step many times in a row is one link that says how often; of what is still too long the middle is left out. */
function chainOf(way: readonly Entered[]): readonly ChainLink[] {
  const runs: { readonly step: Entered; times: number }[] = [];
  for (const step of way) {
    const last = runs.at(-1);
    if (last !== undefined && last.step.from === step.from && last.step.what === step.what) last.times++;
    else runs.push({ step, times: 1 });
  }
  const links = runs.map(({ step: { what, from }, times }): ChainLink => {
    const often = times === 1 ? '' : `${times} times `;
    return { what: often + what, name: from.template.name, line: from.at.line, column: from.at.column };
  });
  if (links.length <= LINKS_MAX) return links;
  const half = LINKS_MAX / 2;
  const [next, ...rest] = links.slice(links.length - half);
  if (next === undefined) return links;
  const left = links.length - LINKS_MAX;
  return [...links.slice(0, half), { ...next, what: `(${left} steps left out) ${next.what}` }, ...rest];
}
