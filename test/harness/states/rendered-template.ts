/** `rendered` gives a template's output, or its error with its place, in one text that a table of cases can hold. */
import { Environment, type EnvironmentOptions } from '../../../src/core/jinja/environment.ts';
import { TemplateError } from '../../../src/core/jinja/errors.ts';
import { mapLoader } from '../../../src/core/jinja/render/loader.ts';

export interface TemplateInput extends EnvironmentOptions {
  readonly context?: Record<string, unknown>;
  readonly files?: Readonly<Record<string, string>>;
}

export function rendered(
  template: string,
  { context = {}, files = {}, ...options }: TemplateInput = {},
): string {
  try {
    const loader = mapLoader(new Map(Object.entries({ main: template, ...files })));
    return new Environment({ loader, ...options }).compile(template, 'main').render(context).output;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return `${error.type}: ${error.message} (${error.name}:${error.line})`;
  }
}
