/** The state `file.blockreplace` holds the lines between two markers. */
import { optional, type ValuesOf, withDefault } from '../../../core/params/params.ts';
import { textRegex } from '../../../core/regex/text-regex.ts';
import { stateModule } from '../../state-contract.ts';
import { badArguments, oneLine } from './edit-arguments.ts';
import { type BlockRule, editBlock } from './edit-block.ts';
import { EDIT_PARAMS, planEdit } from './edit-plan.ts';
import { TEXT_SOURCE_PARAMS, textFrom } from './edit-source.ts';
import { writtenLines } from './edit-text.ts';

const params = {
  ...EDIT_PARAMS,
  marker_start: withDefault('string', '# START managed zone', {
    doc: 'The line before the block has this text in it.',
  }),
  marker_end: withDefault('string', '# END managed zone', {
    doc: 'The line behind the block has this text in it.',
  }),
  content: withDefault('string', '', { doc: 'The lines of the block. A source wins over it.' }),
  ...TEXT_SOURCE_PARAMS,
  append_newline: withDefault('boolean', false, {
    doc: 'One newline more at the end of the content: an empty line, where it ends with one already.',
  }),
  append_if_not_found: withDefault('boolean', false, {
    doc: 'Where there is no such block, add it at the end.',
  }),
  prepend_if_not_found: withDefault('boolean', false, { doc: 'The same, at the start.' }),
  insert_before_match: optional('string', {
    doc: 'The same, before the first line that this regular expression (Python syntax) fits.',
  }),
  insert_after_match: optional('string', { doc: 'The same, behind such a line.' }),
};

export const fileBlockreplace = stateModule({
  name: 'file.blockreplace',
  summary: 'The lines between two markers in a file are the given ones.',
  description: [
    'Where the file has no such block and nothing says where to add it, it is left as it is.',
    'A start marker without an end marker behind it is an error. A file that is not there is made by adding.',
  ].join('\n'),
  params,
  examples: [
    '/etc/hosts:\n  file.blockreplace:\n    - content: |\n        10.0.0.5 db\n        10.0.0.6 cache\n    - append_if_not_found: true\n',
    'limits:\n  file.blockreplace:\n    - name: /etc/security/limits.conf\n    - marker_start: "# app: start"\n    - marker_end: "# app: end"\n    - content: app soft nofile 65536\n    - insert_before_match: ^# End of file\n',
  ],
  locks: ({ name }) => [name],
  check: (values) => void placeRule(values),
  async plan(values, context) {
    const newline = values.append_newline ? '\n' : '';
    const content = (await textFrom(values, values.content, context)) + newline;
    const rule: BlockRule = {
      ...placeRule(values),
      content: content === '' ? [] : writtenLines(content),
    };
    return planEdit(
      values,
      (text) => editBlock(text, rule),
      { absent: rule.missing === undefined ? 'left' : 'made' },
      context,
    );
  },
});

/** Where the block is, and where it goes when it is nowhere. */
function placeRule(values: ValuesOf<typeof params>): Omit<BlockRule, 'content'> {
  return {
    markerStart: oneLine('file.blockreplace', 'marker_start', values.marker_start),
    markerEnd: oneLine('file.blockreplace', 'marker_end', values.marker_end),
    missing: whereMissing(values),
  };
}

function whereMissing(values: ValuesOf<typeof params>): BlockRule['missing'] {
  const { insert_before_match: before, insert_after_match: after } = values;
  const ways: BlockRule['missing'][] = [
    ...(values.append_if_not_found ? ['end' as const] : []),
    ...(values.prepend_if_not_found ? ['start' as const] : []),
    ...(before === undefined ? [] : [{ side: 'before' as const, regex: textRegex(before) }]),
    ...(after === undefined ? [] : [{ side: 'after' as const, regex: textRegex(after) }]),
  ];
  if (ways.length <= 1) return ways[0];
  const problems =
    'append_if_not_found, prepend_if_not_found, insert_before_match and insert_after_match exclude each other';
  throw badArguments('file.blockreplace', problems);
}
