/** `zester job kill` cancels a job and tells how it ended. */
import type { ClientContext } from '../../client/client-context.ts';
import { cancelJob, whenJobEnded } from '../../client/jobs/cancel-job.ts';
import { describeJob } from '../../client/jobs/describe-job.ts';
import { findJob } from '../../client/jobs/find-job.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import { type Jid, parseJid } from '../../wire/names/ids.ts';
import { CONNECT_OPTIONS, placeWords } from '../connect/find-place.ts';
import { withClient } from '../connect/with-client.ts';
import type { CliContext, Command, GivenOptions } from '../program/command.ts';
import { DATA_FORMAT_OPTION, formatOf } from '../program/common-options.ts';
import { formatData } from '../terminal/format-data.ts';
import type { WaitFor } from '../terminal/wait-for.ts';

/** Nobody says that it has ended. */
const EXIT_SILENT = 3;

export const jobKillCommand: Command = {
  words: ['job', 'kill'],
  takesWords: '<jid>',
  summary: 'cancel a job, on its owner and on its targets',
  examples: ['zester job kill 2hPx1FNsSgJMqVn5bLSTXeBQMpO'],
  detail: [
    'The cancel is stored: a job whose owner is dead ends as canceled when another master takes it over. A job that no master',
    'has taken yet, because none answered, is canceled in advance; that needs its whole id, and the format text.',
  ].join('\n'),
  options: [DATA_FORMAT_OPTION, ...CONNECT_OPTIONS],
  run: (context, given) =>
    withClient(context, given, (client, waitFor) => kill(context, given, client, waitFor)),
};

async function kill(
  context: CliContext,
  given: GivenOptions,
  client: ClientContext,
  waitFor: WaitFor,
): Promise<number> {
  const [word = ''] = given.words();
  const format = formatOf(given);
  const place = placeWords(given);
  const looking = {
    what: 'the record of the job',
    ifLeft: 'nothing was sent',
    next: 'run the command again',
  };
  const storing = (jid: Jid) => ({
    what: 'the cancel to be stored',
    ifLeft: 'whether it was is not known',
    next: `${context.program} job show ${jid}${place}`,
  });
  const job = await waitFor(looking, findJob(client, word)).catch((error: unknown) => {
    // A program is told that there is no such record; only a person knows that a request may be on its way.
    if (format !== 'text' || !isZesterError(error, 'CLI_JOB_UNKNOWN')) throw error;
    return parseJid(word) ?? Promise.reject(error);
  });
  if (typeof job === 'string') {
    await waitFor(storing(job), cancelJob(client, job));
    // The request for it may still be on its way to a master that is frozen or cut off.
    context.out(
      `There is no record of job ${job}. The cancel is stored: a master that still takes the job sends it to nobody.\n`,
    );
    return EXIT_SILENT;
  }
  const attach = `${context.program} job attach ${job.jid}${place}`;
  if (!isTerminal(job.status)) {
    await waitFor(storing(job.jid), cancelJob(client, job.jid));
    if (format === 'text') context.say(`Cancel signal sent for job ${job.jid}\n`);
  }
  const ending = { what: 'its master to end the job', ifLeft: 'the cancel is stored', next: attach };
  const now = await waitFor(ending, whenJobEnded(client, job));
  if (format !== 'text') context.out(await formatData(describeJob(now), format));
  else context.out(`Job ${job.jid} is ${now.status}\n`);
  if (isTerminal(now.status)) return 0;
  context.say(
    'Its master has not ended it yet. The cancel is stored: the master that has the job, or takes it over, ends it.\n' +
      `Wait for that with: ${attach}\n` +
      `See whether a master is alive with: ${context.program} master list${place}\n`,
  );
  return EXIT_SILENT;
}
