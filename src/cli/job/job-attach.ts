/** `zester job attach` comes back to a job and shows it to its end. */
import { findJob } from '../../client/jobs/find-job.ts';
import { attachJob, leftMsOf } from '../../client/jobs/job-follower.ts';
import { asksDryRun } from '../../core/jobs/asks-dry-run.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { withClient } from '../connect/with-client.ts';
import { JobDisplay } from '../exec/job-display.ts';
import type { Command } from '../program/command.ts';
import { COLOR_OPTION, DATA_FORMAT_OPTION } from '../program/common-options.ts';
import { STATE_OUTPUT_OPTION, showOptionsOf } from '../returns/show-options.ts';

export const jobAttachCommand: Command = {
  words: ['job', 'attach'],
  takesWords: '<jid>',
  summary: 'come back to a job: show what it returned, and follow it to its end',
  examples: ['zester job attach 2hPx1FNsSgJMqVn5bLSTXeBQMpO'],
  options: [STATE_OUTPUT_OPTION, DATA_FORMAT_OPTION, COLOR_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    withClient(context, given, async (client, waitFor) => {
      const [word = ''] = given.words();
      const looking = { ifLeft: 'the job is as it was', next: 'run the command again' };
      const job = await waitFor({ what: 'the record of the job', ...looking }, findJob(client, word));
      const display = new JobDisplay(context, showOptionsOf(context, given), {
        isTest: asksDryRun(job.args),
        leftMs: leftMsOf(job, context.runtime.clock.nowMs()),
      });
      const follower = await waitFor(
        { what: 'what its targets have said so far', ...looking },
        attachJob(client, job, (event) => display.note(event)),
      );
      try {
        return await display.show(job.jid, follower);
      } finally {
        follower.stop();
      }
    }),
};
