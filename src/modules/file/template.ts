/** Content that is a template is declared and rendered with what is here. */
import { zesterError } from '../../core/errors/zester-error.ts';
import { withDefault } from '../../core/params/params.ts';
import type { WireMap } from '../../wire/msgpack/wire-value.ts';
import type { PlanContext } from '../state-contract.ts';
import { utf8Text } from './content-diff.ts';
import type { SourceContent } from './source.ts';

export const TEMPLATE_PARAMS = {
  template: withDefault('template', false, { doc: 'The content is a Jinja template: `jinja`.' }),
  context: withDefault('map', {}, { doc: 'Variables for the template, besides those of a state file.' }),
  defaults: withDefault('map', {}, { doc: 'Variables for where `context` has none.' }),
};

export interface TemplateValues {
  readonly template: boolean;
  readonly context: WireMap;
  readonly defaults: WireMap;
}

/** As it is, where it is no template. */
export async function renderedBytes(
  content: SourceContent,
  { template, context, defaults }: TemplateValues,
  { render }: Pick<PlanContext, 'render'>,
): Promise<Uint8Array> {
  if (!template) return content.bytes;
  const text = utf8Text(content.bytes);
  if (text === undefined)
    throw zesterError('FILE_SOURCE_UNUSABLE', {
      source: content.name,
      reason: 'a template must be text in UTF-8',
    });
  return Buffer.from(await render({ text, name: content.name }, { ...defaults, ...context }));
}
