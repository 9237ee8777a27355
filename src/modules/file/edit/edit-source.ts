/**
 * `textFrom` gives the text that an edit adds: given in the state, or taken from a source, as it is or as a template.
 */
import { zesterError } from '../../../core/errors/zester-error.ts';
import { optional } from '../../../core/params/params.ts';
import type { PlanContext } from '../../state-contract.ts';
import { utf8Text } from '../content-diff.ts';
import { readSource } from '../source.ts';
import { renderedBytes, TEMPLATE_PARAMS, type TemplateValues } from '../template.ts';

export const TEXT_SOURCE_PARAMS = {
  source: optional('string-list', {
    doc: 'Where the text comes from: zester://path or salt://path of the state tree, or an absolute path of the machine. Of a list the first that is there.',
  }),
  ...TEMPLATE_PARAMS,
};

export interface TextSource extends TemplateValues {
  readonly source: readonly string[] | undefined;
}

/** The text of the source, where there is one. It wins over the text of the state, which is rendered if it is a template. */
export async function textFrom(
  { source, ...values }: TextSource,
  given: string,
  context: PlanContext,
): Promise<string> {
  const content =
    source === undefined
      ? { bytes: Buffer.from(given), name: `the text of ${context.id}` }
      : await readSource(source, context);
  const text = utf8Text(await renderedBytes(content, values, context));
  if (text !== undefined) return text;
  throw zesterError('FILE_SOURCE_UNUSABLE', { source: content.name, reason: 'it is not UTF-8 text' });
}
