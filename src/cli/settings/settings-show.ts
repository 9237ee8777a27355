/** `zester settings show` prints the settings of a peel, as the peel has them: secrets do not leave it. */
import { DEFAULT_TIMEOUT_MS } from '../../client/jobs/new-job.ts';
import { readSettings } from '../../client/settings/read-settings.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { lookWithClient } from '../connect/with-client.ts';
import type { Command, GivenOptions, OptionSpec } from '../program/command.ts';
import { DATA_FORMAT_OPTION, durationOf, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';

export const ASK_TIMEOUT_OPTION: OptionSpec = {
  name: 'timeout',
  value: 'DURATION',
  doc: 'how long the peel has to answer; default 1m',
};

export function askTimeoutMs(given: GivenOptions): number {
  return durationOf(given, 'timeout', DEFAULT_TIMEOUT_MS.question);
}

export const settingsShowCommand: Command = {
  words: ['settings', 'show'],
  takesWords: '<peel> [key]',
  summary: 'show the settings of a peel, or one of them; secrets are not shown',
  examples: ['zester settings show web-01', 'zester settings show web-01 web.port --format json'],
  detail: [
    'The peel is asked, by a job: nobody else has its settings. A key is written as for settings.get: web.port, web:port,',
    'users:0:name. Secrets are shown as [secret <path>].',
  ].join('\n'),
  options: [ASK_TIMEOUT_OPTION, DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) => {
    const [name = '', key] = given.words();
    return lookWithClient(context, given, `${name} to tell its settings`, async (client) => {
      const { peel, value } = await readSettings(client, { name, timeoutMs: askTimeoutMs(given) }, key);
      const format = formatOf(given);
      const record = { peel_id: peel, key: key ?? '', value };
      context.out(await (format === 'text' ? formatData(value, 'yaml') : formatData(record, format)));
      return 0;
    });
  },
};
