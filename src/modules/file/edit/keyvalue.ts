/** The state `file.keyvalue` holds settings of a file of keys and values. */
import { optional, type ValuesOf, withDefault } from '../../../core/params/params.ts';
import { stateModule } from '../../state-contract.ts';
import { badArguments } from './edit-arguments.ts';
import { editKeyValues, type KeyValueRule } from './edit-keyvalue.ts';
import { EDIT_PARAMS, planEdit } from './edit-plan.ts';

const ALL_LINES = -1;

const params = {
  ...EDIT_PARAMS,
  key: optional('string', { doc: 'One key. With value it goes before key_values.' }),
  value: optional('string', { doc: 'Its value.' }),
  key_values: withDefault('string-map', {}, { doc: 'Keys and their values.' }),
  entries: withDefault('string-map', {}, { doc: 'More of them, which go before key_values.' }),
  separator: withDefault('string', '=', {
    doc: 'What stands between key and value, as it is to be written. White space around it does not matter, and white space alone is a separator.',
  }),
  uncomment: optional('string', {
    doc: 'What makes a line a comment, such as "#". A commented line with the key is taken back before one is added.',
  }),
  append_if_not_found: withDefault('boolean', true, {
    doc: 'Whether keys that are missing are added at the end.',
  }),
  key_ignore_case: withDefault('boolean', false, { doc: 'PORT is the key port, too.' }),
  value_ignore_case: withDefault('boolean', false, { doc: 'YES is the value yes, too.' }),
  count: withDefault('integer', ALL_LINES, {
    doc: 'How many lines of a key are kept; those behind them are removed. -1: all of them, each with the value.',
  }),
};

export const fileKeyvalue = stateModule({
  name: 'file.keyvalue',
  summary: 'Keys in a file have the given values.',
  description: [
    'A line whose value is right is left as it is, whatever its spacing. Others are written as key, separator, value, with their indentation.',
    'A file that is not there is made when there is something to add.',
  ].join('\n'),
  params,
  examples: [
    '/etc/ssh/sshd_config:\n  file.keyvalue:\n    - key_values:\n        Port: 2222\n        PermitRootLogin: "no"\n    - separator: " "\n    - uncomment: "#"\n    - key_ignore_case: true\n',
    'swappiness:\n  file.keyvalue:\n    - name: /etc/sysctl.conf\n    - key: vm.swappiness\n    - value: 10\n    - separator: " = "\n',
  ],
  locks: ({ name }) => [name],
  check: (values) => void ruleOf(values),
  async plan(values, context) {
    const rule = ruleOf(values);
    return planEdit(
      values,
      (text) => editKeyValues(text, rule),
      { absent: rule.addMissing ? 'made' : 'left' },
      context,
    );
  },
});

function ruleOf(values: ValuesOf<typeof params>): KeyValueRule {
  const { key, value, count, separator } = values;
  if ((key === undefined) !== (value === undefined))
    throw badArguments('file.keyvalue', 'key and value go together');
  const pairs = Object.entries({
    ...values.key_values,
    ...values.entries,
    ...(key === undefined || value === undefined ? {} : { [key]: value }),
  }).map(([each, its]) => [each.trim(), its.trim()] as const);
  if (pairs.length === 0) throw badArguments('file.keyvalue', 'key and value are missing, or key_values');
  if (pairs.some((pair) => pair[0] === '' || pair.some((text) => text.includes('\n'))))
    throw badArguments('file.keyvalue', 'a key must not be empty, and key and value are one line each');
  if (separator.includes('\n'))
    throw badArguments('file.keyvalue', 'separator must be one line, such as "=" or " "');
  if (count < ALL_LINES) throw badArguments('file.keyvalue', 'count must be -1, 0 or more');
  return {
    pairs,
    separator,
    uncomment: values.uncomment,
    addMissing: values.append_if_not_found,
    keyIgnoreCase: values.key_ignore_case,
    valueIgnoreCase: values.value_ignore_case,
    countMax: count === ALL_LINES ? undefined : count,
  };
}
