/** The states `file.append` and `file.prepend` add texts at the end or the start of a file that does not have them. */
import { optional, type ValuesOf, withDefault } from '../../../core/params/params.ts';
import { type Plan, type PlanContext, stateModule } from '../../state-contract.ts';
import { MAKEDIRS_PARAMS } from '../parents.ts';
import { type AddRule, addMissing } from './edit-add.ts';
import { badArguments } from './edit-arguments.ts';
import { EDIT_PARAMS, planEdit } from './edit-plan.ts';
import { TEXT_SOURCE_PARAMS, textFrom } from './edit-source.ts';

const params = {
  ...EDIT_PARAMS,
  text: optional('string-list', {
    doc: 'What to add: a text, or a list of texts that are looked for one by one.',
  }),
  ...TEXT_SOURCE_PARAMS,
  ...MAKEDIRS_PARAMS,
  ignore_whitespace: withDefault('boolean', true, {
    doc: 'Lines that differ in white space only are the same.',
  }),
};

const DESCRIPTION = [
  'A text is there when all its lines stand in the file, one after another. A part of a line is not enough.',
  'A file that is not there is made. A source is one text.',
].join('\n');

export const fileAppend = stateModule({
  name: 'file.append',
  summary: 'A file has the given texts; those that are missing are added at its end.',
  description: DESCRIPTION,
  params,
  examples: [
    '/etc/motd:\n  file.append:\n    - text: Handle with care.\n',
    '/etc/sudoers.d/ops:\n  file.append:\n    - text:\n      - alice ALL=(ALL) ALL\n      - bob ALL=(ALL) ALL\n    - makedirs: true\n',
  ],
  locks: ({ name }) => [name],
  plan: (values, context) => planAdd('file.append', 'end', values, context),
});

export const filePrepend = stateModule({
  name: 'file.prepend',
  summary: 'A file has the given texts; those that are missing are added at its start.',
  description: DESCRIPTION,
  params,
  examples: ['/etc/motd:\n  file.prepend:\n    - text: This machine is managed by Zester.\n'],
  locks: ({ name }) => [name],
  plan: (values, context) => planAdd('file.prepend', 'start', values, context),
});

async function planAdd(
  functionName: string,
  at: AddRule['at'],
  values: ValuesOf<typeof params>,
  context: PlanContext,
): Promise<Plan> {
  const { text, source, ignore_whitespace, makedirs } = values;
  if (text === undefined && source === undefined)
    throw badArguments(functionName, 'text is missing, or source');
  const texts =
    source === undefined
      ? await Promise.all((text ?? []).map((part) => textFrom(values, part, context)))
      : [await textFrom(values, '', context)];
  const rule = { texts, at, ignoreWhitespace: ignore_whitespace };
  return planEdit(values, (there) => addMissing(there, rule), { absent: 'made', makedirs }, context);
}
