/** `zester job show` prints what is known of one job. */
import { findJob } from '../../client/jobs/find-job.ts';
import { readJobDetails } from '../../client/jobs/job-details.ts';
import { CONNECT_OPTIONS, placeWords } from '../connect/find-place.ts';
import { lookWithClient } from '../connect/with-client.ts';
import type { Command } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { unreadableText } from '../terminal/unreadable-text.ts';
import { jobText } from './job-text.ts';
import { showRecord } from './show-record.ts';

export const jobShowCommand: Command = {
  words: ['job', 'show'],
  takesWords: '<jid>',
  summary: 'show a job, and for each target how it stands and what proves it',
  examples: [
    'zester job show 2hPx1FNsSgJMqVn5bLSTXeBQMpO',
    'zester job show 2hPx1FNsSgJMqVn5bLSTXeBQMpO --format json',
  ],
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithClient(context, given, 'what is known of the job', async (client) => {
      const [word = ''] = given.words();
      const details = await readJobDetails(client, await findJob(client, word));
      for (const record of details.unreadable) context.say(`zester: ${unreadableText(record, 'the row')}\n`);
      const format = formatOf(given);
      if (format !== 'text') {
        context.out(await formatData(showRecord(details), format));
        return 0;
      }
      const end = `${details.job.jid}${placeWords(given)}`;
      context.out(jobText(details, (verb) => `${context.program} job ${verb} ${end}`));
      return 0;
    }),
};
