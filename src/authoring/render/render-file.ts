/** `renderFile` renders one file as the master and the peel would: the same engine, host functions and limits. */
import { Environment } from '../../core/jinja/environment.ts';
import type { TemplateError } from '../../core/jinja/errors.ts';
import type { UndefinedType } from '../../core/jinja/render/undefined.ts';
import { templateHost } from '../../core/templates/template-host.ts';
import { digest, hmac } from '../../runtime/digest.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { directoryLoader } from './directory-loader.ts';
import { givenVariables, type VariablesFile } from './given-variables.ts';

export interface RenderRequest {
  /** Directory that templates are looked up in. */
  readonly root: string;
  /** The template's name as others would include it, and as errors show it. */
  readonly name: string;
  readonly source: string;
  readonly variables: VariablesFile | undefined;
  readonly assignments: readonly string[];
  readonly undefinedType: UndefinedType;
  readonly signal: AbortSignal;
}

/** Throws a TemplateError. */
export function renderFile(request: RenderRequest, { clock, random }: Runtime): string {
  const host = templateHost({
    digest,
    hmac,
    random: () => random.fraction(),
    nowMs: () => clock.nowMs(),
  });
  const environment = new Environment({
    host,
    loader: directoryLoader(request.root),
    undefinedType: request.undefinedType,
  });
  const readYaml = host.loadYaml ?? (() => null);
  const variables = givenVariables(request.variables, request.assignments, readYaml);
  return environment.compile(request.source, request.name).render(variables, { signal: request.signal })
    .output;
}

/** An error of a template for programs. */
export function errorRecord(error: TemplateError): Readonly<Record<string, unknown>> {
  const { type, message, name, line, column, excerpt, chain, near, note } = error;
  return { type, message, name, line, column, excerpt, chain, near, ...(note === undefined ? {} : { note }) };
}
