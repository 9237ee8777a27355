import type { Job } from '../../wire/job.ts';
import { CONNECT_OPTIONS, lookWithBus } from '../admin-bus.ts';
import type { CliContext, Command, GivenOptions } from '../command.ts';
import { DATA_FORMAT_OPTION } from '../exec/exec-command.ts';
import { jobRecord, listActiveJobs, listJobs } from '../jobs/job-records.ts';
import { formatData } from '../output.ts';
import { table } from '../table.ts';

export const jobListCommand: Command = {
  words: ['job', 'list'],
  summary: 'list jobs, the newest last',
  examples: ['zester job list', 'zester job list --format json'],
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithBus(context, given, 'the list of jobs', async (bus) => {
      const jobs = await listJobs(bus, (line) => context.say(`zester: ${line}\n`));
      const row = (job: Job) => [
        job.jid,
        job.function,
        job.targetExpr || job.targets.join(','),
        job.status,
        job.user,
        job.owner ?? '',
      ];
      return print(
        context,
        given,
        jobs,
        ['JID', 'FUNCTION', 'TARGET', 'STATE', 'USER', 'OWNER'],
        row,
        'No jobs found.',
      );
    }),
};

export const jobActiveCommand: Command = {
  words: ['job', 'active'],
  summary: 'list the jobs that are not finished',
  examples: ['zester job active'],
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithBus(context, given, 'the list of jobs', async (bus) => {
      const jobs = await listActiveJobs(bus, (line) => context.say(`zester: ${line}\n`));
      const row = (job: Job) => [
        job.jid,
        job.function,
        String(job.targets.length),
        job.status,
        job.user,
        job.owner ?? '',
      ];
      return print(
        context,
        given,
        jobs,
        ['JID', 'FUNCTION', 'TARGETS', 'STATUS', 'USER', 'OWNER'],
        row,
        'No active jobs.',
      );
    }),
};

async function print(
  context: CliContext,
  given: GivenOptions,
  jobs: readonly Job[],
  head: readonly string[],
  row: (job: Job) => readonly string[],
  none: string,
): Promise<number> {
  const format = given.text('format') ?? 'text';
  if (format !== 'text') context.out(await formatData(jobs.map(jobRecord), format as 'json' | 'yaml'));
  else context.out(jobs.length === 0 ? `${none}\n` : table(head, jobs.map(row)));
  return 0;
}
