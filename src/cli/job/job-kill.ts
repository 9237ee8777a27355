import type { Bus } from '../../bus/port.ts';
import { namedJob } from '../../client/jobs/find-job.ts';
import { jobRecord, readJob } from '../../client/jobs/read-jobs.ts';
import { isZesterError } from '../../core/errors/zester-error.ts';
import { isTerminal } from '../../core/jobs/job-lifecycle.ts';
import { type Clock, sleep } from '../../runtime/clock.ts';
import { signCancelAsOperator } from '../../trust/signed-proof.ts';
import { PROOF_HEADER } from '../../wire/names/headers.ts';
import { type Jid, parseJid } from '../../wire/names/ids.ts';
import { jobCancelSubject } from '../../wire/names/subjects.ts';
import type { Job } from '../../wire/records/job.ts';
import { CANCEL_ACTION, cancelCodec } from '../../wire/records/job-event.ts';
import { formatProof } from '../../wire/records/proof-header.ts';
import { type AdminBus, CONNECT_OPTIONS, placeWords, withAdminBus } from '../connect/admin-bus.ts';
import { DATA_FORMAT_OPTION } from '../exec/exec-command.ts';
import type { CliContext, Command, GivenOptions } from '../program/command.ts';
import { formatData } from '../terminal/format-data.ts';

const WAIT_MS = 10_000;
const LOOK_MS = 200;
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
  run: (context, given) => withAdminBus(context, given, (admin) => kill(context, given, admin)),
};

async function kill(context: CliContext, given: GivenOptions, admin: AdminBus): Promise<number> {
  const { bus, waitFor } = admin;
  const { clock } = context.runtime;
  const format = given.text('format') ?? 'text';
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
  const job = await waitFor(looking, namedJob(bus, given.words())).catch((error: unknown) => {
    // A program is told that there is no such record; only a person knows that a request may be on its way.
    if (format !== 'text' || !isZesterError(error, 'CLI_JOB_UNKNOWN')) throw error;
    return parseJid(given.words()[0] ?? '') ?? Promise.reject(error);
  });
  if (typeof job === 'string') {
    await waitFor(storing(job), storeCancel(context, admin, job));
    // The request for it may still be on its way to a master that is frozen or cut off.
    context.out(
      `There is no record of job ${job}. The cancel is stored: a master that still takes the job sends it to nobody.\n`,
    );
    return EXIT_SILENT;
  }
  const attach = `${context.program} job attach ${job.jid}${place}`;
  if (!isTerminal(job.status)) {
    await waitFor(storing(job.jid), storeCancel(context, admin, job.jid));
    if (format === 'text') context.say(`Cancel signal sent for job ${job.jid}\n`);
  }
  const ending = { what: 'its master to end the job', ifLeft: 'the cancel is stored', next: attach };
  const now = await waitFor(ending, endOf(bus, clock, job));
  if (format !== 'text') context.out(await formatData(jobRecord(now), format as 'json' | 'yaml'));
  else context.out(`Job ${job.jid} is ${now.status}\n`);
  if (isTerminal(now.status)) return 0;
  context.say(
    'Its master has not ended it yet. The cancel is stored: the master that has the job, or takes it over, ends it.\n' +
      `Wait for that with: ${attach}\n` +
      `See whether a master is alive with: ${context.program} master list${place}\n`,
  );
  return EXIT_SILENT;
}

async function storeCancel({ runtime }: CliContext, { bus, operatorKey }: AdminBus, jid: Jid): Promise<void> {
  const headers = new Map([[PROOF_HEADER, formatProof(signCancelAsOperator(operatorKey(), jid))]]);
  const messageId = `cancel.${jid}.${Buffer.from(runtime.random.bytes(16)).toString('hex')}`;
  await bus.append(jobCancelSubject(jid), cancelCodec.encode({ action: CANCEL_ACTION }), {
    headers,
    messageId,
  });
}

/** The record when it has ended, or as it is when the time is up. */
async function endOf(bus: Bus, clock: Clock, job: Job): Promise<Job> {
  const untilMs = clock.monotonicMs() + WAIT_MS;
  let now = job;
  while (!isTerminal(now.status) && clock.monotonicMs() < untilMs) {
    await sleep(clock, LOOK_MS);
    now = (await readJob(bus, job.jid)) ?? now;
  }
  return now;
}
