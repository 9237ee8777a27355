/** `zester job list` and `zester job active` print jobs, the newest last. */
import type { ClientContext } from '../../client/client-context.ts';
import { describeJob } from '../../client/jobs/describe-job.ts';
import { listActiveJobs, listJobs } from '../../client/jobs/read-jobs.ts';
import { readWaits } from '../../client/jobs/read-waits.ts';
import { printableLine } from '../../core/printable.ts';
import { timeText } from '../../core/time-text.ts';
import type { Jid } from '../../wire/names/ids.ts';
import type { Job } from '../../wire/records/job.ts';
import { CONNECT_OPTIONS } from '../connect/find-place.ts';
import { lookWithClient } from '../connect/with-client.ts';
import type { CliContext, Command, GivenOptions } from '../program/command.ts';
import { countOf, DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import { table } from '../terminal/table.ts';
import { unreadableText } from '../terminal/unreadable-text.ts';
import { argumentsText } from './arguments-text.ts';
import { FILTER_OPTIONS, givenJobFilter } from './job-filter.ts';
import { behindAll } from './waits-behind.ts';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100_000;
const ARGUMENTS_CHARS_MAX = 40;
const TARGET_CHARS_MAX = 40;

export const jobListCommand: Command = {
  words: ['job', 'list'],
  summary: 'list jobs, the newest last',
  examples: [
    'zester job list',
    'zester job list --limit 200 --format json',
    "zester job list --state failed --function 'state.*' --since 24h",
    'zester job list --target web-01 --user alice',
  ],
  detail: 'An id may be cut in every job command, as far as no other job begins so.',
  options: [
    { name: 'limit', value: 'COUNT', doc: `at most so many, the newest; default ${LIMIT_DEFAULT}` },
    ...FILTER_OPTIONS,
    DATA_FORMAT_OPTION,
    ...CONNECT_OPTIONS,
  ],
  async run(context, given) {
    const limit = countOf(given, 'limit', { fallback: LIMIT_DEFAULT, max: LIMIT_MAX });
    const filter = givenJobFilter(given, context.runtime.clock.nowMs());
    return lookWithClient(context, given, 'the list of jobs', async (client) => {
      const { jobs, unreadable, isCut } = await listJobs(client, filter, limit);
      for (const record of unreadable) context.say(`zester: ${unreadableText(record)}\n`);
      await print(context, given, client, { jobs, none: 'No jobs found.' });
      if (isCut && formatOf(given) === 'text')
        context.say(`The newest ${limit}. There may be older ones: --limit shows more.\n`);
      return 0;
    });
  },
};

export const jobActiveCommand: Command = {
  words: ['job', 'active'],
  summary: 'list the jobs that are not finished',
  examples: ['zester job active'],
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    lookWithClient(context, given, 'the list of jobs', async (client) => {
      const { jobs, unreadable, withoutRecord } = await listActiveJobs(client);
      for (const record of unreadable) context.say(`zester: ${unreadableText(record)}\n`);
      for (const jid of withoutRecord) context.say(`zester: ${noRecordText(jid)}\n`);
      await print(context, given, client, { jobs, none: 'No active jobs.' });
      return 0;
    }),
};

export function noRecordText(jid: Jid): string {
  return `the index names job ${jid}, which has no record; a master will clean it up`;
}

const HEAD = ['JID', 'CREATED', 'FUNCTION', 'ARGUMENTS', 'TARGET', 'STATE', 'USER', 'OWNER'];

async function print(
  context: CliContext,
  given: GivenOptions,
  client: ClientContext,
  { jobs, none }: { readonly jobs: readonly Job[]; readonly none: string },
): Promise<void> {
  const format = formatOf(given);
  const waits = await readWaits(client, jobs);
  if (format !== 'text') {
    const records = jobs.map((job) => describeJob(job, waits.get(job.jid)));
    context.out(await formatData(records, format));
    return;
  }
  const stateOf = ({ jid, status }: Job) => {
    const behind = waits.get(jid);
    return behind === undefined ? status : `waits behind ${behindAll(behind)}`;
  };
  const row = (job: Job) => [
    job.jid,
    timeText(job.created),
    job.function,
    printableLine(argumentsText(job), ARGUMENTS_CHARS_MAX),
    printableLine(targetText(job), TARGET_CHARS_MAX),
    stateOf(job),
    job.user,
    job.owner ?? '',
  ];
  context.out(jobs.length === 0 ? `${none}\n` : table(HEAD, jobs.map(row)));
}

/** `web* (12)`: as it was written, and how many it meant. */
function targetText({ targetExpr, targets }: Job): string {
  return targetExpr === '' ? targets.join(',') : `${targetExpr} (${targets.length})`;
}
