/** The state `file.replace` replaces what a pattern finds in a file. */
import { optional, required, type ValuesOf, withDefault } from '../../../core/params/params.ts';
import { textRegex } from '../../../core/regex/text-regex.ts';
import { stateModule } from '../../state-contract.ts';
import { badArguments } from './edit-arguments.ts';
import { regexFlags } from './edit-flags.ts';
import { EDIT_PARAMS, planEdit } from './edit-plan.ts';
import { type ReplaceRule, replaceMatches } from './edit-replace.ts';
import { parseReplacement } from './edit-replacement.ts';

const params = {
  ...EDIT_PARAMS,
  pattern: required('string', {
    doc: 'A regular expression (Python syntax). ^ and $ are the start and end of each line, unless flags say otherwise.',
  }),
  repl: withDefault('string', '', {
    doc: 'What to put there. Groups of the pattern are \\1, \\g<name> or $1.',
  }),
  count: withDefault('integer', 0, { doc: 'How many to replace at most, from the start; 0 for all.' }),
  flags: withDefault('string-list', ['MULTILINE'], {
    doc: 'MULTILINE, IGNORECASE, DOTALL, or the number that Python gives them. They take the place of the default.',
  }),
  append_if_not_found: withDefault('boolean', false, {
    doc: 'Where the pattern finds nothing, add not_found_content at the end.',
  }),
  prepend_if_not_found: withDefault('boolean', false, { doc: 'The same, at the start.' }),
  not_found_content: optional('string', { doc: 'What to add then. Not given: repl.' }),
  ignore_if_missing: withDefault('boolean', false, {
    doc: 'A file that is not there is left so, without an error; otherwise it is an error, also with append_if_not_found.',
  }),
};

export const fileReplace = stateModule({
  name: 'file.replace',
  summary: 'What a regular expression finds in a file is replaced.',
  description: [
    'A replacement that the pattern would find and change again is refused: it would grow at every run.',
    'A $ in repl that names no group of the pattern is a $. With \\1 or \\g<1> in repl every $ is one.',
    'There is no `backup`: apply keeps what was there, and state.revert brings it back.',
  ].join('\n'),
  params,
  examples: [
    '/etc/ssh/sshd_config:\n  file.replace:\n    - pattern: ^#?Port .*$\n    - repl: Port 2222\n    - append_if_not_found: true\n',
    'listen everywhere:\n  file.replace:\n    - name: /etc/app.conf\n    - pattern: ^(listen\\s*=\\s*)127\\.0\\.0\\.1$\n    - repl: \\g<1>0.0.0.0\n',
  ],
  locks: ({ name }) => [name],
  check: (values) => void ruleOf(values),
  async plan(values, context) {
    const rule = ruleOf(values);
    const absent = values.ignore_if_missing ? 'left' : 'error';
    const unsettled =
      values.count > 0
        ? `each run would take the next ${values.count}`
        : 'the pattern finds the replacement again';
    return planEdit(values, (text) => replaceMatches(text, rule), { absent, unsettled }, context);
  },
});

function ruleOf(values: ValuesOf<typeof params>): ReplaceRule {
  const { pattern, repl, count, flags, not_found_content } = values;
  const { append_if_not_found: append, prepend_if_not_found: prepend } = values;
  if (count < 0) throw badArguments('file.replace', 'count must not be negative');
  if (append && prepend)
    throw badArguments('file.replace', 'append_if_not_found and prepend_if_not_found exclude each other');
  const regex = textRegex(pattern, regexFlags('file.replace', flags));
  // Some patterns can be tested and not searched for. Those must fail before a run, whatever is in the file.
  Array.from(regex.matches(''));
  const replacement = parseReplacement(repl, regex);
  const adds = append || prepend;
  if (adds && not_found_content === undefined && replacement.usesGroups)
    throw badArguments(
      'file.replace',
      'not_found_content is missing: repl has groups, which are nothing there',
    );
  return {
    regex,
    replacement,
    count,
    notFound: adds ? { content: not_found_content ?? repl, at: append ? 'end' : 'start' } : undefined,
  };
}
