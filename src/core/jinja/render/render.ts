/** `render` runs a compiled template: in one pass, or in as many as there are host calls to wait for. */
import type { CompiledTemplate } from '../compile/compiled-template.ts';
import { Frame } from '../compile/frame.ts';
import { layered } from '../compile/names.ts';
import type { Engine } from '../engine.ts';
import { GLOBALS } from '../library/registry.ts';
import type { StopSignal } from '../limits.ts';
import type { PositionMap } from '../parse/position-map.ts';
import type { Host } from '../values/value.ts';
import { TemplateContext } from './context.ts';
import { GivenVariables, type Variables } from './given-variables.ts';
import { CallRecord, type HostCalls, immediateCalls, recordedHost, Suspension } from './host-calls.ts';
import { RenderPass } from './render-pass.ts';

export interface RenderOptions {
  /** Ends the render with `RenderAborted` when it is aborted. */
  readonly signal?: StopSignal | undefined;
}

export interface Rendering {
  readonly output: string;
  /** From the output back to the templates. */
  readonly positions: PositionMap;
}

/** What a render needs of the environment besides the engine. */
export interface RenderSetup {
  readonly engine: Engine;
  readonly host: Host;
  /** Host calls that an asynchronous render may make. */
  readonly hostCallsMax: number;
}

export function render(
  setup: RenderSetup,
  template: CompiledTemplate,
  variables: Variables,
  options: RenderOptions,
): Rendering {
  return runPass(setup, template, variables, options, setup.host, immediateCalls);
}

export async function renderAsync(
  setup: RenderSetup,
  template: CompiledTemplate,
  variables: Variables,
  options: RenderOptions,
): Promise<Rendering> {
  const record = new CallRecord(setup.hostCallsMax);
  for (;;) {
    const calls = record.replay();
    try {
      return runPass(setup, template, variables, options, recordedHost(setup.host, calls), calls);
    } catch (error) {
      if (!(error instanceof Suspension)) throw error;
      await record.settle(error);
    }
  }
}

function runPass(
  setup: RenderSetup,
  template: CompiledTemplate,
  variables: Variables,
  options: RenderOptions,
  host: Host,
  hostCalls: HostCalls,
): Rendering {
  // As in Salt, templates that are imported or included without context see what the render was given, too.
  const globals = layered(new GivenVariables(variables), GLOBALS);
  const start = { template, at: { offset: 0, line: 1, column: 1 }, verbatim: false };
  const { signal } = options;
  const pass = new RenderPass({ engine: setup.engine, globals, host, hostCalls, signal, start });
  try {
    // Looks at the signal once at the start, so that a render that was aborted before never begins.
    pass.steps.charge(1);
    const context = new TemplateContext(pass, template, globals);
    template.root(new Frame(template.slots, context, undefined));
    return pass.out.finish();
  } catch (error) {
    throw pass.explain(error);
  }
}
