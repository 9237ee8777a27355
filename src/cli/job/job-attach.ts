import { namedJob } from '../../client/jobs/find-job.ts';
import { JobFollower } from '../../client/jobs/job-follower.ts';
import { asksDryRun } from '../../core/jobs/asks-dry-run.ts';
import { deadlineOf } from '../../core/jobs/job-record.ts';
import { msFromNanos } from '../../wire/msgpack/time.ts';
import { CONNECT_OPTIONS, withAdminBus } from '../connect/admin-bus.ts';
import {
  COLOR_OPTION,
  DATA_FORMAT_OPTION,
  STATE_OUTPUT_OPTION,
  showOptionsOf,
} from '../exec/exec-command.ts';
import { END_GRACE_MS, JobDisplay } from '../exec/job-display.ts';
import type { Command } from '../program/command.ts';

export const jobAttachCommand: Command = {
  words: ['job', 'attach'],
  takesWords: '<jid>',
  summary: 'come back to a job: show what it returned, and follow it to its end',
  examples: ['zester job attach 2hPx1FNsSgJMqVn5bLSTXeBQMpO'],
  options: [STATE_OUTPUT_OPTION, DATA_FORMAT_OPTION, COLOR_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    withAdminBus(context, given, async ({ bus, waitFor }) => {
      const looking = { ifLeft: 'the job is as it was', next: 'run the command again' };
      const job = await waitFor({ what: 'the record of the job', ...looking }, namedJob(bus, given.words()));
      const { runtime } = context;
      const leftMs = Math.max(0, msFromNanos(deadlineOf(job)) - runtime.clock.nowMs());
      const display = new JobDisplay(context, {
        ...showOptionsOf(context, given),
        isTest: asksDryRun(job.args),
        waitMs: leftMs + END_GRACE_MS,
      });
      const { jid, targets } = job;
      const follower = new JobFollower({
        bus,
        runtime,
        jid,
        targets,
        warn: (line) => context.say(`zester: ${line}\n`),
        onReturn: (value) => display.noteReturn(value),
      });
      const catchUp = async () => {
        await follower.start();
        await follower.catchUp();
      };
      try {
        await waitFor({ what: 'what its targets have said so far', ...looking }, catchUp());
        return await display.show(jid, follower);
      } finally {
        follower.stop();
      }
    }),
};
