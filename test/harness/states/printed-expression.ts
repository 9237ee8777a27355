/**
 * This file renders templates and expressions for tests of the template library: what one gives, or how it fails, in
 * one line.
 */
import { Environment, type EnvironmentOptions } from '../../../src/core/jinja/environment.ts';
import { TemplateError } from '../../../src/core/jinja/errors.ts';
import type { Variables } from '../../../src/core/jinja/render/given-variables.ts';

export interface TestRenderOptions extends EnvironmentOptions {
  readonly variables?: Variables;
}

export function renderedTemplate(template: string, options: TestRenderOptions = {}): string {
  return new Environment(options).compile(template).render(options.variables).output;
}

/** What `{{ expression }}` prints. */
export function printed(expression: string, options: TestRenderOptions = {}): string {
  return renderedTemplate(`{{ ${expression} }}`, options);
}

/** `TypeError: …` of the error that `{{ expression }}` must raise. */
export function failure(expression: string, options: TestRenderOptions = {}): string {
  try {
    return `no error, but ${printed(expression, options)}`;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return `${error.type}: ${error.message}`;
  }
}
