/** `zester settings explain` prints where a setting of a peel comes from. What the peel says is a stranger's text. */
import { readExplanation } from '../../client/settings/read-settings.ts';
import { printableLine, printableText } from '../../core/printable.ts';
import {
  type ExplanationRecord,
  explanationText,
  type SourceRecord,
} from '../../core/settings/explanation-record.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { lookWithClient } from '../connect/with-client.ts';
import type { Command } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { ASK_TIMEOUT_OPTION, askTimeoutMs } from './settings-show.ts';

/** Paths and patterns: enough to read. */
const WORD_CHARS_MAX = 200;

export const settingsExplainCommand: Command = {
  words: ['settings', 'explain'],
  takesWords: '<peel> <key>',
  summary: 'say which file and line set a setting of a peel, what it overrode, and how each file came there',
  examples: [
    'zester settings explain web-01 web.port',
    'zester settings explain web-01 users:0:name --format json',
  ],
  detail:
    'Places are those in the settings tree: file, line and column as they were written, before rendering. Secrets are shown as placeholders.\nExit codes: 0 it is set, 1 it is not set or nobody could be asked.',
  options: [ASK_TIMEOUT_OPTION, DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) => {
    const [name = '', key = ''] = given.words();
    return lookWithClient(context, given, `${name} to explain its settings`, async (client) => {
      const asked = { name, timeoutMs: askTimeoutMs(given) };
      const { peel, explanation } = await readExplanation(client, asked, key);
      const format = formatOf(given);
      context.out(
        format === 'text'
          ? `${printableText(explanationText(inLines(explanation)))}\n`
          : await formatData({ peel_id: peel, ...explanation }, format),
      );
      return explanation.found ? 0 : 1;
    });
  },
};

/** No word of it begins a line. */
function inLines(explanation: ExplanationRecord): ExplanationRecord {
  const line = (text: string) => printableLine(text, WORD_CHARS_MAX);
  const source = ({ at, value, pattern, top, included_from }: SourceRecord): SourceRecord => ({
    ...{ at: line(at), value, pattern: line(pattern), top: line(top) },
    included_from: included_from.map(line),
  });
  const { key, near, strategy, lists, set_by, overrode, replaced_by } = explanation;
  return {
    ...explanation,
    ...{ key: line(key), near: line(near), strategy: line(strategy), lists: line(lists) },
    set_by: set_by.map(source),
    overrode: overrode.map(source),
    replaced_by: replaced_by.map(source),
  };
}
