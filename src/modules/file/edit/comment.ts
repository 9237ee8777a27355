/** The states `file.comment` and `file.uncomment` make lines comments, and take that back. */
import { required, type ValuesOf, withDefault } from '../../../core/params/params.ts';
import { textRegex } from '../../../core/regex/text-regex.ts';
import { stateModule } from '../../state-contract.ts';
import { badArguments } from './edit-arguments.ts';
import { type CommentRule, commentLines, uncommentLines } from './edit-comment.ts';
import { EDIT_PARAMS, planEdit } from './edit-plan.ts';

const params = {
  ...EDIT_PARAMS,
  regex: required('string', {
    doc: 'A regular expression (Python syntax) that fits the line as it is when it is no comment.',
  }),
  char: withDefault('string', '#', { doc: 'What makes a line a comment.' }),
};

const DESCRIPTION =
  'A file that is not there, or that no line of fits, is left as it is. There is no `backup`: state.revert brings back what was there.';

export const fileComment = stateModule({
  name: 'file.comment',
  summary: 'Lines that a pattern fits are comments.',
  description: DESCRIPTION,
  params,
  examples: ['/etc/fstab:\n  file.comment:\n    - regex: ^/dev/sdb1\\s\n'],
  locks: ({ name }) => [name],
  check: (values) => void ruleOf('file.comment', values),
  async plan(values, context) {
    const rule = ruleOf('file.comment', values);
    return planEdit(values, (text) => commentLines(text, rule), { absent: 'left' }, context);
  },
});

export const fileUncomment = stateModule({
  name: 'file.uncomment',
  summary: 'Lines that a pattern fits are no comments.',
  description: DESCRIPTION,
  params,
  examples: ['/etc/ssh/sshd_config:\n  file.uncomment:\n    - regex: ^PermitEmptyPasswords\n'],
  locks: ({ name }) => [name],
  check: (values) => void ruleOf('file.uncomment', values),
  async plan(values, context) {
    const rule = ruleOf('file.uncomment', values);
    return planEdit(values, (text) => uncommentLines(text, rule), { absent: 'left' }, context);
  },
});

function ruleOf(functionName: string, { regex, char }: ValuesOf<typeof params>): CommentRule {
  if (/^\s|\n/.test(char)) throw badArguments(functionName, 'char must not start with white space');
  return { regex: textRegex(regex), mark: char };
}
