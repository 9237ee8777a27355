/** The state `file.line` holds one line of a file. */
import { optional, type ValuesOf, withDefault } from '../../../core/params/params.ts';
import { textRegex } from '../../../core/regex/text-regex.ts';
import { stateModule } from '../../state-contract.ts';
import { MAKEDIRS_PARAMS } from '../parents.ts';
import { badArguments, oneLine } from './edit-arguments.ts';
import { type Anchor, editLine, LINE_MODES, type LineMode, type LineRule } from './edit-line.ts';
import { EDIT_PARAMS, planEdit } from './edit-plan.ts';

const params = {
  ...EDIT_PARAMS,
  content: optional('string', { aliases: ['line'], doc: 'The line.' }),
  mode: withDefault('string', 'ensure', {
    doc: 'What is to be true: ensure, replace, insert or delete (also absent). See below.',
  }),
  match: optional('string', { doc: 'A regular expression (Python syntax) for the lines that are meant.' }),
  after: optional('string', {
    doc: 'It goes behind the first line with this text, or that this pattern fits.',
  }),
  before: optional('string', { doc: 'It goes before such a line. after goes first.' }),
  location: withDefault('string', 'end', { doc: 'Where it goes otherwise: start or end.' }),
  indent: withDefault('boolean', true, {
    doc: 'It gets the indentation of the line that it replaces or stands beside, unless it has its own.',
  }),
  create: withDefault('boolean', true, { doc: 'False: a file that is not there is left so.' }),
  ...MAKEDIRS_PARAMS,
};

export const fileLine = stateModule({
  name: 'file.line',
  summary: 'A line is in a file, is replaced, or is not in it.',
  description: [
    'ensure: the first line that match fits becomes the content; where none does and the content is not there, it is put in.',
    'replace: every line that match fits becomes the content; nothing is added.',
    'insert: the content is put in where it is not there.',
    'delete: every line that match fits is removed; without match, every line that is the content.',
    'A file that is not there is made by ensure and insert only.',
  ].join('\n'),
  params,
  examples: [
    '/etc/ssh/sshd_config:\n  file.line:\n    - content: PermitRootLogin no\n    - match: ^#?PermitRootLogin\n',
    'swap off:\n  file.line:\n    - name: /etc/fstab\n    - mode: delete\n    - match: \\sswap\\s\n',
  ],
  locks: ({ name }) => [name],
  check: (values) => void ruleOf(values),
  async plan(values, context) {
    const rule = ruleOf(values);
    const adds = rule.mode === 'ensure' || rule.mode === 'insert';
    return planEdit(
      values,
      (text) => editLine(text, rule),
      { absent: adds && values.create ? 'made' : 'left', makedirs: values.makedirs },
      context,
    );
  },
});

function ruleOf(values: ValuesOf<typeof params>): LineRule {
  const { content, match, after, before, location, indent } = values;
  const mode = modeOf(values.mode);
  if (content === undefined && (mode !== 'delete' || match === undefined))
    throw badArguments(
      'file.line',
      mode === 'delete' ? 'match is missing, or content' : 'content is missing',
    );
  if (mode === 'replace' && match === undefined)
    throw badArguments('file.line', 'match is missing: it says what to replace');
  if (location !== 'start' && location !== 'end')
    throw badArguments('file.line', `location must be start or end, not ${location}`);
  return {
    mode,
    content: oneLine('file.line', 'content', content ?? ''),
    match: match === undefined ? undefined : textRegex(match),
    after: anchorOf(after),
    before: anchorOf(before),
    location,
    indent,
  };
}

function modeOf(text: string): LineMode {
  const word = text.toLowerCase() === 'absent' ? 'delete' : text.toLowerCase();
  const mode = LINE_MODES.find((known) => known === word);
  if (mode !== undefined) return mode;
  throw badArguments('file.line', `mode must be ${LINE_MODES.join(', ')}, not ${text}`);
}

function anchorOf(text: string | undefined): Anchor | undefined {
  return text === undefined ? undefined : { text, regex: textRegex(text) };
}
