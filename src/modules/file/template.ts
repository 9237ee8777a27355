/** Content that is a template is declared and rendered with what is here. */
import { type DataMap, type DataValue, dataEntries, keyText } from '../../core/data/data-value.ts';
import { zesterError } from '../../core/errors/zester-error.ts';
import { withDefault } from '../../core/params/params.ts';
import type { PlanContext } from '../state-contract.ts';
import { utf8Text } from './content-diff.ts';
import { modeText } from './facets.ts';
import type { OwnerNames } from './owner.ts';
import type { SourceContent } from './source.ts';

export const TEMPLATE_PARAMS = {
  template: withDefault('template', false, { doc: 'The content is a Jinja template: `jinja`.' }),
  context: withDefault('map', {}, { doc: 'Variables for the template, besides those of a state file.' }),
  defaults: withDefault('map', {}, { doc: 'Variables for where `context` has none.' }),
};

export interface TemplateValues {
  readonly template: boolean;
  readonly context: DataMap;
  readonly defaults: DataMap;
}

/** The variables of one template by name. */
export type TemplateVariables = Readonly<Record<string, DataValue>>;

/** The file that a template is rendered for. */
export interface TemplateTarget extends OwnerNames {
  readonly name: string;
  /** As the state wrote it; of a list the one that was there. */
  readonly source: string;
  readonly mode: number | undefined;
}

/** As it is, where it is no template. `own`: weaker than `defaults` and `context`. */
export async function renderedBytes(
  content: SourceContent,
  { template, context, defaults }: TemplateValues,
  { render }: Pick<PlanContext, 'render'>,
  own: TemplateVariables = {},
): Promise<Uint8Array> {
  if (!template) return content.bytes;
  const text = utf8Text(content.bytes);
  if (text === undefined)
    throw zesterError('FILE_SOURCE_UNUSABLE', {
      source: content.name,
      reason: 'a template must be text in UTF-8',
    });
  return Buffer.from(await render({ text, name: content.name }, templateVariables(own, defaults, context)));
}

/** What Salt tells a template that is a source about its file; templates write `managed by Salt from {{ source }}`. */
export function targetVariables({ name, source, user, group, mode }: TemplateTarget): TemplateVariables {
  return {
    ...{ name, source, user: user ?? null, group: group ?? null },
    ...{ mode: mode === undefined ? null : modeText(mode), attrs: null },
  };
}

/** A variable has a name, so a key that is a number can only be the text of it here; inside of the values it stays. */
export function templateVariables(...maps: readonly DataMap[]): TemplateVariables {
  return Object.fromEntries(maps.flatMap(dataEntries).map(([key, value]) => [keyText(key), value]));
}
